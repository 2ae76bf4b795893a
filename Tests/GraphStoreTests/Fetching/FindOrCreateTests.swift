import Foundation
import Testing

@testable import GraphStore

/// Objects by their keys: those that are there, and new ones.
@Suite("Finding or creating by keys", .everyStore)
struct FindOrCreateTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  private static let model = ModelDefinition(
    name: "Keys",
    entities: [
      EntityDefinition(
        "Thing",
        attributes: [
          AttributeDefinition("name", .string), AttributeDefinition("number", .int64),
          AttributeDefinition("price", .decimal), AttributeDefinition("moment", .date),
          AttributeDefinition("weight", .float),
        ], relationships: [RelationshipDefinition("owner", to: "Owner", inverse: "things")]),
      EntityDefinition(
        "Owner", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("things", to: "Thing", inverse: "owner", isToMany: true)]),
      EntityDefinition(
        "Code", attributes: [AttributeDefinition("code", .string), AttributeDefinition("note", .string)],
        uniquenessConstraints: [["code"]]),
    ])

  init() throws { stack = try TestStack(Self.model) }

  private func code(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let error as GraphStoreError { return error.code.rawValue } catch let error as QueryPredicateError
    {
      return error.code.rawValue
    } catch { return "\(error)" }
  }

  @Test(
    "OBJ-476: keys are compared as the store does, stored or not: texts by bytes, numbers by value, dates by bits"
  )
  func equality() throws {
    let texts = ["caf\u{E9}", "cafe\u{301}", "Caf\u{E9}", "caf\u{E9} "]
    let moments = [0.1, 0.1.nextUp, 0].map { Date(timeIntervalSinceReferenceDate: $0) }
    for isSaved in [false, true] {
      let named = try context.findOrCreate(of: "Thing", key: "name", values: texts)
      #expect(named.created.count == (isSaved ? 0 : 4) && named.objects.count == 4)
      #expect(
        try named.objects.map { Array((try $0.string("name") ?? "").utf8) } == texts.map { Array($0.utf8) })
      let dated = try context.findOrCreate(of: "Thing", key: "moment", values: moments)
      #expect(dated.created.count == (isSaved ? 0 : 3))
      let priced = try context.findOrCreate(
        of: "Thing", key: "price", values: [Decimal(1), 1.0, 1, Decimal(string: "1.10")].compactMap(\.self))
      #expect(priced.objects.count == 2 && priced.created.count == (isSaved ? 0 : 2))
      let numbered = try context.findOrCreate(of: "Thing", key: "number", values: [7, 7.0, Int8(7)])
      #expect(numbered.objects.count == 1)
      #expect(
        code { _ = try context.findOrCreate(of: "Thing", key: "number", values: [7.5]) } == "value-type")
      try context.save()
      context.reset()
    }
  }

  @Test("OBJ-475: a key that comes twice, and a number that a float does not hold, are refused")
  func impossibleKeys() throws {
    #expect(
      code {
        _ = try context.findOrCreate(of: "Thing", keys: ["number", "number"], tuples: [[1, 1], [1, 2]])
      } == "invalid-request")
    #expect(
      code { _ = try context.findOrCreate(of: "Thing", key: "weight", values: [1e300]) }
        == "value-out-of-range")
    #expect(!context.hasChanges)
    let found = try context.findOrCreate(of: "Thing", key: "weight", values: [0.1, 0.1 as Float])
    #expect(found.created.count == 1)
  }

  @Test("OBJ-476: neither the order of the values nor that of the store plays a part")
  func order() throws {
    for name in ["b", "a", "c"] { try context.insert("Thing", ["name": name]) }
    try context.save()
    for values in [["a", "b", "c", "d"], ["d", "c", "b", "a"], ["c", "a", "d", "b"]] {
      let found = try context.findOrCreate(of: "Thing", key: "name", values: values)
      #expect(try found.objects.map { try $0.string("name") } == values)
      #expect(found.created.count == 1)
      context.rollback()
    }
  }

  @Test(
    "OBJ-477: a compound key is a tuple of attributes and to-ones, by object or identifier, and takes one fetch"
  )
  func compound() throws {
    let ada = try context.insert("Owner", ["name": "Ada"])
    let bob = try context.insert("Owner", ["name": "Bob"])
    for (name, owner) in [("x", ada), ("x", bob), ("y", ada)] {
      try context.insert("Thing", ["name": name, "owner": owner])
    }
    try context.save()
    let new = try context.insert("Owner", ["name": "New"])
    let unsaved = try context.insert("Thing", ["name": "x", "owner": new])
    let tuples: [[any ValueConvertible]] = [
      ["y", bob], ["x", bob.objectID], ["x", ada], ["x", bob], ["x", new], ["z", new],
    ]
    var found = KeyedObjects<ManagedObject>()
    let statements = try stack.statements {
      found = try context.findOrCreate(of: "Thing", keys: ["name", "owner"], tuples: tuples)
    }
    if stack.has(.statements) { #expect(statements == 1) }
    #expect(try found.objects.map { try $0.string("name") } == ["y", "x", "x", "x", "z"])
    #expect(try found.objects.map { try $0.object(forKey: "owner") } == [bob, bob, ada, new, new])
    #expect(found.created == [found.objects[0], found.objects[4]])
    #expect(found.objects[3] === unsaved && found.duplicates.isEmpty)
    try context.save()
    #expect(
      try context.findOrCreate(of: "Thing", keys: ["owner", "name"], tuples: [[ada, "y"]]).created.isEmpty)
    let numbers = try context.findOrCreate(
      of: "Thing", keys: ["name", "number"], tuples: [["n", 1], ["n", 2], ["n", 1]])
    #expect(numbers.created.count == 2)
    #expect(
      code { _ = try context.findOrCreate(of: "Thing", keys: ["name", "number"], tuples: [["n"]]) }
        == "invalid-request")
    #expect(code { _ = try context.findOrCreate(of: "Thing", keys: [], tuples: [[]]) } == "invalid-request")
    #expect(
      code {
        _ = try context.findOrCreate(of: "Thing", keys: ["name", "owner"], tuples: [["n", Value.null]])
      }
        == "invalid-request")
    #expect(
      code { _ = try context.findOrCreate(of: "Owner", keys: ["things"], tuples: [[ada]]) }
        == "wrong-property-kind")
  }

  @Test(
    "OBJ-478: keys repeated across calls find the objects that an earlier call has made, unsaved as they are")
  func acrossCalls() throws {
    let first = try context.findOrCreate(of: "Thing", key: "name", values: ["a", "b"])
    let second = try context.findOrCreate(of: "Thing", key: "name", values: ["b", "c", "a"])
    #expect(second.objects[0] === first.objects[1] && second.objects[2] === first.objects[0])
    #expect(second.created.count == 1 && context.insertedObjects.count == 3)
    let pair = try context.findOrCreate(of: "Thing", keys: ["name", "number"], tuples: [["a", 1]])
    #expect(
      try context.findOrCreate(of: "Thing", keys: ["name", "number"], tuples: [["a", 1]]).objects
        == pair.objects)
  }

  @Test(
    "OBJ-479, PAT-044: two contexts make two objects; with a uniqueness constraint a merge policy settles it")
  func twoContexts() throws {
    func both(_ entity: String, _ key: String, policy: MergePolicy?) throws -> [ManagedObjectContext] {
      let contexts = [stack.newContext(), stack.newContext()]
      for (number, context) in contexts.enumerated() {
        if let policy { context.mergePolicy = policy }
        let found = try context.findOrCreate(of: entity, key: key, values: ["k"])
        #expect(found.created.count == 1)
        if entity == "Code" { try found.objects[0].setValue("n\(number)", forKey: "note") }
      }
      return contexts
    }
    for context in try both("Thing", "name", policy: nil) { try context.save() }
    #expect(try stack.newContext().all("Thing", "name == 'k'").count == 2)
    let settled = try both("Code", "code", policy: .mergeByPropertyObjectTrump)
    for context in settled { try context.save() }
    #expect(try stack.newContext().all("Code").map { try $0.string("note") } == ["n1"])
    let cleared = stack.newContext()
    try cleared.delete(try cleared.all("Code")[0])
    try cleared.save()
    let refused = try both("Code", "code", policy: nil)
    try refused[0].save()
    #expect(code { try refused[1].save() } == "constraint-conflict")
  }

  @Test("OBJ-475: look-ups throw where they are asked for what there is not; none ends the program")
  func errors() throws {
    let predicate = try QueryPredicate(parsing: "nome == 1")
    #expect(
      code { _ = try context.registeredObject(of: "Thng", matching: .constant(true)) } == "unknown-entity")
    #expect(code { _ = try context.findOrFetch(of: "Thing", matching: predicate) } == "unknown-key")
    #expect(code { _ = try context.findOrCreate(of: "Thing", matching: predicate) } == "unknown-key")
    #expect(code { _ = try context.findOrCreate(of: "Thng", key: "name", values: ["a"]) } == "unknown-entity")
    #expect(
      code { _ = try context.fetchSingle(FetchRequest<ManagedObject>(entityName: "Thng")) }
        == "unknown-entity")
    #expect(
      code { _ = try context.findOrCreate(of: Unused.self, key: "name", values: ["a"]) } == "class-mismatch")
    let thing = try context.insert("Thing", ["name": "a"])
    try context.save()
    let id = thing.objectID
    let other = stack.newContext()
    let fault = try other.object(with: id)
    try context.delete(thing)
    try context.save()
    try other.realizeFaults(in: [fault])
    #expect(try other.existingObjects(with: [id]).isEmpty)
    let unsaved = try context.insert("Thing", [:]).objectID
    #expect(code { _ = try other.existingObjects(with: [unsaved]) } == "temporary-id-unknown")
  }

  private final class Unused: ManagedObject {}

  @Test(
    "OBJ-496: flat records may be inserted first; one fetch finds the stored twins, and these cost no statement and no key"
  )
  func insertedFirst() throws {
    for name in ["a", "b"] { try context.insert("Thing", ["name": name]) }
    try context.save()
    context.reset()
    let names = ["b", "c", "a", "d"]
    let new = try names.map { try context.insert("Thing", ["name": $0]) }
    var request = FetchRequest(
      entityName: "Thing", predicate: try QueryPredicate("name IN %@", names.map { Value.string($0) }))
    request.includesPendingChanges = false
    var twins: [ManagedObject] = []
    let fetch = try stack.statements { twins = try context.fetch(request) }
    if stack.has(.statements) { #expect(fetch == 1) }
    let stored = Set(try twins.map { try $0.string("name") })
    #expect(stored == ["a", "b"])
    for object in new where stored.contains(try object.string("name")) { try context.delete(object) }
    let weeded = try stack.statements { try context.save() }
    let plain = stack.newContext()
    for name in ["e", "f"] { try plain.insert("Thing", ["name": name]) }
    #expect(try stack.statements { try plain.save() } == weeded)
    let saved = try stack.newContext().all("Thing", sort: ["name"])
    #expect(try saved.map { try $0.string("name") } == ["a", "b", "c", "d", "e", "f"])
    #expect(saved.map(\.objectID.shortForm).dropFirst(2) == ["Thing/p3", "Thing/p4", "Thing/p5", "Thing/p6"])
  }
}
