import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

@Suite("Repair of a store of Core Data")
struct ForeignStoreRepairTests {
  private let model: ManagedObjectModel

  init() throws { model = try ManagedObjectModel(RepairModel.definition) }

  /// A store without what this library adds to the metadata.
  private func store(_ damage: String) throws -> RepairStore {
    let store = try RepairStore(damage)
    try store.changeMetadata { metadata in
      metadata.values = metadata.values.filter { !$0.key.hasPrefix("_GS") }
    }
    return store
  }

  @Test("Rows are mended; tables, indexes, numbers and metadata are left to its application")
  func rows() throws {
    let store = try store(
      """
      UPDATE ZPROJECT SET Z_OPT = NULL WHERE Z_PK = 1; UPDATE ZDESK SET ZDEPARTMENT = 77;
      UPDATE ZPERSON SET ZPASSPORT = NULL WHERE Z_PK = 1; UPDATE ZDEPARTMENT SET ZHEADCOUNT = 9;
      UPDATE ZPERSON SET Z_FOK_DEPARTMENT = 2048 WHERE Z_PK = 2; UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 5;
      DROP INDEX ZPERSON_ZDEPARTMENT_INDEX
      """)
    try store.changeMetadata { $0.values[StoreMetadata.Key.digest] = .string("x") }
    let (before, schema) = try (store.cells(), store.schema())
    let result = try StoreRepair(path: store.path, model: model).run()
    #expect(
      result.steps.map(\.check) == ["one-to-one", "references", "order keys", "row versions", "key counters"])
    #expect(Set(result.unrepaired.map(\.finding.damage)) == [.missingIndex, .hashDigest])
    #expect(result.unrepaired.allSatisfy { $0.reason.contains("Core Data") })
    let changed = RepairStore.difference(before, try store.cells())
    #expect(
      changed == [
        "ZPROJECT.Z_OPT#1", "ZDESK.ZDEPARTMENT#1", "ZDESK.ZDEPARTMENT#2", "ZPERSON.ZPASSPORT#1",
        "ZPERSON.Z_FOK_DEPARTMENT#2", "Z_PRIMARYKEY.Z_MAX#5",
      ])
    #expect(try store.schema() == schema)
    #expect(
      try StoreCheck.run(path: store.path, model: model).flatMap(\.findings)
        == result.unrepaired.map(\.finding))
  }

  @Test("CTX-388: a store whose history its application keeps is not changed, so that the history has no gap")
  func history() throws {
    let store = try store(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY); CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY);
      UPDATE ZPROJECT SET Z_OPT = NULL
      """)
    let before = try store.cells()
    let repair = try StoreRepair(path: store.path, model: model)
    #expect(repair.steps == [])
    #expect(repair.unrepaired.map(\.finding.damage) == [.rowVersion])
    #expect(repair.unrepaired.first?.reason.contains("keeps a history whose table ACHANGE") == true)
    #expect(try store.cells() == before)
  }

  @Test("A model that does not fit the store's tables is not one to repair it by")
  func otherModel() throws {
    let store = try store("UPDATE ZPROJECT SET Z_OPT = NULL")
    var definition = RepairModel.definition
    definition.entities.append(EntityDefinition("Unknown"))
    let before = try store.cells()
    let repair = try StoreRepair(path: store.path, model: ManagedObjectModel(definition))
    #expect(repair.steps == [] && repair.unrepaired.contains { $0.finding.damage == .rowVersion })
    #expect(try store.cells() == before)
  }
}
