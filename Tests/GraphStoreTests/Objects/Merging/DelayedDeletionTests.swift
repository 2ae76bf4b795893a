import Foundation
import Testing

@testable import GraphStore

private final class Note: ManagedObject, DelayedDeletable {
  enum Keys {
    static let text = AttributeKey<Note, String>("text")
    static let mark = AttributeKey<Note, Date>("markedForDeletionDate")
  }

  nonisolated(unsafe) static var deletions = 0

  var text: String? {
    get { self[Keys.text] }
    set { self[Keys.text] = newValue }
  }
  var markedForDeletionDate: Date? {
    get { self[Keys.mark] }
    set { self[Keys.mark] = newValue }
  }

  override class var defaultPredicate: QueryPredicate { notMarkedForDeletionPredicate }

  override func willSave() {
    if isNewlyMarkedForDeletion, (try? object(forKey: "folder")) != nil {
      try? setValue(nil, forKey: "folder")
    }
    if text == "marks itself" { markForDeletion() }
  }

  override func prepareForDeletion() { Self.deletions += 1 }
}

@Suite("Deletion in two steps", .everyStore, .serialized)
struct DelayedDeletionTests {
  private static let model = ModelDefinition(
    name: "Notes",
    entities: [
      EntityDefinition(
        "Note", className: "Note",
        attributes: [
          AttributeDefinition("text", .string), AttributeDefinition("markedForDeletionDate", .date),
        ],
        relationships: [
          RelationshipDefinition("folder", to: "Folder", inverse: "notes"),
          RelationshipDefinition("parts", to: "Note", inverse: "whole", isToMany: true, deleteRule: .cascade),
          RelationshipDefinition("whole", to: "Note", inverse: "parts"),
        ]),
      EntityDefinition(
        "Folder", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("notes", to: "Note", inverse: "folder", isToMany: true)]),
    ])

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(Self.model, classes: ["Note": Note.self])
    Note.deletions = 0
  }

  private func note(_ text: String, in folder: ManagedObject? = nil) throws -> Note {
    let note = try context.insert(Note.self)
    note.text = text
    if let folder { try note.setValue(folder, forKey: "folder") }
    return note
  }

  @Test(
    "CTX-365, CTX-366, PAT-101, PAT-102: marking sets the date to now, and never moves the date of a realised object"
  )
  func marking() throws {
    let note = try note("a")
    #expect(note.markedForDeletionDate == nil)
    let before = Date()
    note.markForDeletion()
    let date = try #require(note.markedForDeletionDate)
    #expect(date >= before && date <= Date())
    note.markForDeletion()
    #expect(note.markedForDeletionDate == date)
    try context.save()
    try context.refresh(note, mergeChanges: false)
    #expect(note.isFault)
    note.markForDeletion()
    #expect(note.isUpdated)
    #expect(try #require(note.markedForDeletionDate) >= date)
    let itself = try self.note("marks itself")
    try context.save()
    #expect(itself.markedForDeletionDate != nil)
  }

  @Test(
    "CTX-367, PAT-103: marked objects are hidden from the fetches of their class, and relationships show them"
  )
  func hiding() throws {
    let folder = try context.insert("Folder", ["name": "f"])
    let (kept, whole, part) = (try note("kept", in: folder), try note("whole"), try note("part"))
    try part.setValue(whole, forKey: "whole")
    try context.save()
    #expect(
      Note.notMarkedForDeletionPredicate == (try QueryPredicate(parsing: "markedForDeletionDate == NULL")))
    part.markForDeletion()
    #expect(try Set(context.fetch(Note.sortedFetchRequest)) == [kept, whole])
    try context.save()
    #expect(try Set(context.fetch(Note.sortedFetchRequest)) == [kept, whole])
    #expect(try context.fetch(Note.fetchRequest()).count == 3)
    #expect(try whole.objects(forKey: "parts") == [part])
  }

  @Test("CTX-368, PAT-104: while a mark is unsaved willSave can cut relationships")
  func newlyMarked() throws {
    let folder = try context.insert("Folder", ["name": "f"])
    let note = try note("a", in: folder)
    try context.save()
    #expect(!note.isNewlyMarkedForDeletion)
    note.markForDeletion()
    #expect(note.isNewlyMarkedForDeletion)
    try context.save()
    #expect(try !note.isNewlyMarkedForDeletion && note.object(forKey: "folder") == nil)
    #expect(try folder.objects(forKey: "notes").isEmpty)
    note.markedForDeletionDate = nil
    #expect(!note.isNewlyMarkedForDeletion)
  }

  @Test(
    "CTX-369, CTX-370, CTX-371, CTX-476, PAT-105: old marks are purged in the store with delete rules; hooks run where the purge validates, and not before",
    arguments: [false, true]
  )
  func purging(validating: Bool) throws {
    let (old, fresh, unmarked, part) = (
      try note("old"), try note("fresh"), try note("unmarked"), try note("part")
    )
    try part.setValue(old, forKey: "whole")
    old.markedForDeletionDate = Date(timeIntervalSinceNow: -121)
    fresh.markedForDeletionDate = Date(timeIntervalSinceNow: -60)
    try context.save()
    #expect(Note.deletions == 0 && !old.isDeleted && !part.isDeleted)
    #expect(try Note.purgeMarkedObjects(validating: validating, in: context) == 1)
    #expect(Note.deletions == (validating ? 2 : 0))
    #expect(try Set(context.fetch(Note.fetchRequest())) == [fresh, unmarked])
    #expect(try Note.purgeMarkedObjects(validating: validating, in: context) == 0)
    #expect(try Note.purgeMarkedObjects(olderThan: -1, validating: validating, in: context) == 1)
    #expect(try stack.otherProcess().all("Note").count == 1)
  }

  @Test("CTX-372, PAT-099, PAT-106, PAT-100: mark, save, merge, let go, purge: nobody meets a missing record")
  func steps() throws {
    let theirs = try note("a")
    try context.save()
    let here = stack.newContext()
    var mine: Note? = try here.existingObject(with: theirs.objectID) as? Note
    theirs.markForDeletion()
    try here.mergeChanges(fromContextDidSave: try context.saveTakingChanges())
    // The record is there still, also for a fault.
    #expect(mine?.isFault == true && mine?.text == "a" && mine?.markedForDeletionDate != nil)
    #expect(try here.fetch(Note.sortedFetchRequest).isEmpty)
    let held = try here.object(with: theirs.objectID)
    mine = nil
    #expect(try Note.purgeMarkedObjects(olderThan: -1, in: context) == 1)
    #expect(!here.hasChanges)
    // Who has not let go sees the object turn deleted when it reads it.
    try here.refresh(held, mergeChanges: true)
    #expect(try held.value(forKey: "text") == nil)
    #expect(held.isDeleted)
  }
}
