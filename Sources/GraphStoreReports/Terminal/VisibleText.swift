/// Escaping of control characters: nothing in shown text can move the cursor, change colours or turn the
/// order of what stands around it.
package enum VisibleText {
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
  package static func escape(_ text: String, keeping: Set<Unicode.Scalar> = []) -> String {
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

extension OutputBuffer {
  /// Text made safe to show, as `VisibleText` does; gives the columns it takes.
  @discardableResult
  func append(visible utf8: UnsafeBufferPointer<UInt8>) -> Int {
    var width = 0
    var index = 0
    while index < utf8.count {
      let start = index
      while index < utf8.count, unsafe utf8[index] >= 0x20, unsafe utf8[index] < 0x7F { index &+= 1 }
      // The character in front of others than ASCII may be one with them, such as a letter and its accent.
      if index > start, index < utf8.count, unsafe utf8[index] >= 0x80 { index &-= 1 }
      unsafe append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
      width += index - start
      guard index < utf8.count else { break }
      if unsafe utf8[index] < 0x20 || utf8[index] == 0x7F {
        unsafe append(pictureOf: utf8[index])
        width += 1
        index += 1
      } else {
        let first = index
        repeat { index &+= 1 } while unsafe index < utf8.count && utf8[index] >= 0x80
        unsafe width += append(visibleText: String(decoding: utf8[first..<index], as: UTF8.self))
      }
    }
    return width
  }

  private func append(visibleText text: String) -> Int {
    let shown = VisibleText.escape(text)
    append(shown)
    return DisplayWidth.of(shown)
  }

  /// The picture of a control character: U+2400 and the following ones.
  private func append(pictureOf control: UInt8) {
    reserve(3)
    unsafe cursor[0] = 0xE2
    unsafe cursor[1] = 0x90
    unsafe cursor[2] = control == 0x7F ? 0xA1 : 0x80 + control
    advance(3)
  }

  /// JSON made safe to show: what `VisibleText` replaces is written as `\u009b`, which means the same in
  /// JSON.
  ///
  /// Other control characters than those of ASCII, and marks of direction, stand in strings only.
  package func append(visibleJSON utf8: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var index = 0
    while index < utf8.count {
      let byte = unsafe utf8[index]
      guard byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2 else {
        index &+= 1
        continue
      }
      let length = byte == 0x7F ? 1 : byte == 0xE2 ? 3 : 2
      let text = unsafe String(decoding: utf8[index..<min(index + length, utf8.count)], as: UTF8.self)
      if let scalar = text.unicodeScalars.first, VisibleText.replacement(for: scalar.value) != nil {
        unsafe append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
        append(literal: "\\u")
        append(hex: UInt8(truncatingIfNeeded: scalar.value >> 8))
        append(hex: UInt8(truncatingIfNeeded: scalar.value))
        start = index + length
      }
      index += length
    }
    unsafe append(UnsafeBufferPointer(rebasing: utf8[min(start, utf8.count)...]))
  }

  /// As many spaces.
  func append(spaces number: Int) {
    guard number > 0 else { return }
    reserve(number)
    unsafe cursor.update(repeating: UInt8(ascii: " "), count: number)
    advance(number)
  }
}
