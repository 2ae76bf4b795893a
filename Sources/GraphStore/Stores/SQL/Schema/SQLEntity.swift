import GraphStoreModel

/// An entity as it lies in tables.
///
/// Alive as long as its schema is; never changes once the schema is made.
final class SQLEntity: @unchecked Sendable {
  /// The entity.
  let entity: EntityDescription
  /// The number that tells its rows: `Z_ENT`.
  let number: Int
  @exclusivity(unchecked) unowned var tableReference: SQLTable?
  /// The numbers of the entity and of all entities below it, ascending.
  @exclusivity(unchecked) var familyNumbers: [Int] = []
  /// Where each property lies, by the property's number.
  @exclusivity(unchecked) var storage: [SQLPropertyStorage] = []
  /// Whether the table holds rows of other entities too.
  @exclusivity(unchecked) var sharesTable = false
  @exclusivity(unchecked) var ownAndInheritedColumns: [SQLColumn] = []
  @exclusivity(unchecked) var familyColumns: [SQLColumn] = []

  init(entity: EntityDescription, number: Int) {
    self.entity = entity
    self.number = number
  }

  /// The table that holds its rows.
  var table: SQLTable { tableReference! }

  /// The columns that rows of this entity use, in the order of the table.
  ///
  /// - Parameter includingSubentities: Whether columns are listed that only entities below it use.
  func columns(includingSubentities: Bool) -> [SQLColumn] {
    includingSubentities ? familyColumns : ownAndInheritedColumns
  }

  /// Where a property lies; `.none` for one of another entity.
  func storage(of property: PropertyDescription) -> SQLPropertyStorage {
    guard entity.properties.indices.contains(property.number), entity.properties[property.number] === property
    else { return .none }
    return storage[property.number]
  }
}
