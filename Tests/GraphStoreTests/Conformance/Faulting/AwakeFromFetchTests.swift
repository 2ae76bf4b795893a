import GraphStore
import Testing

/// Counts its realisations, and looks at itself in each.
private final class Aware: ManagedObject {
  static let name = AttributeKey<Aware, String>("name")
  var seen: [String] = []

  override func awakeFromFetch() {
    let head = (try? object(forKey: "head")).map { $0?.objectID.shortForm ?? "nil" } ?? "error"
    seen.append("\(self[Self.name] ?? "nil") \(head) \(isFault)")
    self[Self.name] = (self[Self.name] ?? "") + "!"
    _ = try? value(forKeyPath: "name")
    self["mark"] = "set"
  }
}

@Suite("awakeFromFetch", .everyStore)
struct AwakeFromFetchTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing", className: "Aware",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("mark", .string, isTransient: true),
          ],
          relationships: [RelationshipDefinition("head", to: "Thing")])
      ]), classes: ["Aware": Aware.self])
    let head = try stack.context.insert("Thing", ["name": "h"])
    try stack.context.insert("Thing", ["name": "a", "head": head])
    try stack.context.save()
    stack.context.reset()
  }

  private func thing(_ context: ManagedObjectContext) throws -> Aware {
    try #require(try context.all("Thing", "name == 'a'")[0] as? Aware)
  }

  @Test("FLT-016, FLT-017: it runs once a realisation, the values in place, before the access returns")
  func once() throws {
    let context = stack.newContext()
    let thing = try thing(context)
    #expect(thing.isFault && thing.seen == [])
    #expect(thing[Aware.name] == "a!" && thing.seen == ["a Thing/p1 false"])
    _ = (thing["mark"], try thing.object(forKey: "head"))
    #expect(thing.seen.count == 1 && !thing.hasChanges && !context.hasChanges)
    try context.refresh(thing, mergeChanges: false)
    #expect(thing.seen.count == 1)
    #expect(try thing.string("mark") == "set" && thing.seen == ["a Thing/p1 false", "a Thing/p1 false"])
  }

  @Test("FLT-016: it runs for objects that a fetch, a look-up and realizeFaults realise at once")
  func atOnce() throws {
    var request = FetchRequest(entityName: "Thing", predicate: try QueryPredicate("name == 'a'"))
    request.returnsObjectsAsFaults = false
    let context = stack.newContext()
    let fetched = try #require(try context.fetch(request)[0] as? Aware)
    #expect(!fetched.isFault && fetched.seen == ["a Thing/p1 false"] && fetched[Aware.name] == "a!")
    _ = try context.fetch(request)
    #expect(fetched.seen.count == 1 && !context.hasChanges)
    let id = fetched.objectID
    let found = try #require(try stack.newContext().existingObject(with: id) as? Aware)
    #expect(found.seen.count == 1)
    let several = try #require(try stack.newContext().existingObjects(with: [id])[0] as? Aware)
    #expect(several.seen.count == 1)
    let last = stack.newContext()
    let fault = try #require(try last.object(with: id) as? Aware)
    try last.realizeFaults(in: [fault])
    try last.realizeFaults(in: [fault])
    #expect(fault.seen.count == 1 && !last.hasChanges)
  }

  @Test("FLT-016: it runs in the access that sets a value, before the value is set")
  func setting() throws {
    let context = stack.newContext()
    let thing = try thing(context)
    thing[Aware.name] = "b"
    #expect(thing.seen == ["a Thing/p1 false"] && thing[Aware.name] == "b" && thing.isUpdated)
    try context.save()
    #expect(try stack.otherProcess().all("Thing", "name == 'b'").count == 1)
  }

  @Test("FLT-016: it runs before a changed object is validated and saved, and not for a new one")
  func newObject() throws {
    let context = stack.newContext()
    let new = try context.insert(Aware.self, entityNamed: "Thing")
    new[Aware.name] = "n"
    try context.save()
    #expect(new.seen == [] && new[Aware.name] == "n")
  }
}
