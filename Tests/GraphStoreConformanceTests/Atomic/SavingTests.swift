import Foundation
import GraphStore
import GraphStoreContextTestSupport
import Testing

/// Saves of atomic stores that programs write.
@Suite("Saves of atomic stores")
struct SavingTests {
  init() throws { try StoreType.registration.get() }

  private func saves(_ url: URL) -> [Vault.Save] { Vault.at(url).with { $0.saves } }

  @Test("STO-089: a save is called once per commit, with what was inserted, updated and deleted")
  func changes() throws {
    let url = Vault.freshURL()
    let coordinator = try PersistentStoreCoordinator.adding(.vault, at: url)
    let context = ManagedObjectContext(coordinator: coordinator)
    let tools = try context.insert("Department", named: "Tools")
    let ada = try context.insert("Employee", named: "Ada")
    let bob = try context.insert("Employee", named: "Bob")
    try context.save()
    try ada.setValue(tools, forKey: "department")
    try context.save()
    try context.delete(bob)
    try context.save()
    // Nothing has changed.
    try context.save()
    #expect(
      saves(url) == [
        Vault.Save(inserted: [], updated: [], deleted: []),
        Vault.Save(inserted: ["Department/p1", "Employee/p1", "Employee/p2"], updated: [], deleted: []),
        Vault.Save(inserted: [], updated: ["Department/p1", "Employee/p1"], deleted: []),
        Vault.Save(inserted: [], updated: [], deleted: ["Employee/p2"]),
      ])
  }

  @Test("FET-294: a request over a set writes a store that is written as a whole once, whatever it changes")
  func batches() throws {
    let url = Vault.freshURL()
    let context = ManagedObjectContext(coordinator: try PersistentStoreCoordinator.adding(.vault, at: url))
    for number in 0..<2_500 { try context.insert("Employee", named: "\(number)") }
    try context.save()
    let before = saves(url).count
    let records = (0..<3_000).map { ["name": "more \($0)"] as [String: Any?] }
    try context.execute(BatchInsertRequest(entityName: "Employee", objects: records))
    #expect(saves(url).count == before + 1)
    try context.execute(BatchUpdateRequest(entityName: "Employee", propertiesToUpdate: ["name": "other"]))
    #expect(saves(url).count == before + 2)
    try context.execute(BatchDeleteRequest(FetchRequest<ManagedObject>(entityName: "Employee")))
    #expect(saves(url).count == before + 3 && Vault.at(url).with { $0.content?.nodes.isEmpty } == true)
    // What changes nothing writes nothing.
    try context.execute(BatchDeleteRequest(FetchRequest<ManagedObject>(entityName: "Employee")))
    #expect(saves(url).count == before + 3)
  }

  @Test("STO-089: the order of an ordered relationship is a change of its owner, and versions count changes")
  func order() throws {
    let url = Vault.freshURL()
    let context = ManagedObjectContext(coordinator: try PersistentStoreCoordinator.adding(.vault, at: url))
    let project = try context.insert("Project", named: "Compiler")
    let members = try ["Ada", "Bob"].map { try context.insert("Employee", named: $0) }
    try project.setValue(members, forKey: "members")
    try context.save()
    try project.mutableOrderedSetValue(forKey: "members").move(from: 1, to: 0)
    try context.save()
    #expect(saves(url).last?.updated.contains("Project/p1") == true)
    let node = Vault.at(url).with { $0.content?.nodes.first { $0.id.entity == "Project" } }
    #expect(node?.toMany["members"]?.map(\.description) == ["Employee/p2", "Employee/p1"])
    #expect((node?.version ?? 0) > 1)
  }

  @Test("STO-089: several saves of a transaction, and a batch request, are one save of the store each")
  func commits() throws {
    let url = Vault.freshURL()
    let coordinator = try PersistentStoreCoordinator.adding(.vault, at: url)
    let context = ManagedObjectContext(coordinator: coordinator)
    try coordinator.transaction(with: context) { _ in
      try context.insert("Employee", named: "Ada")
      try context.save()
      try context.insert("Employee", named: "Bob")
      try context.save()
    }
    #expect(saves(url).last?.inserted == ["Employee/p1", "Employee/p2"])
    // STO-054
    try context.execute(
      BatchInsertRequest(entityName: "Employee", objects: [["name": "Cyd"], ["name": "Dan"]]))
    try context.execute(
      BatchUpdateRequest(
        entityName: "Employee", propertiesToUpdate: ["salary": 1],
        predicate: try QueryPredicate(parsing: "name > 'B'")))
    #expect(
      saves(url).dropFirst() == [
        Vault.Save(inserted: ["Employee/p1", "Employee/p2"], updated: [], deleted: []),
        Vault.Save(inserted: ["Employee/p3", "Employee/p4"], updated: [], deleted: []),
        Vault.Save(inserted: [], updated: ["Employee/p2", "Employee/p3", "Employee/p4"], deleted: []),
      ])
  }

  @Test("STO-090: a save that throws leaves the store as it was and the changes pending, and is 134030")
  func failing() throws {
    let url = Vault.freshURL()
    let coordinator = try PersistentStoreCoordinator.adding(.vault, at: url)
    let context = ManagedObjectContext(coordinator: coordinator)
    let (ada, bob) = (
      try context.insert("Employee", named: "Ada"), try context.insert("Employee", named: "Bob")
    )
    try context.save()
    let before = Vault.at(url).with { $0.content }
    Vault.at(url).with { $0.failure = .locked }
    try ada.setValue("Eve", forKey: "name")
    try context.delete(bob)
    try context.insert("Employee", named: "New")
    let error = try failure(.storeSaveFailed) { try context.save() }
    #expect(error.number == 134030 && error.underlying as? VaultError == .locked)
    #expect(Vault.at(url).with { $0.content } == before)
    #expect(try ManagedObjectContext(coordinator: coordinator).names("Employee") == ["Ada", "Bob"])
    #expect(context.insertedObjects.count == 1 && context.deletedObjects.count == 1)
    #expect(ada.isUpdated)
    Vault.at(url).with { $0.failure = nil }
    try context.save()
    #expect(try ManagedObjectContext(coordinator: coordinator).names("Employee") == ["Eve", "New"])
    let again = try PersistentStoreCoordinator.adding(.vault, at: url)
    #expect(try ManagedObjectContext(coordinator: again).names("Employee") == ["Eve", "New"])
  }

  @Test("STO-090: a store that cannot be saved when it is made is not added")
  func failingNew() throws {
    let url = Vault.freshURL()
    Vault.at(url).with { $0.failure = .locked }
    let error = try failure(.storeSaveFailed) { _ = try PersistentStoreCoordinator.adding(.vault, at: url) }
    #expect(error.underlying as? VaultError == .locked)
    #expect(Vault.at(url).with { $0.content == nil && $0.events.isEmpty })
  }

  @Test("STO-090: metadata that were set are saved with the next save, and wait where it fails")
  func metadata() throws {
    let url = Vault.freshURL()
    let coordinator = try PersistentStoreCoordinator.adding(.vault, at: url)
    let store = coordinator.persistentStores[0]
    try coordinator.setMetadata(["note": .string("x")], for: store)
    Vault.at(url).with { $0.failure = .locked }
    let context = ManagedObjectContext(coordinator: coordinator)
    try failure(.storeSaveFailed) { try context.save() }
    #expect(store.hasUnsavedMetadata)
    Vault.at(url).with { $0.failure = nil }
    try context.save()
    #expect(Vault.at(url).with { $0.content?.metadata["note"] } == .string("x") && !store.hasUnsavedMetadata)
  }
}
