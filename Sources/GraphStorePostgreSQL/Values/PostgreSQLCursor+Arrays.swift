#if PostgreSQL
extension PostgreSQLCursor {
  /// The texts of an array of one dimension; none where there is no value.
  func strings(at column: Int) -> [String] {
    if isNull(at: column) { return [] }
    let bytes = unsafe UnsafeRawBufferPointer(self.bytes(at: column))
    func number(_ offset: Int) -> Int {
      guard offset + 4 <= bytes.count else { return -1 }
      return unsafe Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
    }
    // Dimensions, flags and type; then size and lower bound of the one dimension.
    guard number(0) == 1 else { return [] }
    var strings: [String] = []
    var offset = 20
    for _ in 0..<max(0, number(12)) {
      let length = number(offset)
      offset += 4
      guard length >= 0, offset + length <= bytes.count else { continue }
      unsafe strings.append(String(decoding: bytes[offset..<offset + length], as: UTF8.self))
      offset += length
    }
    return strings
  }
}
#endif
