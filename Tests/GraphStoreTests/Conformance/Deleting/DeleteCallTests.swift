import GraphStore
import Testing

@Suite("The call that deletes, and when rules are applied", .everyStore)
struct DeleteCallTests {
  private let stack: TestStack
  private let log = HookLog()
  private let ids: [String: ManagedObjectID]
  private var context: ManagedObjectContext { stack.context }

  /// Rome with Ada and Bob, which cascades to them, and Oslo, which both have visited.
  init() throws {
    stack = try TestStack(hooked: GraphModels.city(residents: .cascade), log)
    let context = stack.context
    var all: [String: ManagedObject] = [:]
    for name in ["Rome", "Oslo"] { all[name] = try context.insert("City", ["name": name]) }
    for name in ["Ada", "Bob"] {
      all[name] = try context.insert("Person", ["name": name, "homeTown": all["Rome"]!])
      try all[name]!.addObjects([all["Oslo"]!], forKey: "citiesVisited")
    }
    try context.save()
    ids = all.mapValues(\.objectID)
    context.reset()
  }

  private func object(_ name: String) throws -> ManagedObject {
    try context.object(with: try #require(ids[name]))
  }

  @Test("REL-170, REL-173, REL-424: the call flags, lists and prepares, loads nothing and applies no rule")
  func call() throws {
    let (rome, ada) = (try object("Rome"), try object("Ada"))
    #expect(try stack.statements { try context.delete(rome) } == 0)
    #expect(rome.isDeleted && context.deletedObjects == [rome] && log.objects == [rome])
    #expect(rome.isFault && ada.isFault && !ada.isDeleted && !ada.isUpdated && context.registeredCount == 2)
    let new = try context.insert("City", ["name": "new"])
    try context.delete(new)
    #expect(new.isDeleted && log.objects == [rome, new])
    #expect(context.deletedObjects == [rome] && context.insertedObjects.isEmpty)
  }

  @Test("REL-171: deleting again, and deleting what has left, does nothing and calls no hook")
  func again() throws {
    let rome = try object("Rome")
    for _ in 0..<2 { try context.delete(rome) }
    let ada = try object("Ada")
    try context.processPendingChanges()
    try context.delete(ada)
    #expect(log.objects.filter { $0 === rome }.count == 1 && log.objects.filter { $0 === ada }.count == 1)
    try context.save()
    let count = log.objects.count
    try context.delete(rome)
    let oslo = try object("Oslo")
    context.reset()
    try context.delete(oslo)
    #expect(log.objects.count == count && !context.hasChanges && context.deletedObjects.isEmpty)
  }

  @Test("REL-172: objects of another context are refused, whose name the error tells; nothing changes")
  func foreign() throws {
    let other = stack.newContext()
    (context.name, other.name) = ("mine", "theirs")
    let (rome, theirs) = (try object("Rome"), try other.existingObject(with: ids["Ada"]!))
    for call in [
      { try context.delete(theirs) }, { try context.refresh(theirs, mergeChanges: true) },
      { try rome.addObjects([theirs], forKey: "visitors") }, { try rome.setValue(theirs, forKey: "mayor") },
    ] {
      let error = failure(call)
      #expect(error?.code == .contextMismatch && error?.number == 136_024)
      #expect(error?.message.contains("mine") == true && error?.message.contains("theirs") == true)
    }
    #expect(!theirs.isDeleted && !theirs.isFault && !context.hasChanges && !other.hasChanges)
    #expect(log.objects.isEmpty)
  }

  @Test("REL-174: deleted objects, hooks and notifications keep the order of the calls")
  func order() throws {
    let all = try ["Oslo", "Bob", "Rome", "Ada"].map { try object($0) }
    for object in all { try context.delete(object) }
    #expect(context.deletedObjects == all && log.objects == all)
    try context.processPendingChanges()
    #expect(context.deletedObjects == all && log.objects == all)
    var deleted: [Set<ManagedObjectID>] = []
    let token = context.observe(.didSaveObjectIDs) { deleted.append($0.deleted) }
    try context.save()
    #expect(deleted == [Set(ids.values)])
    token.cancel()
  }

  @Test(
    "REL-175, REL-092: rules wait for the processing, or for the save where they are put off",
    arguments: [true, false])
  func timing(_ atEndOfEvent: Bool) throws {
    context.propagatesDeletesAtEndOfEvent = atEndOfEvent
    #expect(ManagedObjectContext(coordinator: stack.coordinator).propagatesDeletesAtEndOfEvent)
    let (rome, ada) = (try object("Rome"), try object("Ada"))
    try context.delete(rome)
    #expect(!ada.isDeleted)
    try context.processPendingChanges()
    #expect(ada.isDeleted == atEndOfEvent)
    _ = try context.all("City")
    #expect(ada.isDeleted == atEndOfEvent)
    try context.save()
    #expect(try stack.otherProcess().all("Person").isEmpty)
  }

  @Test("REL-177: until then both ends show the links of the deleted object, and not after")
  func linksUntilThen() throws {
    let (ada, rome, oslo) = (try object("Ada"), try object("Rome"), try object("Oslo"))
    try rome.setValue(ada, forKey: "mayor")
    try context.processPendingChanges()
    try context.delete(ada)
    #expect(try ada.object(forKey: "homeTown") === rome && ada.object(forKey: "mayorOf") === rome)
    #expect(try rome.objects(forKey: "residents").contains(ada) && rome.object(forKey: "mayor") === ada)
    #expect(
      try oslo.objects(forKey: "visitors").contains(ada) && ada.objects(forKey: "citiesVisited") == [oslo])
    try context.processPendingChanges()
    #expect(try ada.object(forKey: "homeTown") == nil && ada.objects(forKey: "citiesVisited").isEmpty)
    #expect(try rome.names("residents") == ["Bob"] && rome.object(forKey: "mayor") == nil)
    #expect(try oslo.names("visitors") == ["Bob"])
  }

  @Test("REL-178: what was changed and is then deleted is deleted, and its changes are not saved")
  func changedBefore() throws {
    let (ada, bob) = (try object("Ada"), try object("Bob"))
    try ada.setValue("Eve", forKey: "name")
    try bob.setValue("Rob", forKey: "name")
    #expect(context.updatedObjects == [ada, bob])
    try context.delete(ada)
    #expect(context.updatedObjects == [bob] && context.deletedObjects == [ada])
    var saved: [ContextDidSave] = []
    let token = context.observe(.didSave) { saved.append($0) }
    try context.save()
    token.cancel()
    #expect(saved[0].deleted == [ada] && saved[0].updated.contains(bob) && !saved[0].updated.contains(ada))
    #expect(try stack.otherProcess().all("Person").map { try $0.string("name") } == ["Rob"])
  }

  @Test("REL-179, REL-180: the notifications of processing and save list the same objects")
  func notifications() throws {
    let (rome, oslo, ada, bob) = (
      try object("Rome"), try object("Oslo"), try object("Ada"), try object("Bob")
    )
    var changed: [ObjectsDidChange] = []
    var saved: [ContextDidSave] = []
    let tokens = [
      context.observe(.objectsDidChange) { changed.append($0) },
      context.observe(.didSave) { saved.append($0) },
    ]
    try context.delete(rome)
    try context.save()
    #expect(changed.count == 1 && changed[0].deleted == [rome, ada, bob] && changed[0].updated == [oslo])
    #expect(saved.count == 1 && saved[0].deleted == [rome, ada, bob] && saved[0].updated == [oslo])
    #expect(saved[0].inserted.isEmpty)
    for token in tokens { token.cancel() }
  }

  @Test("REL-181: the same deletion gives the same graph in every type of store")
  func everyStore() throws {
    try context.delete(object("Rome"))
    try context.delete(object("Oslo"))
    try context.insert("Person", ["name": "Cas"])
    try context.save()
    let other = try stack.otherProcess()
    #expect(try other.all("Person").map { try $0.string("name") } == ["Cas"] && other.all("City").isEmpty)
  }
}
