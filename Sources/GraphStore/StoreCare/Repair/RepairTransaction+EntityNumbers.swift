import GraphStoreModel
import GraphStoreSQLite

extension RepairTransaction {
  /// Mends the list of entities where those that are there have the numbers of a new store: then each name is
  /// known to be that of its number, and the rest follows.
  mutating func mendEntityNumbers() throws {
    let recorded = try SQLiteLayout.readEntityNumbers(connection)
    let numbers = SQLEntityNumbers.numbers(of: schema.stored)
    let expected = schema.numberedEntities.map { ($0, numbers[$0.entity.index]) }
    guard expected.allSatisfy({ entity, number in (recorded[entity.entity.name] ?? number) == number }),
      expected.allSatisfy({ entity, number in entity.number == number }),
      try hasOneNumberEach()
    else { return }
    for (entity, number) in expected {
      let parent = schema.parentNumber(of: entity)
      if recorded[entity.entity.name] == nil {
        try insert(entity, parent: parent)
      } else {
        try mendParent(of: entity, number: number, parent: parent)
      }
    }
  }

  private func hasOneNumberEach() throws -> Bool {
    let numbers = "FROM Z_PRIMARYKEY WHERE Z_ENT < \(SQLiteLayout.firstOwnNumber)"
    return try connection.int64("SELECT count(*) = count(DISTINCT Z_NAME) \(numbers)") == 1
  }

  /// The counter begins at 0, from where it is brought to the greatest key with the others.
  private mutating func insert(_ entity: SQLEntity, parent: Int) throws {
    try attempt { repair in
      try repair.connection.withStatement("INSERT INTO Z_PRIMARYKEY VALUES (?1, ?2, ?3, 0)") { statement in
        try statement.bind(Int64(entity.number), at: 1)
        try statement.bind(entity.entity.name, at: 2)
        try statement.bind(Int64(parent), at: 3)
        try statement.run()
      }
      repair.note("entity numbers", entity.entity.name, count: 1, "record the number \(entity.number)")
    }
  }

  private mutating func mendParent(of entity: SQLEntity, number: Int, parent: Int) throws {
    try connection.execute(
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = \(parent) WHERE Z_ENT = \(number) AND Z_SUPER IS NOT \(parent)")
    note(
      "entity numbers", entity.entity.name, count: connection.changes,
      "record the parent's number \(parent)")
  }

  /// Whether it is certain which entity a number in a row identifies. Numbers of entities that the model does
  /// not have do not matter.
  func hasCertainNumbers() throws -> Bool {
    try inspector.entityNumbers("").allSatisfy { finding in
      finding.damage == .unknownEntity && schema.model.entitiesByName[finding.subject] == nil
    }
  }
}
