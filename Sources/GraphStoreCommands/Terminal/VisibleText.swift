/// Makes text safe to show: nothing in it can move the cursor, change colours or turn the order of what stands around it.
enum VisibleText {
  /// What is shown for a scalar that must not reach a terminal as it is; nil for all others.
  ///
  /// C0 controls have pictures (`␛`); the others are shown as `<U+009B>`.
  static func replacement(for value: UInt32) -> String? {
    switch value {
    case 0..<0x20: return Unicode.Scalar(0x2400 + value).map { String(Character($0)) }
    case 0x7F: return "␡"
    case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
      let hex = String(value, radix: 16, uppercase: true)
      return "<U+" + String(repeating: "0", count: 4 - hex.count) + hex + ">"
    default: return nil
    }
  }

  /// The text with everything unsafe replaced; `keeping` is left as it is.
  static func escape(_ text: String, keeping: Set<Unicode.Scalar> = []) -> String {
    guard text.unicodeScalars.contains(where: { replacement(for: $0.value) != nil }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if !keeping.contains(scalar), let shown = replacement(for: scalar.value) {
        result += shown
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
