import Foundation

extension Row {
  /// The values of properties as bytes that are the same for equal values; nil where one is missing, which
  /// never collides.
  package func claim(_ properties: [PropertyLayout]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for property in properties {
      guard property.slot >= 0, !block.isNull(index, property.slot) else { return nil }
      let word = block.word(index, property.slot)
      switch property.kind {
      case .string, .uri, .uuid, .binary, .transformable:
        let text = unsafe block.bytes(word)
        append(UInt64(text.count), to: &bytes)
        unsafe bytes.append(contentsOf: text)
      case .decimal:
        var value = block.decimal(word)
        unsafe NSDecimalCompact(&value)
        let text = Array(value.description.utf8)
        append(UInt64(text.count), to: &bytes)
        bytes += text
      case .double, .float, .date:
        let number = Double(bitPattern: word)
        append((number == 0 ? 0 : number).bitPattern, to: &bytes)
      case .int16, .int32, .int64, .boolean: append(word, to: &bytes)
      case .toOne: append(UInt64(bitPattern: PackedReference(bits: word).key), to: &bytes)
      case .toMany, .none, .composite, .undefined, .external: return nil
      }
    }
    return bytes
  }

  private func append(_ word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
