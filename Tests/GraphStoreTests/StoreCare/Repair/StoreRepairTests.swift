import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Repair of a store")
struct StoreRepairTests {
  private func texts(_ steps: [StoreRepair.Step]) -> [String] {
    steps.map { "\($0.check) | \($0.subject) | \($0.message)" }
  }

  @Test(
    "REL-306, STO-289: each kind of damage is found, and mended with no other cell changed, or left with a remedy",
    arguments: DamageCase.all)
  func damage(_ damage: DamageCase) throws {
    let store = try RepairStore(damage.sql)
    #expect(Set(try store.findings().map(\.damage)) == damage.found)
    let before = try store.cells()
    let repair = try StoreRepair(path: store.path)
    #expect(texts(repair.steps) == damage.steps)
    #expect(Set(repair.unrepaired.map(\.finding.damage)) == damage.left)
    #expect(repair.unrepaired.allSatisfy { !$0.reason.isEmpty && !$0.remedy.isEmpty })
    #expect(try RepairStore.difference(before, store.cells()) == [], "looking changes nothing")
    guard !repair.steps.isEmpty else { return }
    let result = try repair.run()
    #expect(result.steps == repair.steps && result.unrepaired == repair.unrepaired)
    #expect(try store.findings() == result.unrepaired.map(\.finding))
    #expect(try RepairStore.difference(before, store.cells()) == damage.cells)
    #expect(
      try RepairStore.difference(before, store.cells(result.backup)) == [], "the copy is the former state")
    #expect(try StoreRepair(path: store.path).steps == [])
    if damage.left.isEmpty { try PersistentStoreCoordinator.open(storeAt: store.path).close() }
  }

  @Test(
    "Every kind of damage that a check tells apart is tried by statements here, or in the file below"
  )
  func everyKind() {
    let tried = DamageCase.all.reduce(into: Set<StoreDamage>()) { $0.formUnion($1.found) }
    let inFiles: Set<StoreDamage> = [
      .newerWriter, .indexContent, .page, .metadata, .modelHash, .hashDigest, .indexedFunctions,
      .externalPrefix, .unnamedFile,
    ]
    // Stores that keep a history have tests of their own, and those on servers, which have foreign keys.
    #expect(Set(StoreDamage.allCases).subtracting(tried) == inFiles.union([.history, .missingForeignKey]))
  }

  @Test("A sound store has nothing to mend, and asks for no right to write")
  func sound() throws {
    let store = try RepairStore()
    #expect(try store.findings() == [])
    let repair = try StoreRepair(path: store.path)
    #expect(repair.steps == [] && repair.unrepaired == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path).contains("s.db"))
  }

  @Test("A repair keeps the tables and indexes of other programs")
  func otherPrograms() throws {
    let store = try RepairStore(
      "CREATE TABLE theirs (a, b); INSERT INTO theirs VALUES (1, 2); CREATE INDEX theirIndex ON ZPERSON (ZNAME, ZBADGE)"
    )
    let schema = try store.schema()
    try store.execute("UPDATE ZPERSON SET Z_OPT = NULL; DROP INDEX ZPERSON_ZDEPARTMENT_INDEX")
    _ = try StoreRepair(path: store.path).run()
    #expect(try store.schema() == schema)
    #expect(try store.findings() == [])
  }

  @Test("DGN-108: a dangling reference without an inverse is a warning, and one with an inverse a failure")
  func severity() throws {
    let store = try RepairStore(
      "UPDATE ZPERSON SET ZMENTOR = 77 WHERE Z_PK = 1; UPDATE ZDESK SET ZDEPARTMENT = 77 WHERE Z_PK = 1")
    let found = try store.findings().filter { $0.damage == .danglingReference }
    #expect(found.map(\.subject) == ["Desk.department", "Employee.mentor"])
    #expect(found.map(\.severity) == [.failure, .warning])
    let warned = try RepairStore("UPDATE ZPERSON SET ZMENTOR = 77 WHERE Z_PK = 1")
    #expect(try StoreCheck.run(path: warned.path).allSatisfy(\.isOK))
  }

  @Test("REL-148: members that two contexts added together beyond the limit are found, and left to a person")
  func limits() throws {
    let store = try RepairStore()
    let coordinators = try (0..<2).map { _ in try PersistentStoreCoordinator.open(storeAt: store.path) }
    let contexts = coordinators.map { ManagedObjectContext(coordinator: $0) }
    for context in contexts {
      let department = try #require(try context.all("Department", "name == 'Research'").first)
      _ = try department.objects(forKey: "desks")
      try context.insert("Desk", ["department": department])
    }
    for context in contexts { try context.save() }
    for coordinator in coordinators { coordinator.close() }
    let found = try store.findings()
    #expect(found.map(\.message) == ["1 object with more members than 3"])
    #expect(found.map(\.objects) == [["Department/p1"]] && found.map(\.subject) == ["Department.desks"])
    let repair = try StoreRepair(path: store.path)
    #expect(repair.steps == [] && repair.unrepaired.map(\.finding) == found)
  }

  @Test("A model that is not the store's is refused, since sound rows would be mended by it")
  func otherModel() throws {
    let store = try RepairStore("UPDATE ZPROJECT SET Z_OPT = NULL")
    let other = try ManagedObjectModel(TestModels.company())
    #expect { try StoreRepair(path: store.path, model: other) } throws: {
      GraphStoreError.code(.incompatibleModel) ~= $0
    }
    let own = try ManagedObjectModel(RepairModel.definition)
    #expect(try StoreRepair(path: store.path, model: own).steps.count == 1)
  }

  @Test("What is to be mended is what was shown: a store that was changed meanwhile is not repaired")
  func changedMeanwhile() throws {
    let store = try RepairStore("UPDATE ZPROJECT SET Z_OPT = NULL WHERE Z_PK = 1")
    let repair = try StoreRepair(path: store.path)
    try store.execute("UPDATE ZPROJECT SET Z_OPT = NULL WHERE Z_PK = 2")
    let before = try store.cells()
    #expect { try repair.run() } throws: { GraphStoreError.code(.storeOpen) ~= $0 }
    #expect(try store.cells() == before)
    _ = try StoreRepair(path: store.path).run()
    #expect(try store.findings() == [])
  }

  @Test("Where numbers of entities are not certain, what is left says so")
  func uncertainNumbers() throws {
    let store = try RepairStore(
      "INSERT INTO Z_PRIMARYKEY VALUES (0, 'Employee', 5, 0); UPDATE ZDESK SET ZDEPARTMENT = 77 WHERE Z_PK = 1"
    )
    let left = try StoreRepair(path: store.path).unrepaired
    let reference = left.first { $0.finding.damage == .danglingReference }
    #expect(reference?.reason == "which entity a number stands for is not certain")
  }

  @Test("The copy is as private as the store, and takes a name that is free")
  func backup() throws {
    let store = try RepairStore("UPDATE ZPROJECT SET Z_OPT = NULL")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.path)
    try Data([1]).write(to: URL(fileURLWithPath: store.path + ".backup"))
    let backup = try StoreRepair(path: store.path).run().backup
    #expect(backup == store.path + ".backup-2")
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted()
    #expect(names == ["s.db", "s.db.backup", "s.db.backup-2"])
    let attributes = try FileManager.default.attributesOfItem(atPath: backup)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try StoreCheck.run(path: backup).flatMap(\.findings).map(\.damage) == [.rowVersion])
  }

  @Test("After a repair objects are read and changed as if nothing had been")
  func use() throws {
    let store = try RepairStore(
      """
      UPDATE ZPERSON SET Z_FOK_DEPARTMENT = 2048, Z_OPT = NULL WHERE Z_PK < 4;
      UPDATE ZPASSPORT SET ZHOLDER = NULL, Z5_HOLDER = NULL; UPDATE Z_PRIMARYKEY SET Z_MAX = 0
      """)
    _ = try StoreRepair(path: store.path).run()
    let coordinator = try PersistentStoreCoordinator.open(storeAt: store.path)
    let context = ManagedObjectContext(coordinator: coordinator)
    let research = try #require(try context.all("Department", "name == 'Research'").first)
    #expect(try research.names("employees") == ["Ada", "Bob", "Cyd"])
    let ada = try #require(try context.all("Employee", "name == 'Ada'").first)
    let passport = try #require(try ada.value(forKey: "passport") as? ManagedObject)
    #expect(try passport.value(forKey: "holder") as? ManagedObject === ada)
    try ada.setValue("Ada Lovelace", forKey: "name")
    let new = try context.insert("Contractor", ["name": "Fay"])
    try context.save()
    #expect(new.objectID.key == 6)
    coordinator.close()
    #expect(try store.findings() == [])
  }
}
