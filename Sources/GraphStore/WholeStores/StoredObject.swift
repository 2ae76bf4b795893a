import Foundation
import GraphStoreModel

/// Object of a store that is read as a whole; good until the next one is handed over.
package struct StoredObject {
  package let shape: StoredShape
  /// The number of its identifier.
  package let key: Int64
  let row: Row
  /// By position among the told to-many relationships of the shape: the members.
  let members: [ArraySlice<LinkRow>]
  /// The names of the model's entities, by position.
  let names: [String]

  /// The name of its entity.
  package var entityName: String { names[shape.layout.index] }

  /// The identifier as people write it.
  package var name: String { "\(entityName)/p\(key)" }

  /// Makes sure that a column's value is one that its attribute can have: other programs write numbers and
  /// bytes of any width into a file.
  ///
  /// - Throws: `store-corrupt` with object and property.
  package func checkWidth(_ column: Int) throws {
    let place = shape.places[column]
    guard [.int16, .int32, .uuid].contains(place.kind), !row.block.isNull(row.index, place.slot) else {
      return
    }
    let what: String
    switch place.kind {
    case .uuid:
      let count = unsafe row.block.bytes(row.index, place.slot).count
      guard count != 16 else { return }
      what = "\(count) bytes, and a UUID has 16"
    default:
      let number = Int64(bitPattern: row.block.word(row.index, place.slot))
      guard !place.kind.holds(number) else { return }
      what = "\(number), which is none of \(place.kind.nameInXML)"
    }
    let property = shape.columns[column].name
    throw GraphStoreError(
      .storeCorrupt, "\(name).\(property) is \(what): another program has written it.",
      remedy: "Give it another value, or set it to nil by a repair that clears \(entityName).\(property).",
      entity: entityName, property: property)
  }

  /// Shows the value of a column.
  ///
  /// - Throws: `external-data-missing`, `store-corrupt` for data that cannot be read.
  package func visit(_ column: Int, _ visitor: inout some FieldVisitor) throws {
    let place = shape.places[column]
    if place.kind == .toMany { return showMembers(of: shape.columns[column], &visitor) }
    let (block, slot, index) = (row.block, place.slot, row.index)
    if block.isNull(index, slot) { return visitor.null() }
    switch place.kind {
    case .int16, .int32, .int64: visitor.integer(Int64(bitPattern: block.word(index, slot)))
    case .boolean: visitor.boolean(block.word(index, slot) != 0)
    case .double: visitor.double(Double(bitPattern: block.word(index, slot)), isSingle: false)
    case .float: visitor.double(Double(bitPattern: block.word(index, slot)), isSingle: true)
    case .date: visitor.date(Double(bitPattern: block.word(index, slot)))
    case .string: unsafe visitor.text(block.bytes(index, slot))
    case .uri: unsafe visitor.uri(block.bytes(index, slot))
    case .uuid: unsafe visitor.uuid(block.bytes(index, slot))
    case .binary, .transformable: unsafe visitor.data(block.bytes(index, slot))
    case .external: try showExternalData(of: shape.columns[column].property, &visitor)
    case .decimal: showDecimal(block.word(index, slot), &visitor)
    case .toOne: show(PackedReference(bits: block.word(index, slot)), &visitor)
    case .toMany, .none, .composite, .undefined: visitor.null()
    }
  }

  private func show(_ reference: PackedReference, _ visitor: inout some FieldVisitor) {
    visitor.reference(names[reference.entity], reference.key)
  }

  private func showMembers(of column: StoredShape.Column, _ visitor: inout some FieldVisitor) {
    visitor.beginList()
    for link in members(of: column) { visitor.reference(names[link.member.entity], link.member.key) }
    visitor.endList()
  }

  /// The members of a to-many, in their order, else by key.
  func members(of column: StoredShape.Column) -> ArraySlice<LinkRow> {
    guard let place = shape.toMany.firstIndex(where: { $0 === column.relationship }) else { return [] }
    return members[place]
  }

  private func showDecimal(_ word: UInt64, _ visitor: inout some FieldVisitor) {
    if let whole = row.block.decimalWhole(word) { return visitor.decimal(whole: whole) }
    if let double = row.block.decimalDouble(word) { return visitor.decimal(double: double) }
    visitor.decimal(row.block.decimal(word))
  }

  private func showExternalData(
    of property: PropertyLayout, _ visitor: inout some FieldVisitor
  ) throws {
    if case .inline(let bytes)? = unsafe ExternalColumn(row.block.bytes(row.index, property.slot)) {
      return unsafe visitor.data(bytes)
    }
    let data = try row.externalData(of: property)
    unsafe data.withUnsafeBytes { unsafe visitor.data($0.bindMemory(to: UInt8.self)) }
  }
}
