import Testing

@testable import GraphStore

/// Keeps what is selected beside what is stored.
private final class Row: ManagedObject {
  static let name = AttributeKey<Row, String>("name")
  static let isSelected = AttributeKey<Row, Bool>("isSelected")

  override class var keysNotDirtyingContext: Set<String> { ["isSelected", "hint", "name"] }

  func choose(_ hint: String) {
    willChangeValue(forKey: "hint")
    try? setPrimitiveValue(hint, forKey: "hint")
    didChangeValue(forKey: "hint")
  }
}

@Suite("Keys whose changes leave the object unchanged", .everyStore)
struct QuietKeyTests {
  private let stack: TestStack
  private let row: Row
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Row", className: "Row",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("hint", .string, isTransient: true),
            AttributeDefinition("isSelected", .boolean, isTransient: true),
            AttributeDefinition("mark", .boolean, isTransient: true),
          ])
      ]), classes: ["Row": Row.self])
    row = try stack.context.insert(Row.self)
    row[Row.name] = "one"
    try stack.context.save()
  }

  @Test("OBJ-104: neither the object nor its context is changed, nothing is saved, and the value stays")
  func unchanged() throws {
    row[Row.isSelected] = true
    row.choose("h")
    #expect(!row.isUpdated && !row.hasChanges && !context.hasChanges && context.updatedObjects.isEmpty)
    #expect(try stack.statements { try context.save() } == 0)
    #expect(try row[Row.isSelected] == true && row.string("hint") == "h")
    try context.checkInvariants()
    // Other keys are as always, transient or declared without effect.
    try row.setValue(true, forKey: "mark")
    #expect(row.isUpdated)
    context.rollback()
    row[Row.name] = "two"
    #expect(row.isUpdated && row.changedKeys == ["name"])
    row[Row.isSelected] = false
    try context.save()
    #expect(row[Row.isSelected] == false && !context.hasChanges)
    #expect(try stack.otherProcess().all("Row")[0].string("name") == "two")
    try context.checkInvariants()
  }

  @Test("OBJ-104: observers of the key and of the context are told")
  func told() throws {
    var values: [Bool?] = []
    let key = try row.observe("isSelected") { change in values.append(change.newValue as? Bool) }
    var updated: Set<ManagedObject> = []
    let token = context.observe(.objectsDidChange) { updated.formUnion($0.updated) }
    row[Row.isSelected] = true
    try context.processPendingChanges()
    #expect(values == [true] && updated == [row] && !context.hasChanges)
    key.cancel()
    token.cancel()
  }

  @Test("OBJ-104: it is undone and redone, before and after a save, and the object stays unchanged")
  func undoing() throws {
    let manager = GraphUndoManager()
    try context.setUndoManager(manager)
    for isSelected in [true, false] {
      row[Row.isSelected] = isSelected
      try context.processPendingChanges()
    }
    row.choose("h")
    try context.processPendingChanges()
    func expect(_ isSelected: Bool?, _ hint: String?) throws {
      #expect(try row[Row.isSelected] == isSelected && row.string("hint") == hint)
      #expect(!row.hasChanges && !context.hasChanges)
      try context.checkInvariants()
    }
    try expect(false, "h")
    try context.undo()
    try expect(false, nil)
    try context.undo()
    try expect(true, nil)
    try context.undo()
    try expect(nil, nil)
    #expect(!manager.canUndo && manager.canRedo)
    for _ in 0..<3 { try context.redo() }
    try expect(false, "h")
    row[Row.name] = "two"
    try context.save()
    try expect(false, "h")
    try context.undo()
    #expect(row[Row.name] == "one" && row.isUpdated)
    try context.save()
    try context.undo()
    try expect(false, nil)
    try context.undo()
    try expect(true, nil)
  }

  @Test("OBJ-104, CTX-132: a rollback leaves such a value, and what comes after it is recorded as ever")
  func rollback() throws {
    try context.setUndoManager(GraphUndoManager())
    row[Row.isSelected] = true
    context.rollback()
    #expect(row[Row.isSelected] == true && !context.hasChanges)
    row[Row.isSelected] = false
    try context.undo()
    #expect(row[Row.isSelected] == true)
    row[Row.name] = "two"
    row[Row.isSelected] = false
    try context.undo()
    #expect(row[Row.name] == "one" && row[Row.isSelected] == true && !context.hasChanges)
  }
}
