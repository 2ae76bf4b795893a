import GraphStore
import Testing

/// Keeps its transient label in a stored shadow, which only a save computes.
private final class Labelled: ManagedObject {
  override func willSave() {
    let label = try? primitiveValue(forKey: "label")
    try? setPrimitiveValue(label, forKey: "shadow")
  }
}

@Suite("Transient attributes", .everyStore)
struct TransientAttributeTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Note",
          attributes: [
            AttributeDefinition("text", .string),
            AttributeDefinition("mark", .string, isTransient: true, maxLength: 7),
            AttributeDefinition("color", .string, isTransient: true, defaultValue: .string("white")),
            AttributeDefinition(
              "rank", .int16, isOptional: false, isTransient: true, defaultValue: .number("7")),
          ],
          relationships: [
            RelationshipDefinition("notes", to: "Note", inverse: "links", isToMany: true),
            RelationshipDefinition("links", to: "Note", inverse: "notes", isToMany: true),
          ])
      ]))
  }

  @Test("OBJ-255: what one context has set is its own, and no other sees it through the row cache")
  func private_() throws {
    let note = try context.insert("Note", ["text": "a", "mark": "mine", "color": "red"])
    try context.save()
    #expect(try note.string("mark") == "mine" && note.string("color") == "red")
    let other = try stack.newContext().all("Note")[0]
    #expect(try other.string("mark") == nil && other.string("color") == "white")
    let again = try stack.newContext().object(with: note.objectID)
    #expect(try again.string("mark") == nil && again.string("text") == "a")

    try note.setValue("b", forKey: "text")
    try note.setValue("mine 2", forKey: "mark")
    try context.save()
    let third = try stack.newContext().object(with: note.objectID)
    #expect(
      try third.string("text") == "b" && third.string("mark") == nil && third.string("color") == "white")
    #expect(try note.string("mark") == "mine 2")
  }

  @Test("OBJ-255: a save that raises only the version shares no transient value either")
  func versionAlone() throws {
    let notes = try ["a", "b"].map { try context.insert("Note", ["text": $0]) }
    try context.save()
    try notes[0].setPrimitiveValue("mine", forKey: "mark")
    try notes[0].addObjects([notes[1]], forKey: "notes")
    try context.save()
    let other = try stack.newContext().object(with: notes[0].objectID)
    #expect(try other.string("mark") == nil && other.string("text") == "a")
    #expect(try notes[0].string("mark") == "mine")
  }

  @Test(
    "OBJ-255, OBJ-250, FLT-118: the value goes when the object becomes a fault, and the default comes back")
  func realized() throws {
    let note = try context.insert("Note", ["text": "a"])
    #expect(try note.string("color") == "white" && note.value(forKey: "rank") as? Int16 == 7)
    try note.setValue("red", forKey: "color")
    try note.setValue("mine", forKey: "mark")
    try context.save()
    try context.refresh(note, mergeChanges: false)
    #expect(try note.string("mark") == nil && note.string("color") == "white")
    #expect(try note.value(forKey: "rank") as? Int16 == 7)
    let elsewhere = try stack.otherProcess().all("Note")[0]
    #expect(try elsewhere.string("color") == "white" && elsewhere.value(forKey: "rank") as? Int16 == 7)
  }

  @Test(
    "OBJ-261, OBJ-250: a mandatory transient attribute that was not set does not hinder the update of a fetched object"
  )
  func mandatory() throws {
    try context.insert("Note", ["text": "a"])
    try context.save()
    let other = stack.newContext()
    let note = try other.all("Note")[0]
    try note.setValue("b", forKey: "text")
    try other.save()
    try note.setValue(nil, forKey: "rank")
    #expect { try other.save() } throws: { ($0 as? GraphStoreError)?.number == 1570 }
  }

  @Test("OBJ-256, OBJ-257, OBJ-093, CTX-038, MDL-108: a transient change counts, and writes no row")
  func changes() throws {
    let note = try context.insert("Note", ["text": "a"])
    try context.save()
    try note.setValue("mine", forKey: "mark")
    #expect(note.isUpdated && note.hasChanges && context.hasChanges)
    #expect(try !note.hasPersistentChangedValues && note.changedValues().isEmpty && note.changedKeys == [])
    // The record is looked at, since somebody else may have changed it (OBJ-095).
    #expect(try stack.statements { try context.save() } <= 1)
    #expect(try !note.hasChanges && note.string("mark") == "mine")
  }

  @Test("MDL-105: a transient value is validated at save, and tracked until it is rolled back")
  func validated() throws {
    let note = try context.insert("Note", ["text": "a", "mark": "first"])
    try context.save()
    try note.setValue("too long", forKey: "mark")
    let error = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(error?.number == 1660 && error?.property == "mark")
    #expect(context.updatedObjects == [note])
    context.rollback()
    #expect(!context.hasChanges)
    #expect(try note.string("mark") != "too long" && note.string("text") == "a")
  }

  @Test(
    "MDL-107: a mandatory transient value is asked for at save, before willSave computes its optional shadow")
  func mandatoryWithShadow() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Note", className: "Note",
          attributes: [
            AttributeDefinition("label", .string, isOptional: false, isTransient: true),
            AttributeDefinition("shadow", .string),
          ])
      ]), classes: ["Note": Labelled.self])
    let note = try stack.context.insert("Note", [:])
    let error = #expect(throws: GraphStoreError.self) { try stack.context.save() }
    #expect(error?.number == 1570 && error?.property == "label")
    try note.setValue("x", forKey: "label")
    try stack.context.save()
    #expect(try stack.otherProcess().all("Note")[0].string("shadow") == "x")
  }

  @Test("OBJ-262: setting a transient value of a fault realises the object first")
  func fault() throws {
    try context.insert("Note", ["text": "a"])
    try context.save()
    let note = try stack.newContext().all("Note")[0]
    #expect(note.isFault)
    try note.setValue("mine", forKey: "mark")
    #expect(try !note.isFault && note.string("text") == "a" && note.string("mark") == "mine")
  }

  @Test("OBJ-259, MDL-106: transient attributes filter and sort in memory, and are refused in a fetch")
  func predicates() throws {
    let notes = try ["b", "a"].map { try context.insert("Note", ["mark": $0]) }
    #expect(try QueryPredicate("mark == 'b'").evaluate(with: notes[0]))
    #expect {
      try context.all("Note", "mark == 'b'")
    } throws: {
      ($0 as? QueryPredicateError)?.code.rawValue == "transient-in-fetch"
    }
  }
}
