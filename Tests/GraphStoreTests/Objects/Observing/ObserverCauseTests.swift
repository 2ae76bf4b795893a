import Testing

@testable import GraphStore

@Suite("What observers of one object are told of its end", .everyStore)
struct ObserverCauseTests {
  /// A stack with Ada of the department R&D, and who observes her.
  private final class Scene {
    let stack: TestStack
    var context: ManagedObjectContext { stack.context }
    let department: ManagedObject
    let ada: ManagedObject
    private(set) var told: [ObjectObserver.Change] = []
    private var observer: ObjectObserver?

    init() throws {
      var model = TestModels.company(employees: .cascade)
      model.entities[1].uniquenessConstraints = [["name"]]
      stack = try TestStack(model)
      try stack.context.setUndoManager(GraphUndoManager())
      department = try stack.context.insert("Department", ["name": "R&D"])
      ada = try stack.context.insert("Employee", ["name": "Ada", "department": department])
      try stack.context.save()
      observer = ObjectObserver(object: ada) { [unowned self] in told.append($0) }
    }

    /// Observes another object, or anew, and forgets what was told before.
    func observe(_ object: ManagedObject) {
      told = []
      observer = ObjectObserver(object: object) { [unowned self] in told.append($0) }
    }

    /// Has another context delete Ada.
    func deleteElsewhere() throws {
      let other = stack.newContext()
      try other.delete(other.existingObject(with: ada.objectID))
      try other.save()
    }
  }

  private static let causes: [(name: String, cause: @Sendable (Scene) throws -> Void)] = [
    ("call", { try $0.context.delete($0.ada) }), ("cascade", { try $0.context.delete($0.department) }),
    ("undone insertion", { try $0.context.undo() }),
    (
      "redone deletion",
      { scene in
        try scene.context.delete(scene.ada)
        try scene.context.undo()
        scene.observe(scene.ada)
        try scene.context.redo()
      }
    ), ("reset", { $0.context.reset() }),
    (
      "removal of the store",
      { try $0.stack.coordinator.remove($0.stack.coordinator.persistentStores[0]) }
    ),
    (
      "merge policy",
      { scene in
        try scene.ada.setValue(3, forKey: "salary")
        try scene.context.processPendingChanges()
        scene.observe(scene.ada)
        try scene.deleteElsewhere()
        scene.context.mergePolicy = .mergeByPropertyStoreTrump
        try scene.context.save()
      }
    ),
    (
      "uniqueness constraint",
      { scene in
        let other = try scene.context.insert("Employee", ["name": "Ada"])
        try scene.context.processPendingChanges()
        scene.observe(other)
        scene.context.mergePolicy = .mergeByPropertyStoreTrump
        try scene.context.save()
      }
    ),
  ]

  @Test(
    "CTX-414, CTX-415, PAT-058, PAT-059: a deletion is told once, whatever its cause, and nothing after it",
    arguments: ObserverCauseTests.causes.indices)
  func deletion(_ index: Int) throws {
    let scene = try Scene()
    let (name, cause) = Self.causes[index]
    try cause(scene)
    try? scene.context.processPendingChanges()
    #expect(scene.told.last == .delete && scene.told.count { $0 == .delete } == 1, "\(name): \(scene.told)")
    let count = scene.told.count
    scene.context.rollback()
    _ = try? scene.context.insert("Employee", ["name": "later"])
    try? scene.context.processPendingChanges()
    scene.context.reset()
    #expect(scene.told.count == count, "\(name)")
  }

  @Test("CTX-414, PAT-058, PAT-059: deletion is looked for first, one call an event, and objects by identity")
  func order() throws {
    let scene = try Scene()
    let other = scene.stack.newContext()
    try other.existingObject(with: scene.ada.objectID).setValue("Eve", forKey: "name")
    try other.processPendingChanges()
    let twin = try scene.context.insert("Employee", ["name": "twin"])
    try twin.setValue("Ada", forKey: "name")
    try scene.context.processPendingChanges()
    #expect(scene.told.isEmpty)
    try scene.ada.setValue("a", forKey: "name")
    try scene.context.refresh(scene.ada, mergeChanges: true)
    try scene.context.processPendingChanges()
    #expect(scene.told == [.update])
    try scene.ada.setValue("b", forKey: "name")
    try scene.context.refresh(scene.ada, mergeChanges: true)
    try scene.context.delete(scene.ada)
    try scene.context.processPendingChanges()
    #expect(scene.told == [.update, .delete])
  }
}
