/// Display width of text: the columns that it takes on a terminal.
package enum DisplayWidth {
  /// Columns of text in UTF-8. Control characters count as nothing; escape them first.
  package static func of(_ utf8: UnsafeBufferPointer<UInt8>) -> Int {
    var index = 0
    while index < utf8.count, unsafe utf8[index] >= 0x20, unsafe utf8[index] < 0x7F { index += 1 }
    if index == utf8.count { return index }
    return unsafe of(String(decoding: utf8, as: UTF8.self))
  }

  /// Columns of a string.
  package static func of(_ text: String) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  /// Columns of one character as a reader sees it: 0, 1 or 2.
  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.isASCII {
      if scalars.count == 1 { return first.value >= 0x20 && first.value < 0x7F ? 1 : 0 }
      // A digit, # or * before U+FE0F U+20E3 is a keycap.
      return scalars.contains { $0.value == 0xFE0F } ? 2 : of(first)
    }
    if scalars.contains(where: { $0.value == 0xFE0F }) && first.properties.isEmoji { return 2 }
    // Two letters of a flag.
    if scalars.count > 1, (0x1F1E6...0x1F1FF).contains(first.value) { return 2 }
    return scalars.reduce(0) { max($0, of($1)) }
  }

  /// Columns of one scalar that stands alone.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x20 || (0x7F..<0xA0).contains(value) { return 0 }
    if value < 0x300 { return value == 0xAD ? 0 : 1 }
    if isWide(value) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return (0x1160...0x11FF).contains(value) ? 0 : 1
    }
  }

  /// As much of the text as fits into `columns`, with `mark` at the end if that is not all of it.
  package static func cut(_ text: String, to columns: Int, mark: Character = "…") -> String {
    guard columns > 0 else { return "" }
    var used = 0
    // Up to where the mark would still fit behind it.
    var end = text.startIndex
    for index in text.indices {
      used += of(text[index])
      if used > columns { return text[..<end] + String(mark) }
      if used < columns { end = text.index(after: index) }
    }
    return text
  }

  /// As many members of a list as fit into `columns`, with `mark` behind them if those are not all.
  static func cut(_ list: String, behind separator: String, to columns: Int, mark: Character = "…")
    -> String
  {
    guard of(list) > columns else { return list }
    var result = ""
    for member in list.split(separator: separator, omittingEmptySubsequences: false) {
      let longer = result + member + separator
      if of(longer) + 1 > columns { break }
      result = longer
    }
    return result + String(mark)
  }

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if value > wide[middle].upperBound {
        low = middle + 1
      } else if value < wide[middle].lowerBound {
        high = middle
      } else {
        return true
      }
    }
    return false
  }

  /// The scalars whose East Asian Width is wide or full (Unicode 14), gaps of unassigned ones closed.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
    0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
    0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
    0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
    0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAD9,
    0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08,
    0x1AFF0...0x1B2FB, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A,
    0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
    0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440,
    0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A,
    0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC,
    0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0,
    0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAF6, 0x20000...0x2EBE0,
    0x2F800...0x2FA1D, 0x30000...0x3134A,
  ]
}
