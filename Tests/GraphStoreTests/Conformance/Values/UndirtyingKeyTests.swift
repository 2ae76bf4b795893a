import Testing

@testable import GraphStore

/// Has a selection that is nothing to be saved. That its name is declared as well has no effect, since it is
/// stored.
private final class TableRow: ManagedObject {
  override class var keysNotDirtyingContext: Set<String> {
    super.keysNotDirtyingContext.union(["selected", "place", "hint", "anything", "name", "nothing"])
  }

  func hint(_ text: String) throws {
    willChangeValue(forKey: "hint")
    try setPrimitiveValue(text, forKey: "hint")
    didChangeValue(forKey: "hint")
  }
}

/// Has one more such key than its superclass.
private final class WideTableRow: ManagedObject {
  override class var keysNotDirtyingContext: Set<String> { ["mark"] }
}

@Suite("Keys whose changes do not dirty the object", .everyStore)
struct UndirtyingKeyTests {
  private static let selected = AttributeKey<ManagedObject, Bool>("selected")

  private let stack: TestStack
  private let manager = GraphUndoManager()
  private var context: ManagedObjectContext { stack.context }
  private let row: ManagedObject

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Row", className: "Row",
          attributes: [
            AttributeDefinition("name", .string),
            AttributeDefinition("selected", .boolean, isTransient: true),
            AttributeDefinition("mark", .string, isTransient: true, maxLength: 3),
            AttributeDefinition("hint", .string, isTransient: true),
            AttributeDefinition(
              "place", .composite, isTransient: true,
              elements: [AttributeDefinition("x", .int64), AttributeDefinition("y", .int64)]),
          ]),
        EntityDefinition(
          "OpenRow", className: "Row",
          attributes: [
            AttributeDefinition("name", .string),
            AttributeDefinition("anything", .undefined, isTransient: true),
          ]),
      ]), classes: ["Row": TableRow.self])
    row = try stack.context.insert("Row", ["name": "a"])
    try stack.context.save()
    try stack.context.setUndoManager(manager)
  }

  private func isClean() throws -> Bool {
    try context.checkInvariants()
    return !row.isUpdated && !row.hasChanges && !context.hasChanges && context.updatedObjects.isEmpty
      && row.changedKeys.isEmpty && !row.hasPersistentChangedValues
  }

  @Test(
    "OBJ-104: such a change sets no flag and gives a save nothing to do; another key's does", arguments: 0..<4
  )
  func flags(_ way: Int) throws {
    switch way {
    case 0: row[Self.selected] = true
    case 1: try row.setValue(["x": 1, "y": 2] as [String: Any?], forKey: "place")
    case 2: try #require(row as? TableRow).hint("h")
    default: try row.setValue(3, forKeyPath: "place.x")
    }
    #expect(try isClean())
    var told: [ObjectsDidChange] = []
    var saves = 0
    let tokens = [
      context.observe(.objectsDidChange) { told.append($0) }, context.observe(.didSave) { _ in saves += 1 },
    ]
    #expect(try stack.statements { try context.save() } == 0 && saves == 0)
    #expect(told.map(\.updated) == [[row]])
    #expect(try isClean())
    try row.setValue("m", forKey: "mark")
    #expect(row.isUpdated && context.hasChanges)
    context.rollback()
    try row.setValue("a", forKey: "name")
    #expect(row.isUpdated && context.hasChanges)
    context.rollback()
    #expect(try isClean())
    switch way {
    case 0: #expect(row[Self.selected] == true)
    case 2: #expect(try row.string("hint") == "h")
    default: #expect(try row.value(forKeyPath: "place.x") as? Int64 == (way == 1 ? 1 : 3))
    }
    for token in tokens { token.cancel() }
  }

  @Test("OBJ-104: an undefined attribute is such a key too")
  func undefined() throws {
    let open = try context.insert("OpenRow", ["name": "a"])
    try context.save()
    manager.removeAllActions()
    try open.setValue([1, 2], forKey: "anything")
    #expect(!open.isUpdated && !context.hasChanges)
    try open.setValue("b", forKey: "name")
    context.rollback()
    #expect(try open.value(forKey: "anything") as? [Int] == [1, 2])
    #expect(try open.string("name") == "a" && !context.hasChanges)
    try open.setValue([3], forKey: "anything")
    try context.undo()
    #expect(try open.value(forKey: "anything") as? [Int] == [1, 2])
    #expect(!open.isUpdated && !context.hasChanges)
    try context.checkInvariants()
  }

  @Test("OBJ-104: it can be undone and redone, alone and beside others, before and after a save")
  func undo() throws {
    for flag in [true, false, true] {
      row[Self.selected] = flag
      try context.processPendingChanges()
    }
    #expect(manager.undoCount == 3)
    var seen: [Bool?] = []
    while manager.canUndo {
      try context.undo()
      seen.append(row[Self.selected])
      #expect(try isClean())
    }
    #expect(seen == [false, true, nil])
    for flag in [true, false] {
      try context.redo()
      #expect(try row[Self.selected] == flag && isClean())
    }
    manager.removeAllActions()
    row[Self.selected] = true
    try row.setValue("b", forKey: "name")
    row[Self.selected] = nil
    #expect(row.isUpdated && row.changedKeys == ["name"])
    try context.processPendingChanges()
    row[Self.selected] = true
    try context.undo()
    #expect(row[Self.selected] == nil && row.isUpdated)
    try context.undo()
    #expect(try row[Self.selected] == false && row.string("name") == "a" && isClean())
    try context.redo()
    #expect(try row[Self.selected] == nil && row.string("name") == "b" && row.isUpdated)
    context.rollback()
    #expect(try row[Self.selected] == false && row.string("name") == "a" && isClean())

    row[Self.selected] = true
    try context.processPendingChanges()
    let other = try context.insert("Row", [:])
    try context.save()
    try context.undo()
    #expect(other.isDeleted)
    try context.undo()
    #expect(row[Self.selected] == false && !row.isUpdated)
    #expect(context.updatedObjects.isEmpty && context.deletedObjects == [other])
  }

  @Test("OBJ-104: what was recorded of it outlasts a save, and is undone after what the save has written")
  func undoBehindSave() throws {
    for flag in [true, false] {
      row[Self.selected] = flag
      try context.processPendingChanges()
    }
    try #require(row as? TableRow).hint("h")
    try context.processPendingChanges()
    try row.setValue("b", forKey: "name")
    try context.save()
    #expect(try row[Self.selected] == false && row.string("hint") == "h" && isClean())
    #expect(try stack.otherProcess().all("Row")[0].string("name") == "b")
    try context.undo()
    #expect(try row.string("name") == "a" && row.isUpdated)
    try context.save()
    try context.undo()
    #expect(try row.string("hint") == nil && row[Self.selected] == false && isClean())
    try context.undo()
    #expect(try row[Self.selected] == true && isClean())
  }

  @Test("OBJ-104, CTX-132: a rollback leaves such a value, and what comes after it is recorded as ever")
  func rollback() throws {
    row[Self.selected] = true
    context.rollback()
    #expect(try row[Self.selected] == true && isClean())
    row[Self.selected] = false
    try context.undo()
    #expect(row[Self.selected] == true)
    try row.setValue("b", forKey: "name")
    row[Self.selected] = false
    try context.undo()
    #expect(try row.string("name") == "a" && row[Self.selected] == true && isClean())
  }

  @Test("OBJ-104: observers are told of it, with its old value, once an event")
  func messages() throws {
    var told: [ObjectObserver.Change] = []
    var old: [String: Any?] = [:]
    let observer = ObjectObserver(object: row) { change in
      told.append(change)
      old = (try? row.changedValuesForCurrentEvent()) ?? [:]
    }
    var values: [Bool?] = []
    let token = try row.observe("selected") { values.append($0.newValue as? Bool) }
    row[Self.selected] = true
    row[Self.selected] = false
    try context.processPendingChanges()
    #expect(told == [.update] && Array(old.keys) == ["selected"] && values == [true, false])
    row[Self.selected] = true
    #expect(try row.changedValuesForCurrentEvent()["selected"] as? Bool == false)
    context.rollback()
    #expect(told == [.update, .update] && row[Self.selected] == true)
    row[Self.selected] = false
    try context.processPendingChanges()
    #expect(told.count == 3)
    token.cancel()
    withExtendedLifetime(observer) {}
  }

  @Test("OBJ-104: the value goes with the object's values, and what was recorded of it")
  func refresh() throws {
    row[Self.selected] = true
    try context.processPendingChanges()
    row[Self.selected] = false
    try context.refresh(row, mergeChanges: false)
    #expect(try row[Self.selected] == nil && isClean())
    #expect(!manager.canUndo)
    try context.undo()
    #expect(row[Self.selected] == nil)
  }

  @Test("OBJ-104: of an inserted, changed or deleted object it is a change like any other")
  func changedObjects() throws {
    let new = try context.insert("Row", [:])
    new[Self.selected] = true
    #expect(new.isInserted && new[Self.selected] == true)
    try row.setValue("b", forKey: "name")
    row[Self.selected] = true
    try context.save()
    #expect(try row[Self.selected] == true && isClean())
    #expect(try stack.otherProcess().all("Row", "name == 'b'").count == 1)
    row[Self.selected] = false
    try context.delete(row)
    row[Self.selected] = nil
    context.rollback()
    #expect(try row[Self.selected] == false && isClean())
    try context.save()
  }

  @Test("OBJ-104: a class without a superclass's keys has its own alone")
  func declaration() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Row", className: "Row", attributes: [AttributeDefinition("mark", .string, isTransient: true)])
      ]), classes: ["Row": WideTableRow.self])
    let row = try stack.context.insert("Row", [:])
    try stack.context.save()
    try row.setValue("x", forKey: "mark")
    #expect(!row.isUpdated && !stack.context.hasChanges)
    #expect(ManagedObject.keysNotDirtyingContext.isEmpty)
  }
}
