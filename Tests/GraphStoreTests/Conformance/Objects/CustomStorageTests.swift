import GraphStore
import Testing

/// A value that can be changed in place.
private final class Notes: Sendable {
  nonisolated(unsafe) var text: String
  init(_ text: String) { self.text = text }
}

/// Copies what it is given, and keeps another value where no save finds it.
private final class Folder: ManagedObject {
  static let items = ToManyKey<Folder, Set<ManagedObject>>("items")
  var label: String?
  var calls: [String] = []

  var notes: Notes? {
    get { (try? primitiveValue(forKey: "notes")) as? Notes }
    set {
      willChangeValue(forKey: "notes")
      defer { didChangeValue(forKey: "notes") }
      try? setPrimitiveValue(newValue.map { Notes($0.text) }, forKey: "notes")
    }
  }

  override class var keyedAccessors: [KeyedAccessor] {
    [
      KeyedAccessor("notes", \Folder.notes), KeyedAccessor("label", \Folder.label),
      KeyedAccessor("items", of: Folder.self) { folder, value in
        folder.calls.append("set")
        folder[items] = value as? Set<ManagedObject> ?? []
      },
    ]
  }

  override class var relationshipMutators: [RelationshipMutators] {
    [
      RelationshipMutators(
        "items", of: Folder.self,
        add: { folder, objects in
          folder.calls.append("add \(objects.count)")
          folder.add(objects, to: items)
        },
        remove: { folder, objects in
          folder.calls.append("remove \(objects.count)")
          folder.remove(objects, from: items)
        })
    ]
  }
}

@Suite("Setters that copy, and values kept elsewhere", .everyStore)
struct CustomStorageTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let folder: Folder

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Folder", className: "Folder",
          attributes: [
            AttributeDefinition("notes", .undefined, isTransient: true),
            AttributeDefinition("bare", .undefined, isTransient: true),
            AttributeDefinition("label", .string),
          ],
          relationships: [
            RelationshipDefinition("items", to: "Item", inverse: "folder", isToMany: true),
            RelationshipDefinition("others", to: "Item", inverse: "other", isToMany: true),
          ]),
        EntityDefinition(
          "Item",
          relationships: [
            RelationshipDefinition("folder", to: "Folder", inverse: "items"),
            RelationshipDefinition("other", to: "Folder", inverse: "others"),
          ]),
      ]), classes: ["Folder": Folder.self])
    folder = try stack.context.insert(Folder.self)
  }

  @Test("OBJ-152: a setter that stores a copy keeps what was set, whatever becomes of the original")
  func copied() throws {
    let (mine, bare) = (Notes("first"), Notes("first"))
    try folder.setValue(mine, forKey: "notes")
    try folder.setValue(bare, forKey: "bare")
    (mine.text, bare.text) = ("second", "second")
    #expect(try (folder.value(forKey: "notes") as? Notes)?.text == "first")
    #expect(try (folder.value(forKey: "bare") as? Notes)?.text == "second")
  }

  @Test("OBJ-187: what an accessor keeps in a stored property is not the property's value, and is not saved")
  func elsewhere() throws {
    try folder.setValue("mine", forKey: "label")
    #expect(try folder.string("label") == "mine" && folder.primitiveValue(forKey: "label") == nil)
    #expect(folder.changedKeys.isEmpty)
    try context.save()
    #expect(try stack.otherProcess().all("Folder")[0].string("label") == nil)
    #expect(try context.all("Folder", "label == 'mine'").isEmpty)
  }

  @Test("OBJ-185: adding and removing members call the mutators of the class, setting them all its setter")
  func mutators() throws {
    let items = try (0..<3).map { _ in try context.insert(entityNamed: "Item") }
    try folder.addObjects(Array(items[0...1]), forKey: "items")
    #expect(folder.calls == ["add 2"])
    try folder.removeObjects([items[0]], forKey: "items")
    #expect(folder.calls == ["add 2", "remove 1"])
    #expect(try folder.objects(forKey: "items") == [items[1]] && items[0].object(forKey: "folder") == nil)
    folder.calls = []
    try folder.setValue(Set(items[1...]), forKey: "items")
    #expect(folder.calls == ["set"])
    #expect(try items[2].object(forKey: "folder") === folder)
    folder.calls = []
    try items[0].setValue(folder, forKey: "folder")
    try folder.addObjects(items, forKey: "others")
    // The other end of the link calls them too (REL-068).
    #expect(folder.calls == ["add 1"] && folder[Folder.items].count == 3)
    try context.save()
    #expect(try stack.otherProcess().all("Folder")[0].objects(forKey: "items").count == 3)
  }
}

@Suite("Objects and the queue of their context", .serialized)
struct ConfinementTests {
  @Test("OBJ-186: with the guard on, reads and writes from another thread are told by every kind of access")
  func elsewhere() throws {
    let stack = try TestStack(TestModels.company())
    let ada = try stack.context.insert("Employee", ["name": "Ada"])
    let name = AttributeKey<ManagedObject, String>("name")
    let accesses: [(ManagedObject) throws -> Void] = [
      { _ = try $0.value(forKey: "name") }, { try $0.setValue("x", forKey: "name") }, { _ = $0["name"] },
      { _ = $0[name] }, { $0[name] = "y" }, { _ = try $0.primitiveValue(forKey: "name") },
      { _ = try $0.objects(forKey: "reports") }, { $0.willAccessValue(forKey: nil) }, { _ = $0.isFault },
      { _ = try $0.changedValues() }, { _ = try $0.value(forKeyPath: "manager.name") },
    ]
    for (number, access) in accesses.enumerated() {
      let messages = ViolationRecorder.messages(about: stack.context) {
        onAnotherThread { try access(ada) }
      }
      #expect(!messages.isEmpty, "access \(number)")
    }
    let free = ViolationRecorder.messages(about: stack.context) {
      onAnotherThread {
        _ = (ada.objectID, ada.entity, ada.managedObjectContext, ada.description, ada == ada)
      }
    }
    #expect(free.isEmpty)
  }
}
