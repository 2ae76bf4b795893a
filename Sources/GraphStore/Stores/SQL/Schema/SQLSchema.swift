import GraphStoreModel

/// How a model lies in tables: names, numbers and order, without any connection.
///
/// The layout is Core Data's: a table for each root entity, in which the entities below it have their columns too,
/// and a table of pairs for each many-to-many relationship. Made once for an open store; any thread may use it.
final class SQLSchema: Sendable {
  /// The model.
  let model: ManagedObjectModel
  /// The entities, by ``EntityDescription/index``.
  let entities: [SQLEntity]
  /// The tables of root entities, in the order of the entities' numbers.
  let tables: [SQLTable]
  /// The tables of pairs, in the order of their owners' numbers and relationships' names.
  let joinTables: [SQLJoinTable]
  private let entitiesByNumber: [Int: SQLEntity]

  /// The layout of a new store.
  convenience init(model: ManagedObjectModel) {
    self.init(
      SQLSchemaBuilder(model: model, numbers: SQLEntityNumbers.numbers(of: model), existingTables: []))
  }

  /// The layout of a store that exists, with the numbers it gave to its entities.
  ///
  /// - Parameters:
  ///   - entityNumbers: The numbers by the entities' names, as `Z_PRIMARYKEY` has them (STO-281).
  ///   - existingTables: The names of its tables, which decide where two names are possible (STO-253).
  /// - Throws: `store-corrupt` if an entity has no number.
  convenience init(
    model: ManagedObjectModel, entityNumbers: [String: Int], existingTables: Set<String>
  ) throws {
    var numbers: [Int] = []
    for entity in model.entities {
      guard let number = entityNumbers[entity.name] else {
        throw GraphStoreError(
          .storeCorrupt, "The store's list of entities lacks \(entity.name), which its model has.",
          remedy: "Restore the store from a backup.", entity: entity.name)
      }
      numbers.append(number)
    }
    self.init(SQLSchemaBuilder(model: model, numbers: numbers, existingTables: existingTables))
  }

  private init(_ builder: consuming SQLSchemaBuilder) {
    var builder = builder
    builder.build()
    model = builder.model
    entities = builder.entities
    tables = builder.tables
    joinTables = builder.joinTables
    entitiesByNumber = Dictionary(
      builder.entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entity of a number, nil if there is none.
  func entity(numbered number: Int) -> SQLEntity? { entitiesByNumber[number] }

  /// The entity as it lies in tables.
  func entity(_ entity: EntityDescription) -> SQLEntity { entities[entity.index] }

  /// The entities in the order of their numbers.
  var entitiesInOrder: [SQLEntity] { entities.sorted { $0.number < $1.number } }
}
