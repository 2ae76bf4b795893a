import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Entity numbers of Core Data's own entities")
struct HistoryNumberTests {
  private static let model = ModelDefinition(entities: [
    EntityDefinition("CHANGE", attributes: [AttributeDefinition("name", .string)]),
    EntityDefinition("TRANSACTION", attributes: [AttributeDefinition("name", .string)]),
  ])

  @Test("STO-229: numbers from 16001 up are the history's, also where the model has entities of those names")
  func sameNames() throws {
    let stack = try TestStack(Self.model)
    for entity in ["CHANGE", "TRANSACTION"] { try stack.context.insert(entity, ["name": "first"]) }
    try stack.context.save()
    let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
    #expect(try raw.int64("SELECT max(Z_ENT) FROM Z_PRIMARYKEY") == 2)
    try raw.execute(
      """
      INSERT INTO Z_PRIMARYKEY VALUES
        (16001, 'CHANGE', 0, 9), (16002, 'TRANSACTION', 0, 9), (16003, 'TRANSACTIONSTRING', 0, 9)
      """)
    raw.close()
    let context = try stack.otherProcess()
    for (number, entity) in ["CHANGE", "TRANSACTION"].enumerated() {
      #expect(try context.all(entity).map { try $0.string("name") } == ["first"])
      try context.insert(entity, ["name": "second"])
      try context.save()
      let connection = try SQLiteConnection(path: stack.path, mode: .readOnly)
      #expect(try connection.int64("SELECT count(*) FROM Z\(entity) WHERE Z_ENT = \(number + 1)") == 2)
      #expect(try connection.int64("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(16001 + number)") == 9)
      connection.close()
    }
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [])
  }

  @Test("STO-229: entities of the mirroring to CloudKit are not the model's; the store opens, and keeps them")
  func mirroring() throws {
    let stack = try TestStack(Self.model)
    try stack.context.insert("CHANGE", ["name": "first"])
    try stack.context.save()
    let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
    try raw.execute(
      """
      CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (17001, 'NSCKEvent', 0, 4)
      """)
    raw.close()
    let context = try stack.otherProcess()
    try context.insert("CHANGE", ["name": "second"])
    try context.save()
    #expect(try context.all("CHANGE").count == 2)
    let connection = try SQLiteConnection(path: stack.path, mode: .readOnly)
    #expect(try connection.int64("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 17001") == 4)
    connection.close()
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [])
  }
}
