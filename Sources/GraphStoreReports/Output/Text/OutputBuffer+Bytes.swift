extension OutputBuffer {
  /// A byte as two hexadecimal digits.
  package func append(hex byte: UInt8, uppercase: Bool = false) {
    reserve(2)
    let letter: UInt8 = (uppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")) - 10
    let high = byte >> 4
    let low = byte & 15
    unsafe cursor[0] = high < 10 ? 0x30 + high : letter + high
    unsafe cursor[1] = low < 10 ? 0x30 + low : letter + low
    advance(2)
  }

  /// Bytes in base64 with padding.
  package func append(base64 bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < bytes.count {
      // In pieces, so that large data does not need a buffer of its size.
      let piece = min(bytes.count - index, 3 * 4096)
      unsafe appendBase64Piece(UnsafeBufferPointer(rebasing: bytes[index..<index + piece]))
      index += piece
    }
  }

  private func appendBase64Piece(_ bytes: UnsafeBufferPointer<UInt8>) {
    reserve((bytes.count + 2) / 3 * 4)
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    let letters = unsafe alphabet.utf8Start
    var index = 0
    while index < bytes.count {
      let rest = bytes.count &- index
      var word = unsafe UInt32(bytes[index]) << 16
      if rest > 1 { unsafe word |= UInt32(bytes[index &+ 1]) << 8 }
      if rest > 2 { unsafe word |= UInt32(bytes[index &+ 2]) }
      unsafe cursor[0] = unsafe letters[Int(word >> 18)]
      unsafe cursor[1] = unsafe letters[Int(word >> 12 & 63)]
      unsafe cursor[2] = unsafe rest > 1 ? letters[Int(word >> 6 & 63)] : UInt8(ascii: "=")
      unsafe cursor[3] = unsafe rest > 2 ? letters[Int(word & 63)] : UInt8(ascii: "=")
      advance(4)
      index &+= 3
    }
  }

  /// Sixteen bytes as a UUID, in capital letters; bytes of another number as plain hexadecimal digits.
  package func append(uuid bytes: UnsafeBufferPointer<UInt8>) {
    for index in bytes.indices {
      if bytes.count == 16, index == 4 || index == 6 || index == 8 || index == 10 {
        append(byte: UInt8(ascii: "-"))
      }
      unsafe append(hex: bytes[index], uppercase: true)
    }
  }

  /// An object's id: `Employee/p1`, or `Employee/t1` before its first save.
  package func append(_ entity: EntityLabel, key: Int64, isTemporary: Bool) {
    append(entity.prefix)
    append(byte: UInt8(ascii: isTemporary ? "t" : "p"))
    append(integer: key)
  }
}
