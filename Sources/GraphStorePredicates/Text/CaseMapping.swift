/// The full default mapping of letters to lower case, which knows no locale (PRD-171).
package enum CaseMapping {
  private static let sigma: Unicode.Scalar = "Σ"

  /// The text in lower case. Unlike `lowercased()` it writes a sigma that ends a word in its final form.
  package static func lowercased(_ text: String) -> String {
    guard text.utf8.contains(0xCE), text.unicodeScalars.contains(sigma) else { return text.lowercased() }
    let scalars = text.unicodeScalars
    var lower = ""
    lower.reserveCapacity(text.utf8.count)
    var followsLetter = false
    for index in scalars.indices {
      let scalar = scalars[index]
      if scalar == sigma {
        let isFinal = followsLetter && !precedesLetter(scalars[scalars.index(after: index)...])
        lower.unicodeScalars.append(isFinal ? "ς" : "σ")
      } else {
        lower += scalar.properties.lowercaseMapping
      }
      if !scalar.properties.isCaseIgnorable { followsLetter = scalar.properties.isCased }
    }
    return lower
  }

  /// Whether a letter with case follows, marks and the like skipped.
  private static func precedesLetter(_ rest: Substring.UnicodeScalarView) -> Bool {
    rest.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
  }
}
