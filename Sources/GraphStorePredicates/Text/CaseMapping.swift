/// The full default mapping of letters to lower case, which knows no locale (PRD-171).
package enum CaseMapping {
  private static let sigma: Unicode.Scalar = "Σ"

  /// The text in lower case. Unlike `lowercased()` it gives a sigma that ends a word its final form.
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

  /// Whether a letter with case comes next, marks and the like passed over.
  private static func precedesLetter(_ rest: Substring.UnicodeScalarView) -> Bool {
    rest.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
  }
}

/// Unicode's full default case folding, scalar by scalar.
enum CaseFolding {
  /// Appends the folding of a scalar.
  ///
  /// Folding is lower case after upper case after lower case, but for the dotless i, which stays, and the Cherokee
  /// letters, which fold to upper case.
  static func append(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
    if scalar.isASCII {
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      text.append(Unicode.Scalar(ASCII.lower(byte)))
      return
    }
    switch scalar.value {
    case 0x131, 0x13A0...0x13F5:
      text.append(scalar)
    case 0x13F8...0x13FD, 0xAB70...0xABBF:
      text.append(contentsOf: scalar.properties.uppercaseMapping.unicodeScalars)
    default:
      for lower in scalar.properties.lowercaseMapping.unicodeScalars {
        for upper in lower.properties.uppercaseMapping.unicodeScalars {
          text.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
        }
      }
    }
  }
}
