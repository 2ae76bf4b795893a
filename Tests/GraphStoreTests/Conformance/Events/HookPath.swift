import GraphStore
import Testing

/// Records each of its hooks, and reads nothing in them: reading would fire a fault.
final class HookWitness: ManagedObject {
  /// Whether overrides call `super`, which has to make no difference where the base version does nothing.
  nonisolated(unsafe) static var callsSuper = false
  /// Whether validation refuses every object.
  nonisolated(unsafe) static var refuses = false
  nonisolated(unsafe) static var calls: [String] = []

  struct Refusal: Error {}

  override func awakeFromInsert() {
    if Self.callsSuper { super.awakeFromInsert() }
    Self.calls.append("awakeFromInsert")
  }

  override func awakeFromFetch() {
    if Self.callsSuper { super.awakeFromFetch() }
    Self.calls.append("awakeFromFetch")
  }

  override func awake(fromSnapshotEvents events: SnapshotEvents) {
    if Self.callsSuper { super.awake(fromSnapshotEvents: events) }
    let names: [(SnapshotEvents, String)] = [
      (.undoInsertion, "undoInsertion"), (.undoDeletion, "undoDeletion"), (.undoUpdate, "undoUpdate"),
      (.rollback, "rollback"), (.refresh, "refresh"), (.mergePolicy, "mergePolicy"),
    ]
    Self.calls.append("awake " + names.filter { events.contains($0.0) }.map(\.1).joined(separator: " "))
  }

  override func prepareForDeletion() {
    if Self.callsSuper { super.prepareForDeletion() }
    Self.calls.append("prepareForDeletion")
  }

  override func willSave() {
    if Self.callsSuper { super.willSave() }
    Self.calls.append("willSave")
  }

  override func didSave() {
    if Self.callsSuper { super.didSave() }
    Self.calls.append("didSave")
  }

  override func willTurnIntoFault() {
    if Self.callsSuper { super.willTurnIntoFault() }
    Self.calls.append("willTurnIntoFault")
  }

  override func didTurnIntoFault() {
    if Self.callsSuper { super.didTurnIntoFault() }
    Self.calls.append("didTurnIntoFault")
  }

  override func validateForInsert() throws {
    try super.validateForInsert()
    Self.calls.append("validateForInsert")
    if Self.refuses { throw Refusal() }
  }

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    Self.calls.append("validateForUpdate")
    if Self.refuses { throw Refusal() }
  }

  override func validateForDelete() throws {
    try super.validateForDelete()
    Self.calls.append("validateForDelete")
    if Self.refuses { throw Refusal() }
  }
}

/// What a path works on: a saved and realised object, in a context with an undo manager, whose messages are
/// recorded among the hooks.
final class HookStage {
  let stack: TestStack
  var context: ManagedObjectContext { stack.context }
  private(set) var object: HookWitness?
  /// Objects that are not to be released while hooks are recorded.
  private var held: [ManagedObject] = []
  private var tokens: [ContextObservation] = []

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing", className: "HookWitness", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition(
              "parts", to: "Thing", inverse: "whole", isToMany: true, deleteRule: .cascade),
            RelationshipDefinition("whole", to: "Thing", inverse: "parts"),
          ])
      ]), classes: ["HookWitness": HookWitness.self])
    try context.setUndoManager(GraphUndoManager())
    object = try context.insert(HookWitness.self)
    try object?.setValue("a", forKey: "name")
    try context.save()
    context.undoManager?.removeAllActions()
    tokens = [
      context.observe(.objectsDidChange) { change in
        let groups = [
          ("inserted", change.inserted.count), ("updated", change.updated.count),
          ("deleted", change.deleted.count), ("refreshed", change.refreshed.count),
          ("invalidated", change.invalidated.count), ("all invalidated", change.invalidatedAll.count),
        ]
        HookWitness.calls.append(
          "told " + groups.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", "))
      },
      context.observe(.willSave) { _ in HookWitness.calls.append("told will save") },
      context.observe(.didSave) { _ in HookWitness.calls.append("told did save") },
    ]
    try record()
  }

  /// Closes the event, and forgets what was recorded up to here.
  func record() throws {
    try context.processPendingChanges()
    HookWitness.calls = []
  }

  func thing() throws -> HookWitness {
    struct Gone: Error {}
    guard let object else { throw Gone() }
    return object
  }

  func set(_ name: String) throws { try thing().setValue(name, forKey: "name") }

  func insert() throws -> HookWitness {
    let new = try context.insert(HookWitness.self)
    held.append(new)
    return new
  }

  func delete() throws { try context.delete(thing()) }
  func save() throws { try context.save() }
  func process() throws { try context.processPendingChanges() }

  func refresh(mergeChanges: Bool = false) throws {
    try context.refresh(thing(), mergeChanges: mergeChanges)
  }

  func makeFault() throws {
    try refresh()
    try record()
  }

  /// Lets go of the object.
  func release() { object = nil }

  /// Has another context save another name.
  func saveElsewhere(_ name: String) throws {
    let other = stack.newContext()
    try other.existingObject(with: thing().objectID).setValue(name, forKey: "name")
    try other.save()
    other.reset()
    try record()
  }
}

/// One path into or out of a context, with the hooks and messages that it has to have, in their order
/// (OBJ-060 to OBJ-084, CTX-052, CTX-077, CTX-078).
struct HookPath: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let expected: [String]
  let run: @Sendable (HookStage) throws -> Void

  init(_ name: String, _ expected: [String], _ run: @escaping @Sendable (HookStage) throws -> Void) {
    testDescription = name
    self.expected = expected
    self.run = run
  }

  static let all = entering + faulting + saving + deleting + undoing + discarding

  private static let entering = [
    HookPath("insertion", ["awakeFromInsert", "told inserted 1"]) {
      _ = try $0.insert()
      try $0.process()
    },
    HookPath("permanent identifier", ["awakeFromInsert", "told inserted 1"]) {
      try $0.context.obtainPermanentIDs(for: [$0.insert()])
    },
    HookPath("fetch of faults", []) { stage in
      let context = stage.stack.newContext()
      withExtendedLifetime(try context.all("Thing")) {}
    },
    HookPath("fetch of realised objects", ["awakeFromFetch", "didTurnIntoFault"]) { stage in
      var request = FetchRequest(entityName: "Thing")
      request.returnsObjectsAsFaults = false
      let context = stage.stack.newContext()
      withExtendedLifetime(try context.fetch(request)) {}
    },
    HookPath("look-up of an object that may be there", []) { stage in
      let context = stage.stack.newContext()
      withExtendedLifetime(try context.object(with: stage.thing().objectID)) {}
    },
  ]

  private static let faulting = [
    HookPath("fault", ["awakeFromFetch"]) {
      try $0.makeFault()
      _ = try ($0.thing().string("name"), $0.thing().string("name"))
    },
    HookPath("setting a fault", ["awakeFromFetch", "told updated 1"]) {
      try $0.makeFault()
      try $0.set("b")
      try $0.process()
    },
    HookPath("refresh", ["willTurnIntoFault", "didTurnIntoFault", "told refreshed 1"]) {
      try $0.refresh()
      try $0.process()
    },
    HookPath("refresh of a fault", ["told refreshed 1"]) {
      try $0.makeFault()
      try $0.refresh()
      try $0.process()
    },
    HookPath(
      "refresh of a changed object", ["willTurnIntoFault", "didTurnIntoFault", "told refreshed 1"]
    ) {
      try $0.set("b")
      try $0.record()
      try $0.refresh()
      try $0.process()
    },
    HookPath(
      "merging refresh of a changed object",
      ["willTurnIntoFault", "didTurnIntoFault", "awakeFromFetch", "awake refresh", "told refreshed 1"]
    ) {
      try $0.set("b")
      try $0.record()
      try $0.refresh(mergeChanges: true)
      try $0.process()
    },
    HookPath("refresh of all objects", ["willTurnIntoFault", "didTurnIntoFault", "told refreshed 1"]) {
      try $0.context.refreshAllObjects()
      try $0.process()
    },
    HookPath("release by the last holder", ["didTurnIntoFault"]) { $0.release() },
    HookPath("release of a fault", []) {
      try $0.makeFault()
      $0.release()
    },
    HookPath("end of a context", ["awakeFromInsert", "didTurnIntoFault"]) { stage in
      var context: ManagedObjectContext? = ManagedObjectContext(coordinator: stage.stack.coordinator)
      let new = try context?.insert(HookWitness.self)
      context = nil
      withExtendedLifetime(new) {}
    },
    HookPath("removal of the store", ["willTurnIntoFault", "didTurnIntoFault", "told invalidated 1"]) {
      let coordinator = $0.stack.coordinator
      try coordinator.remove(coordinator.persistentStores[0])
      try $0.process()
    },
  ]

  private static let saving = [
    HookPath("save without changes", []) { try $0.save() },
    HookPath(
      "save of an insertion",
      [
        "awakeFromInsert", "told inserted 1", "told will save", "validateForInsert", "willSave", "didSave",
        "told did save",
      ]
    ) {
      _ = try $0.insert()
      try $0.save()
    },
    HookPath(
      "save of a change",
      ["told updated 1", "told will save", "validateForUpdate", "willSave", "didSave", "told did save"]
    ) {
      try $0.set("b")
      try $0.save()
    },
    HookPath(
      "save of an insertion, a change and a deletion",
      [
        "told will save", "validateForInsert", "validateForUpdate", "validateForDelete", "willSave",
        "willSave",
        "willSave", "willTurnIntoFault", "didTurnIntoFault", "didSave", "didSave", "didSave", "told did save",
      ]
    ) {
      let other = try $0.insert()
      try $0.save()
      try $0.delete()
      try other.setValue("b", forKey: "name")
      _ = try $0.insert()
      try $0.record()
      try $0.save()
    },
    HookPath("save that is refused", ["told updated 1", "told will save", "validateForUpdate"]) { stage in
      try stage.set("b")
      HookWitness.refuses = true
      defer { HookWitness.refuses = false }
      do { try stage.save() } catch is GraphStoreError { return }
    },
    HookPath("validation without a save", ["told updated 1", "validateForUpdate"]) {
      try $0.set("b")
      _ = try $0.context.validateChanges()
    },
    HookPath(
      "save whose conflict a policy settles",
      [
        "told updated 1", "told will save", "validateForUpdate", "willSave",
        "willTurnIntoFault", "didTurnIntoFault", "awakeFromFetch", "awake mergePolicy", "told refreshed 1",
        "validateForUpdate", "willSave", "didSave", "told did save",
      ]
    ) {
      try $0.saveElsewhere("elsewhere")
      $0.context.mergePolicy = .mergeByPropertyObjectTrump
      try $0.set("here")
      try $0.save()
    },
    HookPath(
      "save whose change a policy gives up",
      [
        "told updated 1", "told will save", "validateForUpdate", "willSave",
        "willTurnIntoFault", "didTurnIntoFault", "told refreshed 1", "told did save",
      ]
    ) {
      try $0.saveElsewhere("elsewhere")
      $0.context.mergePolicy = .rollback
      try $0.set("here")
      try $0.save()
    },
  ]

  private static let deletionSaved = [
    "told will save", "validateForDelete", "willSave", "willTurnIntoFault", "didTurnIntoFault", "didSave",
    "told did save",
  ]

  private static let deleting = [
    HookPath("deletion", ["prepareForDeletion"]) { try $0.delete() },
    HookPath("deletion twice", ["prepareForDeletion", "told deleted 1"]) {
      try $0.delete()
      try $0.process()
      try $0.delete()
      try $0.process()
    },
    HookPath("save of a deletion", ["prepareForDeletion", "told deleted 1"] + deletionSaved) {
      try $0.delete()
      try $0.save()
    },
    HookPath("cascade", ["prepareForDeletion", "prepareForDeletion", "told deleted 2"]) { stage in
      try stage.insert().setValue(stage.thing(), forKey: "whole")
      try stage.save()
      try stage.record()
      try stage.delete()
      guard HookWitness.calls.count == 1 else { return }
      try stage.process()
    },
    HookPath("insertion and deletion", ["awakeFromInsert", "prepareForDeletion"]) {
      try $0.context.delete($0.insert())
      try $0.save()
    },
  ]

  private static let undoing = [
    HookPath(
      "undo and redo of an insertion",
      ["awake undoInsertion", "told deleted 1", "awake undoDeletion", "told inserted 1"]
    ) {
      _ = try $0.insert()
      try $0.record()
      try $0.context.undo()
      try $0.context.redo()
    },
    HookPath(
      "undo and redo of a change",
      ["awake undoUpdate", "told updated 1", "awake undoUpdate", "told updated 1"]
    ) {
      try $0.set("b")
      try $0.record()
      try $0.context.undo()
      try $0.context.redo()
    },
    HookPath(
      "undo and redo of a deletion",
      ["awake undoDeletion", "told inserted 1", "awake undoInsertion", "told deleted 1"]
    ) {
      try $0.delete()
      try $0.record()
      try $0.context.undo()
      try $0.context.redo()
    },
    HookPath(
      "undo of a saved insertion", ["awake undoInsertion", "told deleted 1"] + deletionSaved
    ) {
      _ = try $0.insert()
      try $0.save()
      try $0.record()
      try $0.context.undo()
      try $0.save()
    },
    HookPath(
      "undo of a saved deletion",
      [
        "awake undoDeletion", "told inserted 1", "told will save", "validateForInsert", "willSave", "didSave",
        "told did save",
      ]
    ) {
      try $0.delete()
      try $0.save()
      try $0.record()
      try $0.context.undo()
      try $0.save()
    },
  ]

  private static let discarding = [
    HookPath("rollback of an insertion", ["told deleted 1"]) {
      _ = try $0.insert()
      try $0.record()
      $0.context.rollback()
    },
    HookPath("rollback of a change", ["awake rollback", "told refreshed 1"]) {
      try $0.set("b")
      try $0.record()
      $0.context.rollback()
    },
    HookPath("rollback of a deletion", ["awake rollback", "told inserted 1"]) {
      try $0.delete()
      try $0.record()
      $0.context.rollback()
    },
    HookPath("rollback without changes", []) { $0.context.rollback() },
    HookPath("reset", ["willTurnIntoFault", "didTurnIntoFault", "told all invalidated 1"]) {
      $0.context.reset()
    },
    HookPath("reset of a fault", ["told all invalidated 1"]) {
      try $0.makeFault()
      $0.context.reset()
    },
  ]
}
