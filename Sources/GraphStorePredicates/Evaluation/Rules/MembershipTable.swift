import Foundation

/// A hashed list of values for IN.
struct MembershipTable {
  private enum Key: Hashable {
    case integer(Int64)
    case double(UInt64)
    case bytes([UInt8])
    case uuid(UUID)
    case object(ObjectReference)
    case date(Double)
  }

  private enum Family {
    case number, string, uuid, object, date
  }

  private let keys: Set<Key>
  private let family: Family
  private let folding: TextFolding

  /// Hashes a list whose members are all of one kind; nil for lists that are short or mixed.
  init?(_ values: [Value], folding: TextFolding) {
    guard values.count > 4, let first = values.first(where: { !$0.isNull }),
      let family = Self.family(of: first)
    else { return nil }
    var keys = Set<Key>(minimumCapacity: values.count)
    for value in values where !value.isNull {
      guard Self.family(of: value) == family, let key = Self.key(of: value, folding) else { return nil }
      if case .object(let reference) = value, reference.isUnresolved { return nil }
      keys.insert(key)
    }
    self.keys = keys
    self.family = family
    self.folding = folding
  }

  /// Whether a value is in the list; nil when the table cannot tell.
  func contains(_ value: Value) -> Bool? {
    guard Self.family(of: value) == family, let key = Self.key(of: value, folding) else { return nil }
    if case .object(let reference) = value, reference.isUnresolved { return nil }
    return keys.contains(key)
  }

  private static func family(of value: Value) -> Family? {
    switch value {
    case .bool, .int, .double: .number
    case .string: .string
    case .uuid: .uuid
    case .object: .object
    case .date: .date
    default: nil
    }
  }

  private static func key(of value: Value, _ folding: TextFolding) -> Key? {
    switch value {
    case .bool(let value): return .integer(value ? 1 : 0)
    case .int(let value): return .integer(value)
    case .double(let value):
      if value.isNaN { return nil }
      return Int64(exactly: value).map(Key.integer) ?? .double(value.bitPattern)
    case .string(var value):
      return value.withUTF8 { text in folding.withKey(of: text) { .bytes(Array($0)) } }
    case .uuid(let value): return .uuid(value)
    case .object(let value): return .object(value)
    case .date(let value): return .date(value.timeIntervalSinceReferenceDate)
    default: return nil
    }
  }
}
