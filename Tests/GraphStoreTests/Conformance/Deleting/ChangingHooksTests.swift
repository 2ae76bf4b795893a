@testable import GraphStore
import GraphStoreModel
import Testing

/// Hooks and observers that change, delete, save, and read what is gone, while deletions are propagated and
/// saved.
@Suite("Hooks that change what is deleted or saved", .everyStore)
struct ChangingHooksTests {
  /// Runs what its context has for each hook.
  private final class Node: ManagedObject {
    typealias Hook = (ManagedObject) throws -> Void

    override func prepareForDeletion() { run("prepareForDeletion") }
    override func willSave() { run("willSave") }

    private func run(_ name: String) { try? (managedObjectContext?.userInfo[name] as? Hook)?(self) }
  }

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    let node = EntityDefinition(
      "Node", className: "Node", attributes: [AttributeDefinition("name", .string)],
      relationships: [
        RelationshipDefinition(
          "children", to: "Node", inverse: "parent", isToMany: true, deleteRule: .cascade),
        RelationshipDefinition("parent", to: "Node", inverse: "children"),
        RelationshipDefinition("mate", to: "Node", inverse: "mateOf", deleteRule: .cascade),
        RelationshipDefinition("mateOf", to: "Node", inverse: "mate"),
        RelationshipDefinition("guardian", to: "Node", inverse: "wards", deleteRule: .deny),
        RelationshipDefinition("wards", to: "Node", inverse: "guardian", isToMany: true),
      ])
    stack = try TestStack(ModelDefinition(name: "Nodes", entities: [node]), classes: ["Node": Node.self])
  }

  private func node(_ name: String, _ values: [String: Any] = [:]) throws -> ManagedObject {
    try context.insert("Node", values.merging(["name": name]) { $1 })
  }

  private func hook(
    _ name: String, of object: ManagedObject? = nil, _ body: @escaping (ManagedObject) throws -> Void
  ) {
    let hook: Node.Hook = { if object == nil || $0 === object { try body($0) } }
    context.userInfo[name] = hook
  }

  private func stored() throws -> Set<String> {
    Set(try stack.otherProcess().all("Node").compactMap { try $0.string("name") })
  }

  private func remove(_ objects: ManagedObject...) throws {
    for object in objects { try stack.removeRow(object.objectID) }
    context.forgetCachedRows()
  }

  @Test(
    "FLT-127, CTX-108: a record found gone after its deletion was asked for is deleted once, and the rest is saved",
    arguments: [true, false])
  func goneAfterDeletion(_ inHook: Bool) throws {
    let ids = try ["x", "y"].map { try node($0) }
    try context.save()
    context.reset()
    let (gone, other) = (
      try context.object(with: ids[0].objectID), try context.existingObject(with: ids[1].objectID)
    )
    let second = stack.newContext()
    try second.delete(second.object(with: gone.objectID))
    try second.save()
    if inHook { hook("prepareForDeletion") { _ = try $0.value(forKey: "name") } }
    try context.delete(gone)
    _ = try gone.value(forKey: "name")
    #expect(context.deletedObjects == [gone])
    let new = try node("z")
    try other.setValue("changed", forKey: "name")
    try context.checkInvariants()
    try context.save()
    #expect(!new.isInserted && !other.isUpdated && !context.hasChanges && gone.managedObjectContext == nil)
    #expect(try stored() == ["changed", "z"])
  }

  @Test("FLT-127, CTX-108: a changed fault that a willSave finds gone leaves with the save")
  func changedFaultIsGone() throws {
    let parent = try node("p")
    let child = try node("c", ["parent": parent])
    try context.save()
    context.reset()
    let (gone, kept) = (
      try context.object(with: parent.objectID), try context.existingObject(with: child.objectID)
    )
    try kept.setValue(nil, forKey: "parent")
    try remove(gone)
    hook("willSave", of: kept) { _ in _ = try gone.value(forKey: "name") }
    try context.save()
    #expect(gone.managedObjectContext == nil && !gone.hasChanges && !context.hasChanges)
    try context.checkInvariants()
    #expect(try stored() == ["c"])
  }

  @Test("REL-214: what a hook links goes too, however many records it finds gone", arguments: 0...3)
  func linkedByHook(_ count: Int) throws {
    let (parent, stray) = (try node("p"), try node("s"))
    let child = try node("c", ["parent": parent])
    let gone = try (0..<count).map { try node("g\($0)") }
    try context.save()
    for object in gone {
      try context.refresh(object, mergeChanges: false)
      try remove(object)
    }
    hook("prepareForDeletion", of: child) { _ in
      try stray.setValue(parent, forKey: "parent")
      for object in gone { _ = try object.value(forKey: "name") }
    }
    try context.delete(parent)
    try context.save()
    #expect(try stored() == [])
  }

  @Test("REL-192, REL-214: a partner that a hook gives to one that stays is taken from it again")
  func partnerMoved() throws {
    let (parent, stays) = (try node("p"), try node("q"))
    let partner = try node("c", ["mateOf": parent])
    try context.save()
    hook("prepareForDeletion", of: partner) { try $0.setValue(stays, forKey: "mateOf") }
    try context.delete(parent)
    try context.save()
    #expect(try stays.object(forKey: "mate") == nil)
    #expect(try stored() == ["q"])
  }

  @Test(
    "REL-214, REL-219: what a hook moves away in time stays, whether members were read or not",
    arguments: [true, false])
  func memberMoved(_ isRead: Bool) throws {
    let parents = try ["1", "2"].map { try node($0) }
    let stays = try node("q")
    let children = try parents.map { try node("c", ["parent": $0]) }
    try children[1].setValue("moved", forKey: "name")
    try context.save()
    for parent in parents {
      if isRead {
        _ = try parent.objects(forKey: "children")
      } else {
        try context.refresh(parent, mergeChanges: false)
      }
    }
    hook("prepareForDeletion", of: children[0]) { _ in try children[1].setValue(stays, forKey: "parent") }
    for parent in parents { try context.delete(parent) }
    try context.save()
    #expect(try stored() == ["q", "moved"])
    #expect(try stays.objects(forKey: "children") == [children[1]])
  }

  @Test("CTX-087, REL-175: a save by an observer of changes applies delete rules to what that has deleted")
  func savedByObserver() throws {
    let (parent, other) = (try node("p"), try node("o"))
    let child = try node("c", ["parent": parent])
    try context.save()
    var failure: (any Error)?
    let token = context.observe(.objectsDidChange) { [context] _ in
      guard parent.managedObjectContext != nil, !parent.isDeleted else { return }
      do {
        try context.delete(parent)
        try context.save()
      } catch { failure = error }
    }
    try other.setValue("o2", forKey: "name")
    try context.processPendingChanges()
    token.cancel()
    #expect(failure == nil && child.managedObjectContext == nil && !context.hasChanges)
    #expect(try stored() == ["o2"])
    try context.checkInvariants()
  }

  @Test("CTX-087: a save in a hook of a deletion that is being propagated is refused, and nothing is written")
  func savedWhilePropagating() throws {
    let parent = try node("p")
    let child = try node("c", ["parent": parent])
    try context.save()
    var code: GraphStoreError.Code?
    hook("prepareForDeletion", of: child) { [context] _ in
      do { try context.save() } catch let error as GraphStoreError { code = error.code }
    }
    try context.delete(parent)
    try context.processPendingChanges()
    #expect(code == .contextBusy)
    #expect(try stored() == ["p", "c"])
    try context.save()
    #expect(try stored() == [])
  }

  @Test("REL-195: a deletion that is denied is denied when it is done again, too")
  func deniedAgain() throws {
    let wards = try node("w", ["guardian": try node("g")])
    try context.save()
    try context.setUndoManager(GraphUndoManager())
    try context.delete(wards)
    try context.processPendingChanges()
    for _ in 0..<2 {
      try context.undoManager?.undo()
      try context.undoManager?.redo()
    }
    let error = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(error?.code == .deleteDenied)
    try context.undoManager?.undo()
    try context.save()
    #expect(try stored() == ["w", "g"])
    #expect(try wards.object(forKey: "guardian")?.string("name") == "g")
  }

  @Test(
    "OBJ-410: the insertion of an object that may not be deleted while it is linked is undone, saved or not",
    arguments: [true, false])
  func insertionUndone(_ isSaved: Bool) throws {
    let guardian = try node("g")
    try context.save()
    try context.setUndoManager(GraphUndoManager())
    _ = try node("w", ["guardian": guardian])
    try context.processPendingChanges()
    if isSaved { try context.save() }
    try context.undoManager?.undo()
    try context.save()
    #expect(try stored() == ["g"])
    #expect(try guardian.objects(forKey: "wards").isEmpty)
  }

  @Test("CTX-155, OBJ-080: an observer of an undo may delete and save")
  func savedByObserverOfUndo() throws {
    let (one, other) = (try node("1"), try node("2"))
    try context.save()
    try context.setUndoManager(GraphUndoManager())
    try one.setValue("changed", forKey: "name")
    try context.processPendingChanges()
    let token = context.observe(.objectsDidChange) { [context] _ in
      guard other.managedObjectContext != nil, !other.isDeleted else { return }
      try? context.delete(other)
      try? context.save()
    }
    try context.undoManager?.undo()
    token.cancel()
    try context.save()
    #expect(try stored() == ["1"])
    try context.undoManager?.undo()
    try context.save()
    #expect(try stored() == ["1", "2"])
  }

  @Test("OBJ-073: willSave does not run for a new object that one before it has deleted")
  func deletedByWillSave() throws {
    let (first, second) = (try node("1"), try node("2"))
    var names: [String] = []
    hook("willSave") { [context] object in
      names.append(try object.string("name") ?? "")
      if object === first, !second.isDeleted { try context.delete(second) }
    }
    try context.save()
    #expect(!names.contains("2") && names.contains("1"))
    #expect(try stored() == ["1"])
  }
}
