#if PostgreSQL
import Foundation
import GraphStoreContextTestSupport
import GraphStorePredicates
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Stores that move to a PostgreSQL server and back", .enabled(if: TestStores.areThere))
struct PostgreSQLMovingTests {
  private let stores = TestStores()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "graphstore-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  private func url(_ number: Int = 0) throws -> URL { try #require(URL(string: stores.address(number))) }

  /// A SQLite store with something of everything, under a coordinator.
  private func staffFile() throws -> PersistentStoreCoordinator {
    let coordinator = PersistentStoreCoordinator(model: StaffModel.model)
    try coordinator.addStore(at: file("staff.db").path)
    try fill(coordinator)
    return coordinator
  }

  private func fill(_ coordinator: PersistentStoreCoordinator, _ count: Int = 50) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    let department = try context.insert(entityNamed: "Department")
    try department.setValue("Sales", forKey: "name")
    for number in 0..<count {
      let employee = try context.insert(entityNamed: "Employee")
      try employee.setValue("e\(number)", forKey: "name")
      try employee.setValue(Decimal(string: "1234567890123456789.\(number + 1)"), forKey: "salary")
      try employee.setValue(Int64(number), forKey: "count")
      try employee.setValue(Data(repeating: UInt8(number & 255), count: number * 8000), forKey: "file")
      if number % 2 == 0 { try employee.setValue(department, forKey: "department") }
      let project = try context.insert(entityNamed: "Project")
      try project.setValue("p\(number)", forKey: "title")
      try employee.setValue(Set([project]), forKey: "projects")
    }
    try coordinator.setMetadata(["owner": .string("Ada")], for: coordinator.persistentStores[0])
    try context.save()
  }

  private func differences(_ first: String, _ second: String) throws -> Int {
    let (left, right) = (
      try PersistentStoreCoordinator.open(storeAt: first),
      try PersistentStoreCoordinator.open(storeAt: second)
    )
    defer {
      left.close()
      right.close()
    }
    let contents = (try StoreContents(left), try StoreContents(right))
    defer {
      contents.0.close()
      contents.1.close()
    }
    var count = 0
    try StoreComparison(contents.0, contents.1).run { _ in count += 1 }
    return count
  }

  @Test("STO-410: a store is migrated to a server and back, with its objects in use all the while")
  func migrated() throws {
    let coordinator = try staffFile()
    let context = ManagedObjectContext(coordinator: coordinator)
    var request = FetchRequest<ManagedObject>(entityName: "Employee")
    request.predicate = try QueryPredicate("name == 'e3'")
    let employee = try #require(try context.fetch(request).first)
    let onServer = try coordinator.migratePersistentStore(
      coordinator.persistentStores[0], to: url(), options: TestStores.options, type: .postgreSQL)
    #expect(try employee.value(forKey: "count") as? Int64 == 3)
    try employee.setValue(Int64(4), forKey: "count")
    try context.save()
    try context.insert(entityNamed: "Project").setValue("new", forKey: "title")
    try context.save()
    try coordinator.migratePersistentStore(onServer, to: file("back.db"))
    try employee.setValue(Int64(5), forKey: "count")
    try context.save()
    #expect(try differences(stores.address(), file("back.db").path) == 1)
    #expect(try differences(file("staff.db").path, stores.address()) == 2)
    let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: file("back.db"))
    #expect(metadata["owner"] == .string("Ada"))
    #expect(
      code {
        try coordinator.migratePersistentStore(
          coordinator.persistentStores[0], to: url(), options: TestStores.options, type: .postgreSQL)
      } == .storeExists)
  }

  @Test(
    "STO-410: a copy has the objects, keys and metadata of the store, and nothing is left of one that fails")
  func copied() throws {
    try staffFile().close()
    let source = file("staff.db").path
    let result = try StoreBackup.make(ofStoreAt: source, at: stores.address())
    #expect(result.objectCount == 101 && result.byteCount > 0)
    #expect(try differences(source, stores.address()) == 0)
    #expect(code { try StoreBackup.make(ofStoreAt: source, at: stores.address()) } == .storeExists)
    _ = try StoreBackup.make(ofStoreAt: stores.address(), at: stores.address(1))
    #expect(try differences(stores.address(), stores.address(1)) == 0)
    for (name, type) in [("a.db", StoreType.sqlite), ("a.json", .json), ("a.bin", .binary)] {
      _ = try StoreBackup.make(ofStoreAt: stores.address(1), at: file(name).path, type: type)
      #expect(try differences(source, file(name).path) == 0, "\(name)")
    }
    _ = try StoreBackup.make(ofStoreAt: stores.address(), at: file("b.db").path)
    #expect(StoreType.detected(at: file("b.db").path) == .sqlite)
    // A text with the character zero cannot be on a server.
    let coordinator = try PersistentStoreCoordinator.open(storeAt: source)
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert(entityNamed: "Project").setValue("a\0b", forKey: "title")
    try context.save()
    coordinator.close()
    #expect(code { try StoreBackup.make(ofStoreAt: source, at: stores.address(2)) } == .valueType)
    #expect(code { try StoreSummary.read(path: stores.address(2)) } == .storeNotFound)
  }

  @Test("STO-411: a store on a server is replaced in one transaction, and kept where that is asked for")
  func replaced() throws {
    try staffFile().close()
    let source = file("staff.db").path
    let open = try stores.coordinator(StaffModel.model)
    try fill(open, 3)
    let context = ManagedObjectContext(coordinator: open)
    let project = try #require(
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Project")).first)
    try project.setValue("mine", forKey: "title")
    let kept = try #require(try StoreBackup.restore(source, to: stores.address()))
    #expect(kept.contains("_backup"), "\(kept)")
    #expect(try differences(source, stores.address()) == 0)
    let former = try PersistentStoreCoordinator.open(storeAt: kept)
    let reader = ManagedObjectContext(coordinator: former)
    #expect(try reader.count(for: FetchRequest<ManagedObject>(entityName: "Employee")) == 3)
    // What it computes does not depend on the store that has taken its place.
    var request = FetchRequest<ManagedObject>(entityName: "Employee")
    request.predicate = try QueryPredicate("ratio * 2 > 1 OR count + 1 > 0")
    #expect(try reader.count(for: request) == 3)
    former.close()
    // Who had the former store open is told by the save, which writes nothing.
    #expect(code { try context.save() } == .storeReplaced)
    context.reset()
    #expect(try differences(source, stores.address()) == 0)
    try PersistentStoreCoordinator.replacePersistentStore(at: url(), with: #require(URL(string: kept)))
    #expect(try differences(kept, stores.address()) == 0)
    #expect(try StoreBackup.restore(stores.address(), to: source) != nil)
    #expect(try differences(kept, source) == 0)
    try PersistentStoreCoordinator.destroyPersistentStore(at: #require(URL(string: kept)))
    #expect(try differences(source, stores.address()) == 0)
  }

  @Test("STO-411: where replacing fails the former store is there, as it was")
  func notReplaced() throws {
    try staffFile().close()
    let open = try stores.coordinator(StaffModel.model)
    try fill(open, 3)
    open.close()
    let source = try PersistentStoreCoordinator.open(storeAt: file("staff.db").path)
    let context = ManagedObjectContext(coordinator: source)
    try context.insert(entityNamed: "Project").setValue("a\0b", forKey: "title")
    try context.save()
    source.close()
    #expect(
      code { try StoreBackup.restoring(file("staff.db").path, to: stores.address()) } == .valueType)
    let after = try stores.coordinator(StaffModel.model)
    let reader = ManagedObjectContext(coordinator: after)
    #expect(try reader.count(for: FetchRequest<ManagedObject>(entityName: "Employee")) == 3)
    let schemas = try stores.run(
      "SELECT count(*) FROM pg_namespace WHERE nspname LIKE current_schema() || '_backup%'")
    _ = try schemas.step()
    #expect(schemas.int64(at: 0) == 0)
  }

  @Test("STO-412: whole stores are read by pages, in one snapshot and with little memory")
  func pages() throws {
    let coordinator = try stores.coordinator(StaffModel.model)
    try fill(coordinator, 10)
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<2500 {
      try context.insert(entityNamed: "Project").setValue("q\(number)", forKey: "title")
    }
    try context.save()
    let contents = try StoreContents(coordinator)
    defer { contents.close() }
    let root = try #require(contents.roots.first { $0.name == "Project" })
    var keys: [Int64] = []
    try contents.forEachObject(ofTree: root) { object in
      if keys.isEmpty {
        try context.insert(entityNamed: "Project").setValue("later", forKey: "title")
        try context.save()
      }
      keys.append(object.key)
    }
    #expect(keys.count == 2510 && keys == keys.sorted())
  }

  @Test("STO-413: a store that a later version of the library has written is refused")
  func newer() throws {
    try stores.coordinator(StaffModel.model).close()
    try stores.run(
      "UPDATE graphstore_metadata SET metadata = regexp_replace(metadata, '(\"_GSFormat\"[^0-9]*)1', '\\12')")
    for body in [
      { _ = try stores.coordinator(StaffModel.model) },
      { _ = try PersistentStoreCoordinator.metadataForPersistentStore(at: url()) },
      { _ = try StoreBackup.make(ofStoreAt: stores.address(), at: file("new.db").path) },
    ] as [() throws -> Void] {
      let error = #expect(throws: GraphStoreError.self) { try body() }
      #expect(error?.code == .storeOpen && error?.isOfNewerFormat == true, "\(error.debugDescription)")
    }
    try stores.run(
      "UPDATE graphstore_metadata SET metadata = regexp_replace(metadata, '(\"_GSFormat\"[^0-9]*)2', '\\11')")
  }
}
#endif
