import GraphStoreModel

/// Storage of an entity in tables.
///
/// Alive as long as its schema is; never changes once the schema is made.
package final class SQLEntity: @unchecked Sendable {
  /// The entity.
  package let entity: EntityDescription
  /// The number that identifies its rows: `Z_ENT`; 0 for an entity that can have no rows in the store.
  package let number: Int
  /// The number used in names: its own, else the least below it; 0 where the store has nothing of the entity.
  @safe @exclusivity(unchecked) package var namingNumber = 0
  @safe @exclusivity(unchecked) package unowned var tableReference: SQLTable?
  /// The numbers of the entity and of all entities below it, ascending.
  @safe @exclusivity(unchecked) package var familyNumbers: [Int] = []
  /// The storage of each property, by the property's number.
  @safe @exclusivity(unchecked) package var storage: [SQLPropertyStorage] = []
  /// Whether the table holds rows of other entities too.
  @safe @exclusivity(unchecked) package var sharesTable = false
  @safe @exclusivity(unchecked) package var ownAndInheritedColumns: [SQLColumn] = []
  @safe @exclusivity(unchecked) package var familyColumns: [SQLColumn] = []

  package init(entity: EntityDescription, number: Int) {
    self.entity = entity
    self.number = number
  }

  /// Whether rows of it or of an entity below it can be in the store.
  package var isHeld: Bool { namingNumber > 0 }

  /// The table that holds its rows.
  package var table: SQLTable { tableReference! }

  /// The columns that rows of this entity use, in the order of the table.
  ///
  /// - Parameter includingSubentities: Whether columns are listed that only entities below it use.
  package func columns(includingSubentities: Bool) -> [SQLColumn] {
    includingSubentities ? familyColumns : ownAndInheritedColumns
  }

  /// The column of a composite attribute's element, by the attribute and the elements on the way; nil where
  /// it has none.
  package func column(ofElement path: [AttributeDescription]) -> SQLColumn? {
    table.columns.first {
      !$0.elements.isEmpty && $0.property === path.first
        && $0.elements.elementsEqual(path.dropFirst(), by: ===)
    }
  }

  /// The columns of a uniqueness constraint; nil where the store has no column for one of its properties.
  package func columns(ofConstraint properties: [PropertyDescription]) -> [SQLColumn]? {
    let columns = properties.compactMap { property -> SQLColumn? in
      switch storage(of: property) {
      case .attribute(let column), .toOne(let column, _, _): column
      case .none, .toManyInverse, .joinTable: nil
      }
    }
    return columns.count == properties.count ? columns : nil
  }

  /// The storage of a property; `.none` for one of another entity.
  package func storage(of property: PropertyDescription) -> SQLPropertyStorage {
    guard entity.properties.indices.contains(property.number), entity.properties[property.number] === property
    else { return .none }
    return storage[property.number]
  }
}

/// The numbers that entities get in a new store.
package enum SQLEntityNumbers {
  /// Numbers by ``EntityDescription/index``: from 1, depth first, roots and sub-entities each by name without
  /// regard to case (STO-227); 0 for entities that the store does not hold.
  package static func numbers(of stored: StoredEntities) -> [Int] {
    let model = stored.model
    var numbers = Array(repeating: 0, count: model.entities.count)
    var next = 1
    // A list of its own instead of recursion: how deep entities nest is up to the model.
    var pending = Array(sorted(model.entities.filter { $0.superentity == nil }).reversed())
    while let entity = pending.popLast() {
      if stored.contains(entity) {
        numbers[entity.index] = next
        next += 1
      }
      pending += sorted(entity.subentities).reversed()
    }
    return numbers
  }

  private static func sorted(_ entities: [EntityDescription]) -> [EntityDescription] {
    entities.map { ($0.name.lowercased(), $0) }
      .sorted { $0.0 == $1.0 ? SQLName.precedes($0.1.name, $1.1.name) : SQLName.precedes($0.0, $1.0) }
      .map(\.1)
  }
}

/// The columns of a to-many relationship without inverse, which are in the table of its members (STO-255).
package struct SQLOwnerColumns: Sendable {
  /// The relationship.
  package let relationship: RelationshipDescription
  /// The entity that declares the relationship.
  package let owner: SQLEntity
  /// The column of the owner's key.
  package let key: SQLColumn
  /// The column of the member's place, if the relationship is ordered.
  package let order: SQLColumn?

  /// The columns that are empty in a row that is no member.
  package var columns: [SQLColumn] { [key, order].compactMap(\.self) }
}

/// Storage of a property of an entity.
package enum SQLPropertyStorage: Sendable {
  /// Nowhere: transient and fetched properties, and kinds of attribute that no table can hold yet.
  case none
  /// In a column.
  case attribute(SQLColumn)
  /// In a column with the destination's key, in another with the number of its entity if the destination has
  /// sub-entities, and, if the inverse is an ordered to-many, in a third with the place among its members.
  case toOne(key: SQLColumn, entity: SQLColumn?, order: SQLColumn?)
  /// In the destination's table, in the columns of the inverse to-one, or of its own where it has no inverse.
  case toManyInverse(foreignKey: SQLColumn, order: SQLColumn?)
  /// In a table of pairs of keys: the columns' names of the owner's key, the member's key, and the member's
  /// place.
  case joinTable(SQLJoinTable, source: String, destination: String, order: String?)
}
