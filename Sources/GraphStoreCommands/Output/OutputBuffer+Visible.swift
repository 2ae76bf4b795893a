extension OutputBuffer {
  /// Text made safe to show, as `VisibleText` does; gives the columns it takes.
  @discardableResult
  func append(visible utf8: UnsafeBufferPointer<UInt8>) -> Int {
    var index = 0
    while index < utf8.count, utf8[index] >= 0x20, utf8[index] < 0x7F { index &+= 1 }
    if index == utf8.count {
      append(utf8)
      return index
    }
    let shown = VisibleText.escape(String(decoding: utf8, as: UTF8.self))
    append(shown)
    return DisplayWidth.of(shown)
  }

  /// As many spaces.
  func append(spaces number: Int) {
    guard number > 0 else { return }
    reserve(number)
    cursor.update(repeating: UInt8(ascii: " "), count: number)
    advance(number)
  }
}
