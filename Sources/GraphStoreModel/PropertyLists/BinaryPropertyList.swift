import Foundation

/// Parser of binary property lists that keeps the kinds of their numbers: Foundation's decoder takes a whole
/// real for an integer and does not show the references of keyed archives, and its serializer fails in a
/// program that is linked statically.
struct BinaryPropertyList {
  private static let trailerLength = 32
  private static let maximumDepth = 64
  private static let header = Array("bplist00".utf8)

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let root: Int
  private let offsetTable: Int
  /// The remaining budget of reads: objects can reference each other in cycles.
  private var budget: Int
  /// Texts and bytes that were read already, by number: many nodes may reference one.
  private var leaves: [Int: PropertyListNode] = [:]

  /// Whether bytes begin as a binary property list does.
  static func isOne(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: header) }

  /// The root node of the bytes; nil where they are no property list, or a damaged one.
  static func node(of bytes: [UInt8]) -> PropertyListNode? {
    guard var list = Self(bytes) else { return nil }
    return list.object(list.root, depth: 0)
  }

  private init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard Self.isOne(bytes), bytes.count >= Self.header.count + Self.trailerLength else { return nil }
    let trailer = bytes.count - Self.trailerLength
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(in: bytes, at: trailer + 8, size: 8),
      let root = Self.number(in: bytes, at: trailer + 16, size: 8),
      let table = Self.number(in: bytes, at: trailer + 24, size: 8), count <= bytes.count, root < count,
      table <= trailer, count * offsetSize <= trailer - table
    else { return nil }
    self.count = count
    self.root = root
    offsetTable = table
    budget = bytes.count * 2
  }

  private static func number(in bytes: [UInt8], at start: Int, size: Int) -> Int? {
    guard start >= 0, size <= 8, start + size <= bytes.count else { return nil }
    var value: UInt64 = 0
    for byte in bytes[start..<start + size] { value = value << 8 | UInt64(byte) }
    return Int(exactly: value)
  }

  private mutating func object(_ reference: Int, depth: Int) -> PropertyListNode? {
    budget -= 1
    guard budget > 0, depth < Self.maximumDepth, reference < count,
      let offset = Self.number(in: bytes, at: offsetTable + reference * offsetSize, size: offsetSize),
      offset < bytes.count
    else { return nil }
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0: return low == 0 ? .null : low == 8 ? .bool(false) : low == 9 ? .bool(true) : nil
    case 0x1: return number(offset + 1, 1 << low)
    case 0x2: return real(offset + 1, 1 << low).map { .double($0) }
    case 0x3: return real(offset + 1, 8).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case 0x4, 0x5, 0x6: return leaf(reference, offset)
    case 0x8: return Self.number(in: bytes, at: offset + 1, size: low + 1).map { .reference($0) }
    case 0xA, 0xC: return list(at: offset, low: low, depth: depth)
    case 0xD: return dictionary(at: offset, low: low, depth: depth)
    default: return nil
    }
  }

  /// A whole number; one that is too large for a signed one is a real.
  private func number(_ start: Int, _ size: Int) -> PropertyListNode? {
    guard let number = integer(start, size) else { return nil }
    guard size == 16, number < 0, bytes[start..<start + 8].allSatisfy({ $0 == 0 }) else {
      return .int(number)
    }
    return .double(Double(UInt64(bitPattern: number)))
  }

  private func integer(_ start: Int, _ size: Int) -> Int64? {
    guard size <= 16, start + size <= bytes.count else { return nil }
    // Shorter ones have no sign; of sixteen bytes the last eight count.
    var value: UInt64 = 0
    for byte in bytes[start..<start + size] { value = value << 8 | UInt64(byte) }
    return Int64(bitPattern: value)
  }

  private func real(_ start: Int, _ size: Int) -> Double? {
    guard size == 4 || size == 8, let bits = integer(start, size) else { return nil }
    return size == 8
      ? Double(bitPattern: UInt64(bitPattern: bits))
      : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }

  private mutating func leaf(_ reference: Int, _ offset: Int) -> PropertyListNode? {
    if let known = leaves[reference] { return known }
    let low = Int(bytes[offset] & 0x0F)
    let node: PropertyListNode? =
      switch bytes[offset] >> 4 {
      case 0x4: slice(offset, low, width: 1).map { .data(Data($0)) }
      case 0x5: slice(offset, low, width: 1).map { .string(String(decoding: $0, as: UTF8.self)) }
      default: slice(offset, low, width: 2).map { .string(Self.text($0)) }
      }
    leaves[reference] = node
    return node
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Where the content of a sized object begins, and how many elements it has.
  private func extent(_ offset: Int, _ low: Int) -> (start: Int, count: Int)? {
    guard low == 0xF else { return (offset + 1, low) }
    guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 0x1 else { return nil }
    let size = 1 << Int(bytes[offset + 1] & 0x0F)
    guard let count = integer(offset + 2, size), count >= 0, count <= Int64(bytes.count) else { return nil }
    return (offset + 2 + size, Int(count))
  }

  private func slice(_ offset: Int, _ low: Int, width: Int) -> ArraySlice<UInt8>? {
    guard let (start, count) = extent(offset, low), start + count * width <= bytes.count else { return nil }
    return bytes[start..<start + count * width]
  }

  private func reference(_ start: Int, _ position: Int) -> Int? {
    Self.number(in: bytes, at: start + position * referenceSize, size: referenceSize)
  }

  private mutating func list(at offset: Int, low: Int, depth: Int) -> PropertyListNode? {
    guard let (start, count) = extent(offset, low) else { return nil }
    var items: [PropertyListNode] = []
    for position in 0..<count {
      guard let reference = reference(start, position), let item = object(reference, depth: depth + 1) else {
        return nil
      }
      items.append(item)
    }
    return .list(items)
  }

  private mutating func dictionary(at offset: Int, low: Int, depth: Int) -> PropertyListNode? {
    guard let (start, count) = extent(offset, low) else { return nil }
    var members: [String: PropertyListNode] = [:]
    for position in 0..<count {
      guard let name = reference(start, position), let member = reference(start, count + position),
        case .string(let key)? = object(name, depth: depth + 1), let value = object(member, depth: depth + 1)
      else { return nil }
      members[key] = value
    }
    return .dictionary(members)
  }
}
