import GraphStorePredicates

/// A value that two writers have changed: what each of them made of it, and what it was before.
///
/// The values are texts as they are exported; nil is a missing value.
package struct ConflictingValue: Sendable {
  /// The object, by its short form.
  package let object: String
  /// The property; nil where the other writer has deleted the record.
  package let property: String?
  /// What was to be saved.
  package let mine: String?
  /// What is stored.
  package let theirs: String?
  /// What was stored when the object was read.
  package let base: String?

  /// The conflict of a record that is gone.
  init(deleted object: ManagedObjectID) {
    self.object = object.shortForm
    property = nil
    mine = nil
    theirs = nil
    base = nil
  }

  /// The conflict of one property of a record.
  init(_ object: ManagedObjectID, _ property: PropertyLayout, mine: Row?, theirs: Row, base: Row) {
    self.object = object.shortForm
    self.property = property.name
    self.base = Self.text(property, base)
    self.mine = mine.map { Self.text(property, $0) } ?? self.base
    self.theirs = Self.text(property, theirs)
  }

  private static func text(_ property: PropertyLayout, _ row: Row) -> String? {
    if property.kind == .toOne { return row.reference(property.slot) == nil ? nil : row.text(of: property) }
    if property.kind == .external {
      return row.block.isNull(row.index, property.slot) ? nil : row.text(of: property)
    }
    guard case .string(let text)? = (try? row.value(of: property))?.cast(to: .string) else { return nil }
    return text
  }
}
