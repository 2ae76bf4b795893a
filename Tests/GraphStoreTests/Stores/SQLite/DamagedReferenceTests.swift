import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Stores in which a reference and the entity of what it leads to do not agree.
@Suite("References to objects of other entities")
struct DamagedReferenceTests {
  private let folder: LayoutFolder

  init() throws { folder = try LayoutFolder() }

  /// A store with the employees Ada and Bob, her manager, and their passports, damaged by a statement.
  private func damaged(_ sql: String) throws -> ManagedObjectContext {
    try folder.makeStore("s") { connection in
      try connection.execute(
        """
        INSERT INTO ZPASSPORT (Z_PK, Z_ENT, Z_OPT, ZHOLDER, Z3_HOLDER) VALUES (1, 2, 1, 1, 5), (2, 2, 1, 2, 5);
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBADGE, ZMANAGER, Z3_MANAGER, ZPASSPORT)
          VALUES (1, 5, 1, 'Ada', 1, 2, 5, 1), (2, 5, 1, 'Bob', 2, NULL, NULL, 2), (3, 5, 1, 'Cyd', 3, NULL, NULL, NULL);
        INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'R');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT IN (1, 2, 3);
        """)
      try connection.execute(sql)
    }
    return ManagedObjectContext(coordinator: try PersistentStoreCoordinator.open(storeAt: folder.file("s")))
  }

  private func failure(_ body: () throws -> Void) -> GraphStoreError? {
    do {
      try body()
      return nil
    } catch { return error as? GraphStoreError }
  }

  @Test(
    "STO-237: a one-to-one with a number of another tree, or of none, is changed and deleted as any other",
    arguments: [1, 7, 99], ["nil", "another", "delete", "deletePartner", "take"])
  func changes(number: Int, change: String) throws {
    let context = try damaged("UPDATE ZPASSPORT SET Z3_HOLDER = \(number)")
    let passport = try context.all("Passport").sorted { $0.objectID < $1.objectID }[0]
    let people = try context.all("Employee", sort: ["name"])
    #expect(try passport.object(forKey: "holder") === people[0])
    switch change {
    case "nil": try passport.setValue(nil, forKey: "holder")
    case "another": try passport.setValue(people[2], forKey: "holder")
    case "delete": try context.delete(passport)
    case "deletePartner": try context.delete(people[0])
    default: try people[1].setValue(passport, forKey: "passport")
    }
    try context.save()
    context.reset()
    let holders = try context.all("Passport").map { try $0.object(forKey: "holder")?.string("name") }
    let expected: [String: [String?]] = [
      "nil": [nil, "Bob"], "another": ["Cyd", "Bob"], "delete": ["Bob"], "deletePartner": ["Bob"],
      "take": ["Bob", nil],
    ]
    #expect(Set(holders) == Set(expected[change] ?? []))
    context.coordinator.close()
  }

  @Test("STO-237: a reference to a record of another entity is told with its object, and never shown")
  func otherEntity() throws {
    let context = try damaged(
      "UPDATE ZPERSON SET Z_ENT = 4 WHERE Z_PK = 2; UPDATE ZPERSON SET Z3_MANAGER = 4 WHERE Z_PK = 1")
    let request = FetchRequest(entityName: "Employee")
    for error in [
      failure { _ = try context.fetch(request) },
      failure { try context.enumerateFields(request, keyPaths: ["manager"]) { _ in } },
    ] {
      #expect(error?.code == .storeCorrupt && error?.property == "manager", "\(error as Any)")
      #expect(
        error?.message.contains("Employee/p1 refers by manager to Contractor/p2") == true,
        "\(error as Any)")
    }
    context.coordinator.close()
    #expect(try StoreCheck.run(path: folder.file("s")).first { $0.name == "entity tags" }?.isOK == false)
  }

  @Test("DGN-122: a reference that leads to an object in memory of another entity is told, and nothing traps")
  func registered() throws {
    let context = try damaged(
      "UPDATE ZPERSON SET Z_ENT = 4, ZBADGE = NULL WHERE Z_PK = 2; UPDATE ZDEPARTMENT SET ZHEAD = 3")
    let others = try context.all("Person")
    #expect(others.map(\.objectID.shortForm).sorted() == ["Contractor/p2", "Employee/p1", "Employee/p3"])
    let ada = try #require(try context.all("Employee", "name == 'Ada'").first)
    let department = try #require(try context.all("Department").first)
    for (object, key) in [(ada, "manager"), (department, "head")] {
      for error in [
        failure { _ = try object.value(forKey: key) }, failure { try object.setValue(nil, forKey: key) },
      ] {
        #expect(error?.code == .storeCorrupt && error?.property == key, "\(error as Any)")
        #expect(error?.objectID == object.objectID)
      }
    }
    var request = FetchRequest(entityName: "Employee")
    request.relationshipKeyPathsForPrefetching = ["manager"]
    _ = try context.fetch(request)
    #expect(failure { _ = try ada.value(forKey: "manager") }?.code == .storeCorrupt)
    try ada.setValue("Eva", forKey: "name")
    try context.save()
    context.coordinator.close()
  }
}
