import Foundation

/// Writer of binary property lists: equal texts are one object, as in those of Apple's tools.
///
/// Foundation's serializer cannot write the references of keyed archives, and fails in a program that is
/// linked statically.
package struct BinaryPropertyListWriter {
  private var objects: [[UInt8]] = []
  private var texts: [[UInt8]: Int] = [:]

  /// The bytes of a property list.
  package static func bytes(of node: PropertyListNode) -> [UInt8] {
    var writer = Self()
    let root = writer.add(node)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in writer.objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += bigEndian(offset, 4) }
    return bytes + [0, 0, 0, 0, 0, 0, 4, 4] + bigEndian(offsets.count, 8) + bigEndian(root, 8)
      + bigEndian(table, 8)
  }

  private mutating func add(_ node: PropertyListNode) -> Int {
    switch node {
    case .null: return append([0x00])
    case .bool(let flag): return append([flag ? 0x09 : 0x08])
    case .int(let number): return append([0x13] + Self.bigEndian(Int(number), 8))
    case .double(let number):
      return append([0x23] + Self.bigEndian(Int(bitPattern: UInt(number.bitPattern)), 8))
    case .date(let date):
      let bits = date.timeIntervalSinceReferenceDate.bitPattern
      return append([0x33] + Self.bigEndian(Int(bitPattern: UInt(bits)), 8))
    case .data(let data): return append(Self.marker(0x4, data.count) + data)
    case .string(let text): return add(text)
    case .reference(let number): return append([0x83] + Self.bigEndian(number, 4))
    case .list(let items):
      let numbers = items.map { add($0) }
      return append(Self.marker(0xA, items.count) + numbers.flatMap { Self.bigEndian($0, 4) })
    case .dictionary(let members):
      let sorted = members.sorted { $0.key < $1.key }
      let numbers = sorted.map { add($0.key) } + sorted.map { add($0.value) }
      return append(Self.marker(0xD, sorted.count) + numbers.flatMap { Self.bigEndian($0, 4) })
    }
  }

  private mutating func add(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    if let number = texts[bytes] { return number }
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let number =
      isASCII
      ? append(Self.marker(0x5, text.utf8.count) + text.utf8)
      : append(Self.marker(0x6, text.utf16.count) + text.utf16.flatMap { Self.bigEndian(Int($0), 2) })
    texts[bytes] = number
    return number
  }

  private mutating func append(_ object: [UInt8]) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 0xF, 0x13] + bigEndian(count, 8)
  }

  private static func bigEndian(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
