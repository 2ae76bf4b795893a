import Foundation
import OrderedCollections
import Testing

@testable import GraphStore

@Suite("The concurrency guard")
struct ConcurrencyGuardTests {
  private final class Person: ManagedObject {
    static let name = AttributeKey<Person, String>("name")
    static let age = AttributeKey<Person, Int64>("age")
    static let isTall = AttributeKey<Person, Bool>("isTall")
    static let money = AttributeKey<Person, Decimal>("money")
    static let key = AttributeKey<Person, UUID>("key")
    static let boss = ToOneKey<Person, Person>("boss")
    static let staff = ToManyKey<Person, OrderedSet<Person>>("staff")
  }

  private static let model = ModelDefinition(entities: [
    EntityDefinition(
      "Person", className: "Person",
      attributes: [
        AttributeDefinition("name", .string), AttributeDefinition("age", .int64),
        AttributeDefinition("isTall", .boolean), AttributeDefinition("money", .decimal),
        AttributeDefinition("key", .uuid),
      ],
      relationships: [
        RelationshipDefinition("boss", to: "Person", inverse: "staff"),
        RelationshipDefinition("staff", to: "Person", inverse: "boss", isToMany: true, isOrdered: true),
      ])
  ])

  private let stack: TestStack
  private let context: ManagedObjectContext
  private let object: Person

  init() throws {
    stack = try TestStack(Self.model, classes: ["Person": Person.self])
    let context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    context.name = UUID().uuidString
    nonisolated(unsafe) var made: Person?
    try context.performAndWait {
      let object = try context.insert(Person.self)
      object[Person.name] = "Ada"
      made = object
      try context.save()
    }
    self.context = context
    object = try #require(made)
  }

  private var id: ManagedObjectID { object.objectID }
  private var request: FetchRequest<ManagedObject> { FetchRequest(entityName: "Person") }

  // MARK: Switch

  @Test("DGN-099: the tests run with the guard on")
  func setting() {
    #expect(stack.context.registry.isGuarded && context.registry.isGuarded)
  }

  @Test("CTX-332, CTX-333, DGN-098: off, nothing is told, and typed keys read in place")
  func off() throws {
    let context = ManagedObjectContext(stack.coordinator, .ofItsOwn, isGuarded: false)
    let messages = try ViolationRecorder.messages(about: context) {
      let object = try #require(try context.existingObject(with: id) as? Person)
      #expect(object[Person.name] == "Ada")
      #expect(object.readableIdentity == object.layout.identity)
      object[Person.name] = "Eve"
      try context.save()
    }
    #expect(messages == [])
  }

  @Test("CTX-333: guarded objects hide their values from typed keys that read in place")
  func hidden() {
    context.performAndWait {
      #expect(object[Person.name] == "Ada")
      #expect(object.readableIdentity == EntityLayout.noIdentity)
    }
  }

  // MARK: Message

  @Test("CTX-330, CTX-462, DGN-094, PAT-201: the program stops with the message and a backtrace")
  func stop() throws {
    let lines = try MisusedProgram.errors(of: "fetch").split(separator: "\n")
    let first = lines.firstIndex {
      $0.hasPrefix("GraphStore: error: concurrency violation: fetch(_:) of context \"first\" used from ")
        && $0.hasSuffix(", belongs to its private queue")
    }
    #expect(first != nil, "\(lines.prefix(5))")
    #expect(lines.count > (first ?? 0) + 5)
  }

  @Test("DGN-095, CTX-335: the receiver takes the message in place of the stop, and the access goes on")
  func receiver() throws {
    let messages = ViolationRecorder.messages(about: context) {
      onAnotherThread { () throws in #expect(try object.value(forKey: "name") as? String == "Ada") }
    }
    let name = try #require(context.name)
    #expect(
      messages == [
        "GraphStore: error: concurrency violation: Person/p1 of context \"\(name)\" used from a thread without a queue, "
          + "belongs to its private queue"
      ])
  }

  @Test("DGN-094: the message names the queue that was used")
  func queues() throws {
    let other = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    other.name = "other"
    let queue = DispatchQueue(label: "work")
    let messages = ViolationRecorder.messages(about: context) {
      onAnotherThread { try other.performAndWait { _ = try object.value(forKey: "name") } }
      queue.sync { _ = object[Person.name] }
    }
    #expect(messages.count == 2)
    #expect(messages.first?.contains("used from the private queue of context \"other\", belongs") == true)
    #expect(messages.last?.contains("used from the queue \"work\", belongs") == true)
  }

  @Test("CTX-311, CTX-334: a main-queue context does not accept other threads")
  func mainQueue() {
    let context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .mainQueue)
    let messages = ViolationRecorder.messages(about: context) { onAnotherThread { _ = context.hasChanges } }
    #expect(messages.count == 1 && messages[0].hasSuffix(", belongs to the main queue"))
  }

  @Test("CTX-312: where a private-queue context was made does not count")
  func maker() {
    #expect(!ViolationRecorder.messages(about: context) { _ = context.hasChanges }.isEmpty)
  }

  @Test("DGN-099: contexts of tests belong to the thread that makes them")
  func confined() throws {
    try stack.context.insert("Person", ["name": "Eve"])
    let messages = ViolationRecorder.messages(about: stack.context) {
      _ = stack.context.hasChanges
      onAnotherThread { _ = stack.context.hasChanges }
    }
    #expect(!messages.isEmpty && messages.allSatisfy { $0.hasSuffix(", belongs to the thread that made it") })
  }

  // MARK: What is guarded

  private typealias Use = (name: String, body: (Person, ManagedObjectContext) throws -> Void)

  private var guardedUses: [Use] {
    [
      ("fetch", { _, it in _ = try it.fetch(request) }),
      ("typed fetch", { _, it in _ = try it.fetch(Person.fetchRequest()) }),
      ("count", { _, it in _ = try it.count(for: request) }),
      ("identifiers", { _, it in _ = try it.fetchIdentifiers(request) }),
      ("fields", { _, it in try it.enumerateFields(request, keyPaths: ["name"]) { _ in } }),
      ("fields of an object", { object, it in _ = try it.fields(of: object, keyPaths: ["name"]) }),
      ("explain", { _, it in _ = try it.explain(request) }),
      ("analyze", { _, it in _ = try it.analyze(request) }),
      ("insert by name", { _, it in try it.insert(entityNamed: "Person") }),
      ("insert by class", { _, it in _ = try it.insert(Person.self) }),
      ("insert by both", { _, it in _ = try it.insert(Person.self, entityNamed: "Person") }),
      ("delete", { object, it in try it.delete(object) }),
      ("preview", { object, it in _ = try it.deletionPreview(of: [object]) }),
      ("process", { _, it in try it.processPendingChanges() }),
      ("save", { _, it in try it.save() }),
      ("validate", { _, it in _ = try it.validateChanges() }),
      ("deferred errors", { _, it in _ = it.takeDeferredErrors() }),
      ("rollback", { _, it in it.rollback() }),
      ("refresh", { object, it in try it.refresh(object, mergeChanges: true) }),
      ("realise", { object, it in try it.realizeFaults(in: [object]) }),
      ("look up", { object, it in _ = try it.object(with: object.objectID) }),
      ("look up existing", { object, it in _ = try it.existingObject(with: object.objectID) }),
      ("look up registered", { object, it in _ = it.registeredObject(for: object.objectID) }),
      ("inserted objects", { _, it in _ = it.insertedObjects }),
      ("updated objects", { _, it in _ = it.updatedObjects }),
      ("deleted objects", { _, it in _ = it.deletedObjects }),
      ("registered objects", { _, it in _ = it.registeredObjects }),
      ("registered count", { _, it in _ = it.registeredCount }),
      ("changes", { _, it in _ = it.hasChanges }),
      ("userInfo", { _, it in it.userInfo["a"] = 1 }),
      ("value", { object, _ in _ = try object.value(forKey: "name") }),
      ("set value", { object, _ in try object.setValue("Eve", forKey: "name") }),
      ("query value", { object, _ in _ = try object.queryValue(forKey: "name") }),
      ("set query value", { object, _ in try object.setQueryValue("Eve".queryValue, forKey: "name") }),
      ("to-one", { object, _ in _ = try object.object(forKey: "boss") }),
      ("to-many", { object, _ in _ = try object.objects(forKey: "staff") }),
      ("add", { object, _ in try object.addObjects([], forKey: "staff") }),
      ("remove", { object, _ in try object.removeObjects([], forKey: "staff") }),
      ("relationship fault", { object, _ in _ = try object.hasFault(forRelationshipNamed: "staff") }),
      ("typed text", { object, _ in _ = object[Person.name] }),
      ("typed number", { object, _ in _ = object[Person.age] }),
      ("typed Boolean", { object, _ in _ = object[Person.isTall] }),
      ("typed decimal", { object, _ in _ = object[Person.money] }),
      ("typed UUID", { object, _ in _ = object[Person.key] }),
      ("set typed text", { object, _ in object[Person.name] = "Eve" }),
      ("set typed number", { object, _ in object[Person.age] = 3 }),
      ("set typed decimal", { object, _ in object[Person.money] = 3 }),
      ("typed to-one", { object, _ in _ = object[Person.boss] }),
      ("set typed to-one", { object, _ in object[Person.boss] = nil }),
      ("typed to-many", { object, _ in _ = object[Person.staff] }),
      ("set typed to-many", { object, _ in object[Person.staff] = [] }),
      ("typed add", { object, _ in object.add([], to: Person.staff) }),
      ("typed remove", { object, _ in object.remove([], from: Person.staff) }),
      ("typed insert", { object, _ in object.insert([], into: Person.staff, at: 0) }),
      ("fault", { object, _ in _ = object.isFault }),
      ("inserted", { object, _ in _ = object.isInserted }),
      ("updated", { object, _ in _ = object.isUpdated }),
      ("deleted", { object, _ in _ = object.isDeleted }),
      ("changed", { object, _ in _ = object.hasChanges }),
      ("changed values", { object, _ in _ = object.hasPersistentChangedValues }),
      ("changed keys", { object, _ in _ = object.changedKeys }),
      (
        "predicate",
        { object, _ in _ = try QueryPredicate(parsing: "name == \"Ada\"").evaluate(with: object) }
      ),
      (
        "number in a predicate",
        { object, _ in _ = try QueryPredicate(parsing: "age > 3").evaluate(with: object) }
      ),
      (
        "count in a predicate",
        { object, _ in _ = try QueryPredicate(parsing: "staff.@count == 0").evaluate(with: object) }
      ),
      (
        "sorted objects",
        { _, it in _ = try SortedObjects(it, entityName: "Person", sortKey: "name").objects() }
      ),
      ("reset", { _, it in it.reset() }),
    ]
  }

  @Test("CTX-331, CTX-310, CTX-309: reading, setting and every call of a context are guarded")
  func guarded() throws {
    for use in guardedUses {
      let messages = ViolationRecorder.messages(about: context) {
        onAnotherThread { try use.body(object, context) }
      }
      #expect(!messages.isEmpty, "\(use.name)")
      let inside = try ViolationRecorder.messages(about: context) {
        try context.performAndWait {
          context.rollback()
          if use.name != "reset" { try use.body(object, context) }
          context.rollback()
        }
      }
      #expect(inside == [], "\(use.name)")
    }
  }

  @Test(
    "CTX-331, DGN-096: identity, entity, context, equality, hash and description are free, and so is perform")
  func free() async throws {
    let twin = object
    let messages = ViolationRecorder.messages(about: context) {
      onAnotherThread {
        _ = object.objectID
        _ = object.entity
        _ = object.managedObjectContext
        #expect(object == twin && Set([object]).contains(twin))
        #expect(object.hashValue == twin.hashValue)
        #expect("\(object)".contains("Person/p1"))
        _ = (context.name, context.concurrencyType, context.coordinator)
        context.enqueue {}
        context.performAndWait {}
      }
    }
    #expect(messages == [])
    await context.perform {}
    await context.perform(schedule: .enqueued) {}
  }

  @Test("CTX-331: an object that has left its context is no longer anybody's")
  func left() {
    context.performAndWait { context.reset() }
    let messages = ViolationRecorder.messages(about: context) { _ = object.isFault }
    #expect(messages == [])
  }
}
