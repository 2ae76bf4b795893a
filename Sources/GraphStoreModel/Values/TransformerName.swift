/// Names of value transformers that models of Core Data use for the default archive (MDL-163).
package enum TransformerName {
  /// The name without the prefix and the suffix that Core Data's own may have.
  static func stem(_ name: String) -> Substring {
    var stem = Substring(name)
    if stem.hasPrefix("NS") { stem = stem.dropFirst(2) }
    if stem.hasSuffix("Transformer") { stem = stem.dropLast("Transformer".count) }
    return stem
  }

  /// Whether the name, or there being none, means the default archive.
  package static func isDefault(_ name: String?) -> Bool {
    guard let name else { return true }
    return ["SecureUnarchiveFromData", "KeyedUnarchiveFromData"].contains(stem(name))
  }
}
