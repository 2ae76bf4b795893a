import Foundation

/// Encoder of typed values to records: each key is a property, with the value in its Swift form.
///
/// Dates, decimals, data, UUIDs, URLs and identifiers stay what they are; enums of texts and numbers become
/// these, nested values dictionaries, collections lists.
final class RecordEncoder: Encoder {
  /// Place that one value is encoded to.
  fileprivate final class Slot {
    var value: (any Sendable)?
    var members: [String: Slot]?
    var list: [Slot]?

    /// What was encoded.
    var content: (any Sendable)? {
      if let members { return members.mapValues(\.content) }
      if let list { return list.compactMap(\.content) }
      return value
    }

    func member(_ key: String) -> Slot {
      let slot = Slot()
      if members?.updateValue(slot, forKey: key) == nil, members == nil { members = [key: slot] }
      return slot
    }

    func append() -> Slot {
      let slot = Slot()
      list = (list ?? []) + [slot]
      return slot
    }
  }

  /// The record of a value.
  ///
  /// - Throws: what encoding throws; `invalid-request` for a value that has no keys.
  static func record(of value: some Encodable, _ entityName: String) throws -> ImportRecord {
    let slot = Slot()
    try value.encode(to: RecordEncoder(slot, []))
    if let members = slot.members { return members.mapValues(\.content) }
    throw GraphStoreError(
      .invalidRequest, "A value of type \(type(of: value)) is no record: it encodes no keys.",
      remedy: "Encode structures whose keys are the properties of \(entityName).", entity: entityName)
  }

  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let slot: Slot

  private init(_ slot: Slot, _ path: [any CodingKey]) {
    self.slot = slot
    codingPath = path
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.members = slot.members ?? [:]
    return KeyedEncodingContainer(Keyed<Key>(slot: slot, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.list = slot.list ?? []
    return Unkeyed(slot: slot, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(slot: slot, codingPath: codingPath)
  }

  fileprivate static func encode<Element: Encodable>(
    _ value: Element, to slot: Slot, _ path: [any CodingKey]
  ) throws {
    switch value {
    case let value as Date: slot.value = value
    case let value as Decimal: slot.value = value
    case let value as Data: slot.value = value
    case let value as UUID: slot.value = value
    case let value as URL: slot.value = value
    default: try value.encode(to: RecordEncoder(slot, path))
    }
  }

  // MARK: Containers

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: Slot
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { _ = slot.member(key.stringValue) }
    func encode<Element: Encodable>(_ value: Element, forKey key: Key) throws {
      try RecordEncoder.encode(value, to: slot.member(key.stringValue), codingPath + [key])
    }
    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      superEncoder(forKey: key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      superEncoder(forKey: key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { RecordEncoder(slot.member("super"), codingPath) }
    func superEncoder(forKey key: Key) -> any Encoder {
      RecordEncoder(slot.member(key.stringValue), codingPath + [key])
    }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let slot: Slot
    let codingPath: [any CodingKey]

    var count: Int { slot.list?.count ?? 0 }
    func encodeNil() { _ = slot.append() }
    func encode<Element: Encodable>(_ value: Element) throws {
      try RecordEncoder.encode(value, to: slot.append(), codingPath)
    }
    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
      superEncoder().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { superEncoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { RecordEncoder(slot.append(), codingPath) }
  }

  private struct Single: SingleValueEncodingContainer {
    let slot: Slot
    let codingPath: [any CodingKey]

    func encodeNil() { slot.value = nil }
    func encode(_ value: Bool) { slot.value = value }
    func encode(_ value: String) { slot.value = value }
    func encode(_ value: Double) { slot.value = value }
    func encode(_ value: Float) { slot.value = value }
    func encode(_ value: Int) { slot.value = value }
    func encode(_ value: Int8) { slot.value = value }
    func encode(_ value: Int16) { slot.value = value }
    func encode(_ value: Int32) { slot.value = value }
    func encode(_ value: Int64) { slot.value = value }
    func encode(_ value: UInt) { slot.value = value }
    func encode(_ value: UInt8) { slot.value = value }
    func encode(_ value: UInt16) { slot.value = value }
    func encode(_ value: UInt32) { slot.value = value }
    func encode(_ value: UInt64) { slot.value = value }
    func encode<Element: Encodable>(_ value: Element) throws {
      try RecordEncoder.encode(value, to: slot, codingPath)
    }
  }
}
