import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStore

@Suite("Documents that other programs change")
struct DocumentReloadTests {
  /// A folder with a store of one department and two people.
  private func made(_ type: StoreType) throws -> (AtomicFolder, ManagedObjectContext) {
    let folder = try AtomicFolder(type)
    let context = try folder.make(TestModels.company(isOrdered: true))
    let tools = try context.insert("Department", ["name": "Tools"])
    let ada = try context.insert("Employee", ["name": "Ada", "salary": 1, "department": tools])
    let bob = try context.insert("Employee", ["name": "Bob", "salary": 2, "department": tools])
    try ada.setValue([bob], forKey: "friends")
    try context.save()
    return (folder, context)
  }

  private func reload(_ context: ManagedObjectContext) throws -> [ManagedObjectContext.NotificationKey: Int] {
    let changes = try context.coordinator.persistentStores[0].reload()
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
    return changes.mapValues(\.count)
  }

  @Test(
    "STO-334, STO-059: what another program has written is merged, unsaved changes are kept property by property, and the save goes through",
    arguments: AtomicFolder.types)
  func merged(_ type: StoreType) throws {
    let (folder, context) = try made(type)
    let ada = try context.all("Employee", "name == 'Ada'")[0]
    let bob = try context.all("Employee", "name == 'Bob'")[0]
    let tools = try #require(try ada.object(forKey: "department"))
    #expect(try tools.names("employees") == ["Ada", "Bob"])
    let other = try folder.open()
    let theirs = try other.all("Employee", "name == 'Ada'")[0]
    try theirs.setValue("Ada L.", forKey: "name")
    try theirs.setValue(7, forKey: "salary")
    try other.delete(other.all("Employee", "name == 'Bob'")[0])
    let department = try other.all("Department")[0]
    try other.insert("Employee", ["name": "Eve", "department": department])
    try other.save()

    try ada.setValue(100, forKey: "salary")
    _ = try expectFailure(.fileChanged) { try context.save() }
    #expect(
      try reload(context) == [.insertedObjectIDs: 1, .updatedObjectIDs: 2, .deletedObjectIDs: 1])
    #expect(try ada.string("name") == "Ada L.")
    #expect(try ada.queryValue(forKey: "salary") == .int(100))
    #expect(bob.isDeleted || bob.managedObjectContext == nil)
    #expect(try tools.names("employees") == ["Ada L.", "Eve"])
    #expect(try context.all("Employee").count == 2)
    try context.save()
    #expect(try AtomicFolder.content(folder.open()) == AtomicFolder.content(context))
    #expect(try reload(context).isEmpty)
    // No key is given twice, neither theirs nor ours.
    let next = try context.insert("Employee", ["name": "Next"])
    try context.save()
    #expect(try context.all("Employee").filter { $0.objectID.key == next.objectID.key }.count == 1)
  }

  @Test(
    "STO-334, CTX-183: a save that has not merged what was read anew finds the conflict, and not the file changed",
    arguments: AtomicFolder.types)
  func conflict(_ type: StoreType) throws {
    let (folder, context) = try made(type)
    let ada = try context.all("Employee", "name == 'Ada'")[0]
    #expect(try ada.string("name") == "Ada")
    let other = try folder.open()
    try other.all("Employee", "name == 'Ada'")[0].setValue("theirs", forKey: "name")
    try other.save()
    try ada.setValue("mine", forKey: "name")
    try context.coordinator.persistentStores[0].reload()
    _ = try expectFailure(.mergeConflict) { try context.save() }
    #expect(try folder.open().all("Employee", "name == 'theirs'").count == 1)
    let fresh = ManagedObjectContext(coordinator: context.coordinator)
    #expect(try fresh.all("Employee", "name == 'theirs'").count == 1)
  }

  @Test(
    "STO-334: a document that is damaged, or of another store, changes nothing and counts as changed still",
    arguments: AtomicFolder.types)
  func damaged(_ type: StoreType) throws {
    let (folder, context) = try made(type)
    let bytes = try folder.bytes()
    let store = context.coordinator.persistentStores[0]
    try folder.write(Array(bytes.dropLast(40)))
    _ = try expectFailure(.storeCorrupt) { try store.reload() }
    _ = try folder.make(TestModels.company(isOrdered: true), "other")
    try folder.write(folder.bytes("other"))
    _ = try expectFailure(.fileChanged) { try store.reload() }
    try context.all("Employee")[0].setValue("x", forKey: "name")
    _ = try expectFailure(.fileChanged) { try context.save() }
    #expect(try folder.bytes() == folder.bytes("other"))
    try folder.write(bytes)
    _ = try reload(context)
    try context.save()
    #expect(try folder.open().all("Employee", "name == 'x'").count == 1)
  }

  @Test(
    "STO-334, CTX-413: contexts that merge remote changes merge them by themselves, and SQLite stores need no reading anew",
    arguments: [StoreType.json])
  func followers(_ type: StoreType) async throws {
    let (folder, first) = try made(type)
    let context = ManagedObjectContext(coordinator: first.coordinator, concurrencyType: .privateQueue)
    context.automaticallyMergesRemoteChanges = true
    let ada = try await context.perform {
      let ada = try context.all("Employee", "name == 'Ada'")[0]
      _ = try ada.string("name")
      return ada.objectID
    }
    let other = try folder.open()
    try other.all("Employee", "name == 'Ada'")[0].setValue("theirs", forKey: "name")
    try other.save()
    #expect(try !first.coordinator.persistentStores[0].reload().isEmpty)
    let name = try await context.perform { try context.object(with: ada).string("name") }
    #expect(name == "theirs")
    let sqlite = try AtomicFolder(.sqlite).make(TestModels.company())
    #expect(try sqlite.coordinator.persistentStores[0].reload().isEmpty)
  }

  @Test(
    "STO-335: check finds in an edited document what a save would never have written",
    arguments: [StoreType.json, .xml])
  func checked(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    let model = ModelDefinition(
      name: "Rules",
      entities: [
        EntityDefinition(
          "Team",
          attributes: [
            AttributeDefinition("title", .string, isOptional: false),
            AttributeDefinition("size", .int64, derivation: "members.@count"),
          ],
          relationships: [
            RelationshipDefinition("members", to: "Member", inverse: "team", isToMany: true)
          ]),
        EntityDefinition(
          "Member",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("age", .int16, maximum: 150),
          ],
          relationships: [RelationshipDefinition("team", to: "Team", inverse: "members", isOptional: false)],
          uniquenessConstraints: [["name"]]),
      ])
    let context = try folder.make(model)
    let team = try context.insert("Team", ["title": "Red"])
    try context.insert("Member", ["name": "Ada", "age": 36, "team": team])
    try context.insert("Member", ["name": "Bob", "age": 40, "team": team])
    try context.save()
    #expect(try StoreCheck.run(path: folder.path()).allSatisfy(\.findings.isEmpty))
    var text = try folder.text()
    for (json, xml) in [
      ((#""name":"Bob""#, #""name":"Ada""#), (">Bob<", ">Ada<")),
      ((#""age":40"#, #""age":400"#), (">40<", ">400<")),
      ((#""title":"Red","#, ""), (#"        <attribute name="title" type="string">Red</attribute>\#n"#, "")),
      ((#""size":2"#, #""size":5"#), (#"type="int64">2<"#, #"type="int64">5<"#)),
    ] {
      let (find, replacement) = type == .json ? json : xml
      #expect(text.contains(find), "\(find)")
      text = text.replacing(find, with: replacement)
    }
    try folder.write(Array(text.utf8))
    let results = try StoreCheck.run(path: folder.path())
    let findings = Dictionary(grouping: results.flatMap(\.findings), by: \.name).mapValues {
      $0.map { "\($0.severity) \($0.subject): \($0.message)" }
    }
    #expect(findings["required values"] == ["failure Team.title: 1 row without a value"])
    #expect(findings["validation"] == ["warning Member.age: 1 row with a number that is too large"])
    #expect(findings["uniqueness"] == ["failure Member.name: 2 rows with values that are to be unique"])
    #expect(
      findings["derived values"] == ["failure Team.size: 1 row with a value that is not the derived one"])
    #expect(try folder.text() == text)
    #expect(try StoreCheck.run(path: folder.path(), isQuick: true).map(\.name) == ["document"])
    let statistics = try StoreStatistics.read(path: folder.path(), entity: "Member")
    #expect(statistics.map(\.name) == ["Member"] && statistics[0].rows == 2)
    let age = try #require(statistics[0].properties.first { $0.name == "age" })
    #expect(age.distinct == 2 && age.missing == 0)
    let error = try expectFailure(.notSupported) { _ = try StoreCompaction(path: folder.path()) }
    #expect(error.remedy.contains("Nothing is to be done"))
  }
}
