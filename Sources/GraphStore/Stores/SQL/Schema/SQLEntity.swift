import GraphStoreModel

/// An entity as it lies in tables.
///
/// Alive as long as its schema is; never changes once the schema is made.
final class SQLEntity: @unchecked Sendable {
  /// The entity.
  let entity: EntityDescription
  /// The number that tells its rows: `Z_ENT`; 0 for an entity that can have no rows in the store.
  let number: Int
  /// The number that stands in names: its own, else the least below it; 0 where the store has nothing of the entity.
  @safe @exclusivity(unchecked) var namingNumber = 0
  @safe @exclusivity(unchecked) unowned var tableReference: SQLTable?
  /// The numbers of the entity and of all entities below it, ascending.
  @safe @exclusivity(unchecked) var familyNumbers: [Int] = []
  /// Where each property lies, by the property's number.
  @safe @exclusivity(unchecked) var storage: [SQLPropertyStorage] = []
  /// Whether the table holds rows of other entities too.
  @safe @exclusivity(unchecked) var sharesTable = false
  @safe @exclusivity(unchecked) var ownAndInheritedColumns: [SQLColumn] = []
  @safe @exclusivity(unchecked) var familyColumns: [SQLColumn] = []

  init(entity: EntityDescription, number: Int) {
    self.entity = entity
    self.number = number
  }

  /// Whether rows of it or of an entity below it can be in the store.
  var isHeld: Bool { namingNumber > 0 }

  /// The table that holds its rows.
  var table: SQLTable { tableReference! }

  /// The columns that rows of this entity use, in the order of the table.
  ///
  /// - Parameter includingSubentities: Whether columns are listed that only entities below it use.
  func columns(includingSubentities: Bool) -> [SQLColumn] {
    includingSubentities ? familyColumns : ownAndInheritedColumns
  }

  /// The column of a composite attribute's element, by the attribute and the elements on the way; nil where it has none.
  func column(ofElement path: [AttributeDescription]) -> SQLColumn? {
    table.columns.first {
      !$0.elements.isEmpty && $0.property === path.first
        && $0.elements.elementsEqual(path.dropFirst(), by: ===)
    }
  }

  /// The columns of a uniqueness constraint; nil where the store has no place for one of its properties.
  func columns(ofConstraint properties: [PropertyDescription]) -> [SQLColumn]? {
    let columns = properties.compactMap { property -> SQLColumn? in
      switch storage(of: property) {
      case .attribute(let column), .toOne(let column, _, _): column
      case .none, .toManyInverse, .joinTable: nil
      }
    }
    return columns.count == properties.count ? columns : nil
  }

  /// Where a property lies; `.none` for one of another entity.
  func storage(of property: PropertyDescription) -> SQLPropertyStorage {
    guard entity.properties.indices.contains(property.number), entity.properties[property.number] === property
    else { return .none }
    return storage[property.number]
  }
}
