import GraphStoreModel

/// Relational schema of a model: names, numbers and order, without any connection.
///
/// The tables are those of Core Data's layout, whatever their names: a table for each root entity, in which
/// the entities below it have their columns too, and a table of pairs for each many-to-many relationship.
/// Made once for an open store; any thread may use it.
package final class SQLSchema: Sendable {
  /// The model, and which of its entities are in the store.
  package let stored: StoredEntities
  /// The entities, by ``EntityDescription/index``.
  package let entities: [SQLEntity]
  /// The tables of root entities, in the order of the entities' numbers.
  package let tables: [SQLTable]
  /// The tables of pairs, in the order of their owners' numbers and relationships' names.
  package let joinTables: [SQLJoinTable]
  /// The columns of to-many relationships without inverse in the tables of their members.
  package let ownerColumns: [SQLOwnerColumns]
  /// The entities with columns in the store, in the order of their numbers, ancestors first.
  package let entitiesInOrder: [SQLEntity]
  /// The names of what is no property's.
  package let naming: any SQLNaming
  private let entitiesByNumber: [Int: SQLEntity]
  /// Kept alive for the entities that are not in the store.
  private let absentTables: [SQLTable]

  /// The layout of a new store.
  ///
  /// - Parameter paired: The to-many relationships without inverse that keep their table of pairs, in which
  ///   an object may be a member of several owners.
  package convenience init(
    _ stored: StoredEntities, keepingPairsOf paired: Set<RelationshipDescription> = [],
    naming: any SQLNaming = CoreDataNaming()
  ) {
    self.init(
      SQLSchemaBuilder(
        stored, numbers: SQLEntityNumbers.numbers(of: stored), existingTables: .none, paired: paired,
        naming: naming))
  }

  /// The layout of a new store with all entities of a model.
  package convenience init(model: ManagedObjectModel) { self.init(StoredEntities(model)) }

  /// The layout of a store that exists, with the numbers it gave to its entities.
  ///
  /// - Parameters:
  ///   - entityNumbers: The numbers by the entities' names, as `Z_PRIMARYKEY` has them (STO-281).
  ///   - existingTables: Its tables, which decide where two forms or names are possible (STO-253, STO-255,
  ///     STO-256).
  /// - Throws: `store-corrupt` if an entity has no number.
  package convenience init(
    _ stored: StoredEntities, entityNumbers: [String: Int], existingTables: ExistingTables,
    naming: any SQLNaming = CoreDataNaming()
  ) throws {
    var numbers = [Int](repeating: 0, count: stored.model.entities.count)
    for entity in stored.entities {
      guard let number = entityNumbers[entity.name], number > 0 else {
        throw GraphStoreError(
          .storeCorrupt, "The store's list of entities lacks \(entity.name), which its model has.",
          remedy: "Restore the store from a backup.", entity: entity.name)
      }
      numbers[entity.index] = number
    }
    self.init(SQLSchemaBuilder(stored, numbers: numbers, existingTables: existingTables, naming: naming))
  }

  private init(_ builder: consuming SQLSchemaBuilder) {
    var builder = builder
    builder.build()
    stored = builder.stored
    naming = builder.naming
    entities = builder.entities
    entitiesInOrder = builder.ordered
    absentTables = builder.absentTables
    tables = builder.tables
    joinTables = builder.joinTables
    ownerColumns = builder.ownerColumns
    entitiesByNumber = Dictionary(
      builder.ordered.filter { $0.number > 0 }.map { ($0.number, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The names of the columns that every entity's table has.
  package var systemColumns: SQLSystemColumns { naming.systemColumns }

  /// The names of the table that counts keys.
  package var keyCounter: SQLKeyCounter { naming.keyCounter }

  /// The model.
  package var model: ManagedObjectModel { stored.model }

  /// The entity of a number, nil if there is none.
  package func entity(numbered number: Int) -> SQLEntity? { entitiesByNumber[number] }

  /// The storage of an entity in tables.
  package func entity(_ entity: EntityDescription) -> SQLEntity { entities[entity.index] }

  /// The entities that can have rows, in the order of their numbers.
  package var numberedEntities: [SQLEntity] { entitiesInOrder.filter { $0.number > 0 } }

  /// The number of the nearest ancestor that can have rows; 0 where there is none.
  package func parentNumber(of entity: SQLEntity) -> Int {
    var ancestor = entity.entity.superentity
    while let parent = ancestor {
      if entities[parent.index].number > 0 { return entities[parent.index].number }
      ancestor = parent.superentity
    }
    return 0
  }
}

extension SQLSchema {
  /// The statements that make all tables and indexes, tables first.
  ///
  /// - Throws: `not-supported` for what cannot be said in tables and indexes yet.
  package func createStatements(_ dialect: any SQLDialect) throws -> [String] {
    createTableStatements(dialect) + (try indexes(dialect).map(dialect.createStatement))
  }

  /// The statements that make all tables.
  package func createTableStatements(_ dialect: any SQLDialect) -> [String] {
    tables.map(dialect.createStatement) + joinTables.map(dialect.createStatement)
  }
}

/// The tables of a store that exists, as far as the layout of its model depends on them.
package struct ExistingTables: Sendable {
  /// The tables of a store that is yet to be made.
  package static let none = ExistingTables(names: [])

  /// The names of all tables.
  package let names: Set<String>
  /// The columns of the tables of pairs, by the tables' names.
  package var pairColumns: [String: [String]] = [:]

  /// Whether a table of pairs has a column.
  package func havePairColumn(_ name: String) -> Bool { pairColumns.values.contains { $0.contains(name) } }
}
