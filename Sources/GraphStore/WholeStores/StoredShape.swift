import GraphStoreModel

/// Shape of the objects of an entity as a whole store is read and written: the columns that say everything of
/// an object, each thing once.
///
/// They are its attributes, derived ones and the elements of composite ones among them, its to-one
/// relationships, and those to-many relationships that no other end tells of, or that have an order.
package final class StoredShape: Sendable {
  /// One column of an object.
  package struct Column: Sendable {
    /// What the value of a column is.
    package enum Content: Sendable {
      case attribute(AttributeDescription)
      case toOne(RelationshipDescription)
      case toMany(RelationshipDescription)
    }

    /// The key path: of an element of a composite attribute with the attribute's name.
    package let name: String
    package let content: Content
    /// Where the value lies in a row; of a to-many, its own layout.
    let property: PropertyLayout
    /// The relationship of the column, if it has one.
    let relationship: RelationshipLayout?
  }

  /// Where the value of a column lies, without anything that counts references.
  struct Place: Sendable {
    let kind: SlotKind
    /// The slot in a row; -1 for a to-many.
    let slot: Int
  }

  let layout: EntityLayout
  /// By column.
  let places: [Place]
  /// The columns, in the order of the entity's properties.
  package let columns: [Column]
  /// The to-many relationships among the columns, in their order.
  let toMany: [RelationshipLayout]
  /// The stored attributes that objects do not hold.
  package let unheld: [AttributeDescription]
  /// By name, the position of the column.
  private let positions: [String: Int]

  /// The entity.
  package var entity: EntityDescription { layout.entity }

  init(_ layout: EntityLayout) {
    self.layout = layout
    columns = layout.properties.flatMap { Self.columns(of: $0, in: layout) }
    places = columns.map { Place(kind: $0.property.kind, slot: $0.property.slot) }
    toMany = columns.compactMap { if case .toMany = $0.content { $0.relationship } else { nil } }
    unheld = layout.properties.filter { $0.kind == .none || $0.kind == .undefined }
      .compactMap(\.attribute).filter { !$0.isTransient }
    positions = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The position of a column; nil for a name that is none.
  package func column(named name: String) -> Int? { positions[name] }

  private static func columns(of property: PropertyLayout, in layout: EntityLayout) -> [Column] {
    guard property.isPersistent else { return [] }
    if property.relationship >= 0 {
      let relationship = layout.relationships[property.relationship]
      guard isTold(relationship) else { return [] }
      let description = relationship.description
      return [
        Column(
          name: property.name, content: relationship.isToMany ? .toMany(description) : .toOne(description),
          property: property, relationship: relationship)
      ]
    }
    return property.leaves.compactMap { leaf in
      leaf.attribute.map {
        Column(name: leaf.name, content: .attribute($0), property: leaf, relationship: nil)
      }
    }
  }

  /// Whether the members of a to-many are told by their owner: its links are told by no other end, or it has
  /// an order.
  private static func isTold(_ relationship: RelationshipLayout) -> Bool {
    guard relationship.isToMany, !relationship.isOrdered else { return true }
    return relationship.description.isStoredHere && relationship.inverseDescription?.isOrdered != true
  }

  /// Whether the links of a to-many with a table of its own are written by its owner, and not by the other
  /// end, which is told too.
  static func linksAreWritten(of relationship: RelationshipLayout) -> Bool {
    guard let inverse = relationship.inverseDescription, relationship.isOrdered, inverse.isOrdered else {
      return true
    }
    return relationship.description.isStoredHere || relationship.description === inverse
  }
}
