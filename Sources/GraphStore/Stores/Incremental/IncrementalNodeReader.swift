import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Reader of the nodes that an incremental store gives: it checks them against the model, and makes rows of
/// them.
struct IncrementalNodeReader: ~Copyable {
  private let store: IncrementalPersistentStore
  private var blocks = OpenRowBlocks()

  init(_ store: IncrementalPersistentStore) { self.store = store }

  /// The key and row of a node.
  ///
  /// - Throws: `store-corrupt` for a node that is none of the model's.
  mutating func read(_ node: IncrementalStoreNode) throws -> (key: Int64, row: Row) {
    let record = try store.record(node.identifier)
    let layout = store.layout.entities[record.entity]
    guard !layout.entity.isAbstract, store.entities.contains(layout.entity) else {
      throw store.faulty(record, "is of an entity of which the store holds no objects")
    }
    guard StoredKey.versions.contains(node.version) else {
      throw store.faulty(record, "has the version \(node.version), which no number of changes reaches")
    }
    let block = blocks.roomyBlock(layout)
    let row = Row(block: block, index: block.appendRow(version: node.version))
    for (name, value) in node.values where !value.isNull {
      guard let property = layout.property(named: name), property.attribute != nil else {
        throw store.faulty(record, "has a value for \"\(name)\", which is no attribute", property: name)
      }
      try set(value, of: property, in: row, record)
    }
    for (name, destination) in node.destinations {
      guard let property = layout.property(named: name), property.kind == .toOne, property.isPersistent
      else {
        throw store.faulty(
          record, "has a destination for \"\(name)\", which is no to-one relationship", property: name)
      }
      try refer(row, by: property, to: destination, record)
    }
    try checkIsWhole(row, record)
    return (record.key, row)
  }

  private func checkIsWhole(_ row: Row, _ record: ObjectKey) throws {
    for property in row.layout.properties
    where !property.isOptional && property.isPersistent && !property.isDerived && property.isInRow
      && property.attribute != nil && !row.hasValue(of: property)
    {
      throw store.faulty(
        record, "has no value for \(property.name), which is not optional", property: property.name)
    }
  }

  private func refer(
    _ row: Row, by property: PropertyLayout, to destination: NodeIdentifier, _ record: ObjectKey
  ) throws {
    let relationship = row.layout.relationships[property.relationship]
    let target = try store.record(destination)
    guard relationship.leads(to: store.layout.entities[target.entity]) else {
      throw store.faulty(
        record, "refers by \(property.name) to \(destination), to whose entity it does not lead",
        property: property.name)
    }
    row.block.setWord(
      row.index, property.slot, PackedReference(entity: target.entity, key: target.key).bits)
  }

  // MARK: Values

  private func set(_ value: Value, of property: PropertyLayout, in row: Row, _ record: ObjectKey) throws {
    if property.kind == .composite, case .dictionary(let members) = value {
      for (name, member) in members where !member.isNull {
        guard let element = property.elements.first(where: { $0.key == name }) else {
          throw store.faulty(
            record, "has a value for \"\(property.name).\(name)\", which is no element",
            property: property.name)
        }
        try set(member, of: element, in: row, record)
      }
      return
    }
    guard property.isPersistent, property.slot >= 0 else {
      throw store.faulty(
        record, "has a value for \(property.name), which no store keeps", property: property.name)
    }
    guard let value = Self.value(value, property.kind) else {
      throw store.faulty(
        record, "has a value for \(property.name) that is none of its type: \(value)",
        property: property.name, value: value)
    }
    row.block.setValue(value, of: property, inRow: row.index)
  }

  /// The value as a slot holds it; nil for one of another type.
  private static func value(_ value: Value, _ kind: SlotKind) -> Value? {
    switch (kind, value) {
    case (.int16, .int(let number)), (.int32, .int(let number)), (.int64, .int(let number)):
      kind.holds(number) ? value : nil
    case (.boolean, .bool): value
    case (.boolean, .int(let number)): kind.holds(number) ? .bool(number == 1) : nil
    case (.double, .double(let number)): kind.holds(number) ? value : nil
    case (.double, .int(let number)): Int64(exactly: Double(number)) == number ? .double(Double(number)) : nil
    case (.float, .double(let number)): number.isNaN ? nil : .double(Double(Float(number)))
    case (.float, .int(let number)): .double(Double(Float(number)))
    case (.decimal, .decimal(let number)): number.isFinite && number.fitsStore ? value : nil
    case (.decimal, .int(let number)): .decimal(Decimal(number))
    case (.date, .date(let date)): kind.holds(date.timeIntervalSinceReferenceDate) ? value : nil
    case (.string, .string), (.uri, .uri), (.uuid, .uuid): value
    case (.binary, .data), (.transformable, .data), (.external, .data): value
    default: nil
    }
  }
}
