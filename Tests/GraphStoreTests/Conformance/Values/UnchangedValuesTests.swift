import Testing

@testable import GraphStore

/// Works its label out when it is realised, and corrects a stored number; keeps a note by a primitive write.
private final class Song: ManagedObject {
  override func awakeFromFetch() {
    self[AttributeKey<Song, String>("label")] = "worked out"
    self[AttributeKey<Song, Int64>("number")] = 7
    try? setPrimitiveValue("kept", forKey: "note")
  }
}

@Suite("Values that an object has set without being changed", .everyStore)
struct UnchangedValuesTests {
  private let stack: TestStack
  private let context: ManagedObjectContext
  private let song: ManagedObject

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Song", className: "Song",
          attributes: [
            AttributeDefinition("title", .string), AttributeDefinition("number", .int64),
            AttributeDefinition("note", .string), AttributeDefinition("label", .string, isTransient: true),
          ],
          relationships: [
            RelationshipDefinition("next", to: "Song", inverse: "previous"),
            RelationshipDefinition("previous", to: "Song", inverse: "next"),
          ])
      ]), classes: ["Song": Song.self])
    try stack.context.insert("Song", ["title": "a", "number": 1])
    try stack.context.save()
    stack.context.reset()
    context = stack.newContext()
    song = try context.all("Song")[0]
    try context.setUndoManager(GraphUndoManager())
  }

  private func expectUnchanged() throws {
    #expect(try song.string("title") == "a" && song.string("label") == "worked out")
    #expect(try song.value(forKey: "number") as? Int64 == 7 && song.string("note") == "kept")
    #expect(!song.hasChanges && !context.hasChanges && song.changedKeys.isEmpty)
    try context.checkInvariants()
  }

  @Test(
    "CTX-134, OBJ-066, OBJ-407: what awakeFromFetch has set stays when a change is taken back, and is saved with a later one",
    arguments: ["undo", "redo", "rollback", "undone deletion", "rolled back deletion", "link taken back"])
  func takenBack(_ way: String) throws {
    try expectUnchanged()
    switch way {
    case "undo", "redo":
      for title in ["b", "c"] {
        try song.setValue(title, forKey: "title")
        try context.processPendingChanges()
      }
      try context.undo()
      if way == "redo" {
        try context.undo()
        try context.redo()
      }
      #expect(try song.string("title") == "b" && song.string("label") == "worked out" && song.isUpdated)
      try context.undo()
    case "rollback":
      try song.setValue("b", forKey: "title")
      try context.processPendingChanges()
      try song.setValue("own", forKey: "label")
      try song.setValue(8, forKey: "number")
      context.rollback()
    case "undone deletion":
      try context.delete(song)
      try context.undo()
    case "rolled back deletion":
      try context.delete(song)
      context.rollback()
    default:
      let other = try context.insert("Song", [:])
      try context.save()
      try other.setValue(song, forKey: "next")
      try context.refresh(other, mergeChanges: false)
    }
    try expectUnchanged()
    #expect(try stack.statements { try context.save() } == 0)
    try song.setValue("c", forKey: "title")
    try context.save()
    #expect(
      try stack.otherProcess().all("Song", "title == 'c' AND number == 7 AND note == 'kept'").count == 1)
  }

  @Test(
    "CTX-134, OBJ-407: after a rollback a redone history begins anew, and the next change is undone alone")
  func undoAfterRollback() throws {
    try song.setValue("b", forKey: "title")
    context.rollback()
    try song.setValue("c", forKey: "title")
    try context.undo()
    try expectUnchanged()
    try context.redo()
    context.rollback()
    try expectUnchanged()
  }

  @Test(
    "CTX-134, OBJ-180, OBJ-407: brackets around primitive writes are taken back to what was there before them",
    arguments: ["undo", "rollback"], [false, true])
  func brackets(_ way: String, _ isNested: Bool) throws {
    try expectUnchanged()
    if isNested { song.willChangeValue(forKey: "note") }
    song.willChangeValue(forKey: "label")
    try song.setPrimitiveValue("own", forKey: "label")
    song.willChangeValue(forKey: "title")
    try song.setPrimitiveValue("b", forKey: "title")
    song.didChangeValue(forKey: "title")
    song.didChangeValue(forKey: "label")
    if isNested {
      try song.setPrimitiveValue("other", forKey: "note")
      song.didChangeValue(forKey: "note")
    }
    #expect(song.isUpdated && song.changedKeys.contains("title"))
    if way == "undo" { try context.undo() } else { context.rollback() }
    try expectUnchanged()
    song.willChangeValue(forKey: "title")
    song.didChangeValue(forKey: "title")
    #expect(song.isUpdated && !song.changedKeys.contains("title"))
    context.rollback()
    try expectUnchanged()
  }

  @Test("CTX-134, OBJ-071: a rollback after a merging refresh gives the new stored values, and the own ones")
  func rollbackAfterRefresh() throws {
    try song.setValue("b", forKey: "title")
    let other = stack.newContext()
    try other.existingObject(with: song.objectID).setValue("elsewhere", forKey: "title")
    try other.save()
    try context.refresh(song, mergeChanges: true)
    #expect(try song.string("title") == "b")
    context.rollback()
    #expect(try song.string("title") == "elsewhere" && song.string("label") == "worked out")
    #expect(!song.hasChanges)
    try context.checkInvariants()
  }
}
