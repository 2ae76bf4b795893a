import Foundation
import GraphStore
import Testing

/// What happens on access to objects whose record is gone, or which have left their context.
@Suite("Access to objects that are gone", .everyStore)
struct InaccessibleAccessTests {
  private let stack: TestStack
  private let ids: [ManagedObjectID]
  private var context: ManagedObjectContext { stack.context }

  /// Two things whose record is gone, and one that is there.
  init() throws {
    var model = TestModels.types
    model.entities[0].relationships = [
      RelationshipDefinition("next", to: "Thing", inverse: "previous"),
      RelationshipDefinition("previous", to: "Thing", inverse: "next", isToMany: true),
    ]
    stack = try TestStack(model)
    let things = try (0..<3).map { [context = stack.context] in
      try context.insert("Thing", ["text": "\($0)", "large": 7])
    }
    try stack.context.save()
    ids = things.map(\.objectID)
    stack.context.reset()
    for id in ids.prefix(2) { try stack.removeRow(id) }
  }

  @Test("FLT-125: inaccessible faults are marked as deleted by default, for each context on its own")
  func setting() throws {
    let other = stack.newContext()
    #expect(context.shouldDeleteInaccessibleFaults && other.shouldDeleteInaccessibleFaults)
    other.shouldDeleteInaccessibleFaults = false
    let (mine, theirs) = (try context.object(with: ids[0]), try other.object(with: ids[0]))
    #expect(try mine.string("text") == nil && mine.isDeleted)
    #expect(code { _ = try theirs.string("text") } == .inaccessibleObject && !theirs.isDeleted)
  }

  @Test(
    "FLT-126, FLT-127, FLT-194: marked, it reads as nothing, is deleted and told as such, and nothing traps")
  func marked() throws {
    let thing = try context.object(with: ids[0])
    var (changed, saved): (ObjectsDidChange?, ContextDidSave?)
    let tokens = [
      context.observe(.objectsDidChange) { changed = $0 }, context.observe(.didSave) { saved = $0 },
    ]
    #expect(try thing.value(forKey: "large") == nil && thing.value(forKeyPath: "next.text") == nil)
    #expect(try thing.object(forKey: "next") == nil && thing.objects(forKey: "previous").isEmpty)
    #expect(thing[AttributeKey<ManagedObject, String>("text")] == nil && thing["moment"] == nil)
    #expect(thing.isDeleted && !thing.isFault && context.deletedObjects == [thing])
    #expect(context.takeDeferredErrors().isEmpty)
    try context.processPendingChanges()
    #expect(changed?.deleted == [thing])
    try context.save()
    #expect(saved?.deleted == [thing] && !context.hasChanges)
    for token in tokens { token.cancel() }
  }

  @Test("FLT-129: typed properties that are not optional read as zero of their type")
  func zeros() throws {
    let thing = try context.object(with: ids[0])
    #expect(
      thing[default: AttributeKey<ManagedObject, Int16>("small")] == 0
        && thing[default: AttributeKey<ManagedObject, Int64>("large")] == 0)
    #expect(
      thing[default: AttributeKey<ManagedObject, Double>("ratio")] == 0
        && thing[default: AttributeKey<ManagedObject, Float>("single")] == 0
    )
    #expect(
      thing[default: AttributeKey<ManagedObject, Bool>("flag")] == false
        && thing[default: AttributeKey<ManagedObject, String>("text")] == "")
    #expect(thing[default: AttributeKey<ManagedObject, Data>("bytes")] == Data())
    #expect(
      thing[default: AttributeKey<ManagedObject, Date>("moment")] == Date(timeIntervalSinceReferenceDate: 0))
    #expect(
      thing[default: AttributeKey<ManagedObject, UUID>("tag")]
        == UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    #expect(
      thing[ToOneKey<ManagedObject, ManagedObject>("next")] == nil
        && thing[ToManyKey<ManagedObject, Set<ManagedObject>>("previous")] == [])
    #expect(context.takeDeferredErrors().isEmpty)
  }

  @Test(
    "FLT-131: with marking off, what cannot throw reads as nothing, and the next save throws the kept error")
  func kept() throws {
    context.shouldDeleteInaccessibleFaults = false
    let thing = try context.object(with: ids[0])
    #expect(
      thing[AttributeKey<ManagedObject, String>("text")] == nil
        && thing[default: AttributeKey<ManagedObject, Int64>("large")] == 0)
    #expect(thing[ToOneKey<ManagedObject, ManagedObject>("next")] == nil && thing["moment"] == nil)
    #expect(thing.isFault && !thing.isDeleted)
    try context.object(with: ids[2]).setValue("x", forKey: "text")
    #expect(code { try context.save() } == .inaccessibleObject)
    let errors = context.takeDeferredErrors()
    #expect(!errors.isEmpty && errors.allSatisfy { ($0 as? GraphStoreError)?.code == .inaccessibleObject })
    try context.save()
    #expect(try stack.otherProcess().existingObject(with: other(ids[2])).string("text") == "x")
  }

  private func other(_ id: ManagedObjectID) throws -> ManagedObjectID {
    try #require(stack.otherProcess().coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation))
  }

  @Test("FLT-130: the error of a thrown access names the record")
  func text() throws {
    context.shouldDeleteInaccessibleFaults = false
    let thing = try context.object(with: ids[0])
    let error = failure { _ = try thing.string("text") }
    #expect(
      error?.number == 133_000
        && error?.message.localizedCaseInsensitiveContains("could not fulfill a fault for") == true)
    #expect(error?.message.contains(ids[0].uriText) == true)
  }

  @Test("FLT-133: setting a property revives nothing, and is never written", arguments: [true, false])
  func setting(_ marks: Bool) throws {
    context.shouldDeleteInaccessibleFaults = marks
    let thing = try context.object(with: ids[0])
    for set in [
      { try thing.setValue("x", forKey: "text") }, { try thing.setValue(nil, forKey: "next") },
      { try thing.setValue(1, forKeyPath: "large") },
    ] {
      #expect(code(set) == (marks ? nil : .inaccessibleObject))
    }
    thing[AttributeKey<ManagedObject, String>("text")] = "y"
    _ = context.takeDeferredErrors()
    #expect(thing.isDeleted == marks)
    try context.save()
    #expect(try stack.otherProcess().all("Thing").count == 1)
    #expect(failure { _ = try context.existingObject(with: ids[0]) }?.code == .objectNotFound)
  }

  @Test("FLT-136: a record that is gone, a reference that is, and a look-up without result are three errors")
  func errors() throws {
    context.shouldDeleteInaccessibleFaults = false
    let (gone, there) = (try context.object(with: ids[0]), try context.existingObject(with: ids[2]))
    #expect(code { _ = try gone.string("text") } == .inaccessibleObject)
    #expect(code { _ = try context.existingObject(with: ids[1]) } == .objectNotFound)
    context.reset()
    for read in [{ _ = try there.string("text") }, { try there.setValue("x", forKey: "text") }] {
      let error = failure(read)
      #expect(error?.code == .objectInvalidated && error?.message.contains("has been invalidated") == true)
      #expect(error?.message.contains(ids[2].uriText) == true)
    }
    #expect(there[AttributeKey<ManagedObject, String>("text")] == nil && there.managedObjectContext == nil)
    #expect(there.objectID == ids[2] && there.entity.name == "Thing" && there == there)
    // The record is there, and another object stands for it.
    #expect(try context.existingObject(with: ids[2]).string("text") == "2")
  }

  @Test(
    "FLT-137: after the save of its deletion an object is a detached fault, whatever the setting",
    arguments: [true, false])
  func detached(_ marks: Bool) throws {
    context.shouldDeleteInaccessibleFaults = marks
    let thing = try context.existingObject(with: ids[2])
    try context.delete(thing)
    try context.save()
    #expect(
      thing.isFault && !thing.isDeleted && thing.managedObjectContext == nil && thing.objectID == ids[2])
    #expect(failure { _ = try thing.string("text") }?.number == 133_000)
    #expect(failure { _ = try thing.objects(forKey: "previous") }?.number == 133_000)
    #expect(failure { _ = try thing.object(forKey: "next") }?.number == 133_000)
    #expect(failure { _ = try thing.objectIDs(forRelationshipNamed: "previous") }?.number == 133_000)
    #expect(code { try thing.setValue("x", forKey: "text") } == .objectDetached)
    #expect(
      thing[AttributeKey<ManagedObject, String>("text")] == nil
        && thing[default: AttributeKey<ManagedObject, Int64>("large")] == 0)
    #expect(thing[ToManyKey<ManagedObject, Set<ManagedObject>>("previous")].isEmpty && !context.hasChanges)
  }

  @Test("FLT-139: existence is asked by a look-up or a fetch of the identifier; nothing else tells")
  func existence() throws {
    let fault = try context.object(with: ids[0])
    #expect(context.registeredObject(for: ids[0]) === fault && fault.isFault)
    func count(_ id: ManagedObjectID) throws -> Int {
      return try context.count(
        for: FetchRequest(entityName: "Thing", predicate: QueryPredicate("SELF == %@", id)))
    }
    #expect(try count(ids[0]) == 0 && count(ids[2]) == 1)
    #expect(code { _ = try context.existingObject(with: ids[0]) } == .objectNotFound)
    #expect(try context.existingObject(with: ids[2]).objectID == ids[2])
  }
}
