import GraphStoreModel

/// A column of an entity's table, after the three that every table has.
///
/// Alive as long as its schema is; never changes once the schema is made.
package final class SQLColumn: @unchecked Sendable {
  /// Kind of a column's content.
  package enum Kind: String, Hashable, Sendable {
    /// A whole number.
    case integer
    /// 0 or 1; any other whole number counts as true.
    case boolean
    /// A number of single precision.
    case float
    /// A number of double precision.
    case double
    /// A decimal, in a form that the dialect chooses.
    case decimal
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date
    /// Text.
    case string
    /// The text of a URL.
    case uri
    /// 16 bytes.
    case uuid
    /// Bytes that a value transformer made.
    case transformable
    /// Bytes.
    case binary
    /// The key of a to-one relationship's destination.
    case toOneKey
    /// The number of the entity of a to-one relationship's destination.
    case toOneEntity
    /// The place of the row among the members of an ordered relationship.
    case orderKey
    /// The key of the object that has the row among the members of a to-many relationship without inverse.
    case ownerKey
  }

  /// The name.
  package let name: String
  /// The kind of its content.
  package let kind: Kind
  /// The attribute, the to-one relationship, or, for an order key, the to-one relationship whose inverse is
  /// ordered; for columns of owners the to-many relationship that leads to the rows.
  package let property: PropertyDescription
  /// For a column of a composite attribute's element: the elements on the way to it, itself last; else empty.
  package let elements: [AttributeDescription]
  /// Whether it references the owner whose members the rows are, which no property of theirs does (STO-255).
  package let isOfOwner: Bool
  /// The entity that declares the property; for columns of owners the one that the relationship leads to.
  package unowned let entity: SQLEntity
  /// The table.
  package unowned let table: SQLTable
  /// The position in the table's ``SQLTable/columns``.
  @safe @exclusivity(unchecked) package var index = 0

  package init(
    name: String, kind: Kind, property: PropertyDescription, elements: [AttributeDescription] = [],
    entity: SQLEntity, table: SQLTable
  ) {
    self.name = name
    self.kind = kind
    self.property = property
    self.elements = elements
    isOfOwner = (property as? RelationshipDescription)?.isToMany == true
    self.entity = entity
    self.table = table
  }

  /// The attribute or element whose values it holds; nil for a column of a relationship.
  package var attribute: AttributeDescription? { elements.last ?? property as? AttributeDescription }

  /// Whether its values may be stored in files beside the store.
  package var isExternal: Bool { attribute?.allowsExternalStorage == true }

  /// The name as written in a statement.
  package var quotedName: String { SQLName.quoted(name) }
}

extension EntityLayout {
  /// The leaf whose values a column holds.
  package func leaf(of column: SQLColumn) -> PropertyLayout? {
    let property = properties[column.property.number]
    guard !column.elements.isEmpty, let composite = property.attribute else { return property }
    return element(at: [composite] + column.elements)
  }
}
