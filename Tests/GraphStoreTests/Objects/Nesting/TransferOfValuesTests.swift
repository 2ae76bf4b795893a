import Foundation
import Testing

@testable import GraphStore

/// What a child's save does with values of every kind, and with what classes and observers do.
@Suite("Values and hooks in transfers", .everyStore)
struct TransferOfValuesTests {
  private let stack: TestStack
  private let root: ManagedObjectContext
  private let child: ManagedObjectContext
  private let grandchild: ManagedObjectContext

  private static let large = Data(repeating: 7, count: 150_000)

  private static let model = ModelDefinition(
    name: "Values",
    entities: [
      EntityDefinition(
        "Thing", className: "LoggedThing",
        attributes: [
          AttributeDefinition("name", .string), AttributeDefinition("price", .decimal),
          AttributeDefinition("photo", .binary, externalStorage: true),
          AttributeDefinition("colors", .transformable),
          AttributeDefinition(
            "place", .composite,
            elements: [AttributeDefinition("city", .string), AttributeDefinition("zip", .int64)]),
          AttributeDefinition("upper", .string, derivation: "uppercase:(name)"),
          AttributeDefinition("shown", .string, isTransient: true),
          AttributeDefinition("any", .undefined, isTransient: true),
        ],
        relationships: [
          RelationshipDefinition("owner", to: "Thing", inverse: "parts"),
          RelationshipDefinition(
            "parts", to: "Thing", inverse: "owner", isToMany: true, deleteRule: .cascade),
        ], uniquenessConstraints: [["name"]]),
      EntityDefinition(
        "Special", parent: "Thing", className: "LoggedThing",
        attributes: [
          AttributeDefinition("extra", .string)
        ]),
    ])

  init() throws {
    stack = try TestStack(Self.model, classes: ["LoggedThing": LoggedThing.self])
    root = stack.context
    child = ManagedObjectContext(childOf: root)
    grandchild = ManagedObjectContext(childOf: child)
    for (name, context) in [("root", root), ("child", child), ("grandchild", grandchild)] {
      context.name = name
    }
    root.userInfo["log"] = Log()
    child.userInfo["log"] = Log()
    grandchild.userInfo["log"] = Log()
  }

  private func log(_ context: ManagedObjectContext) -> Log { context.userInfo["log"] as! Log }

  private func expectValues(_ thing: ManagedObject, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    #expect(
      try thing.value(forKey: "price") as? Decimal == Decimal(string: "1.50"), sourceLocation: sourceLocation)
    #expect(try thing.value(forKey: "photo") as? Data == Self.large, sourceLocation: sourceLocation)
    #expect(try thing.value(forKey: "colors") as? [String] == ["red"], sourceLocation: sourceLocation)
    #expect(try thing.value(forKeyPath: "place.city") as? String == "Oslo", sourceLocation: sourceLocation)
    #expect(try thing.value(forKeyPath: "place.zip") as? Int64 == 99, sourceLocation: sourceLocation)
  }

  private func saveChain() throws { for context in [grandchild, child, root] { try context.save() } }

  private func insert(_ name: String, _ context: ManagedObjectContext) throws -> ManagedObject {
    let thing = try context.insert(
      "Special",
      [
        "name": name, "price": Decimal(string: "1.50")!, "photo": Self.large, "colors": ["red"], "shown": "s",
        "any": [1, 2], "extra": "e",
      ])
    try thing.setValue(["city": "Oslo", "zip": Int64(99)], forKey: "place")
    return thing
  }

  @Test("CTX-288: values of every kind go through a chain, those of new objects and those that are changed")
  func kinds() throws {
    let thing = try insert("a", grandchild)
    try grandchild.save()
    let middle = try #require(try child.all("Thing").first)
    try expectValues(middle)
    #expect(try middle.entity.name == "Special" && middle.string("extra") == "e")
    try child.save()
    try expectValues(#require(try root.all("Thing").first))
    try root.save()
    let stored = try #require(try stack.newContext().all("Thing").first)
    try expectValues(stored)
    #expect(try stored.string("upper") == "A")

    try thing.setValue(["blue"], forKey: "colors")
    try thing.setValue(Data([1]), forKey: "photo")
    try thing.setValue(["city": "Bergen", "zip": Int64(1)], forKey: "place")
    try thing.setValue(nil, forKey: "price")
    try saveChain()
    for context in [grandchild, child, root, stack.newContext()] {
      let found = try #require(try context.all("Thing").first)
      #expect(try found.value(forKey: "colors") as? [String] == ["blue"], "\(context.name ?? "")")
      #expect(try found.value(forKey: "photo") as? Data == Data([1]))
      #expect(try found.value(forKeyPath: "place.city") as? String == "Bergen")
      #expect(try found.value(forKey: "price") == nil)
      try context.checkInvariants()
    }
    if stack.has(.files) { #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings).isEmpty) }
  }

  @Test("CTX-290: the part of a composite that the child has changed replaces the parent's, the rest stays")
  func composites() throws {
    let theirs = try insert("a", root)
    let mine = try child.object(with: theirs.objectID)
    try expectValues(mine)
    try mine.setValue(["city": "Bergen", "zip": Int64(99)], forKey: "place")
    try theirs.setValue("b", forKey: "name")
    try child.save()
    #expect(try theirs.value(forKeyPath: "place.city") as? String == "Bergen" && theirs.string("name") == "b")
    try root.save()
    #expect(try stack.newContext().all("Thing").map { try $0.string("name") } == ["b"])
  }

  @Test(
    "OBJ-060, REL-182, CTX-292: hooks run in the child that does something, and once more where it is saved")
  func hooks() throws {
    let owner = try insert("owner", grandchild)
    try insert("part", grandchild).setValue(owner, forKey: "owner")
    try saveChain()
    #expect(
      log(grandchild).count("insert") == 2 && log(child).count("insert") + log(root).count("insert") == 0)
    for context in [grandchild, child, root] { #expect(log(context).count("willSave") == 2) }
    for context in [grandchild, child, root] { log(context).calls = [] }
    try grandchild.delete(owner)
    try saveChain()
    #expect(log(grandchild).count("delete") == 2)
    #expect(log(child).count("delete") == 0 && log(root).count("delete") == 0)
    #expect(try stack.newContext().all("Thing").isEmpty)
  }

  @Test(
    "CTX-292, OBJ-336: what fails to be valid in a parent alone keeps that from being saved, and stays there")
  func validation() throws {
    _ = try insert("bad", child)
    log(root).refused = "bad"
    try child.save()
    #expect(throws: GraphStoreError.self) { try root.save() }
    #expect(root.insertedObjects.count == 1 && !child.hasChanges)
    log(child).refused = "worse"
    try root.all("Thing").first?.setValue("good", forKey: "name")
    try root.save()
    #expect(try stack.newContext().all("Thing").map { try $0.string("name") } == ["good"])
  }

  @Test("CTX-244: a uniqueness constraint is checked by the root's save alone")
  func uniqueness() throws {
    _ = try insert("a", root)
    try root.save()
    _ = try insert("a", child)
    try child.save()
    #expect(root.insertedObjects.count == 1)
    #expect(throws: GraphStoreError.self) { try root.save() }
    root.mergePolicy = .mergeByPropertyObjectTrump
    try root.save()
    #expect(try stack.newContext().all("Thing").count == 1)
    for context in [root, child] { try context.checkInvariants() }
  }

  @Test("CTX-293: observers of keys in the parent are told once of what a child's save changes")
  func observers() throws {
    let theirs = try insert("a", root)
    try root.save()
    var changes: [String] = []
    let tokens = try ["name", "parts", "owner"].map { key in
      try theirs.observe(key) { _ in changes.append(key) }
    }
    var events = 0
    let event = root.observe(.objectsDidChange) { _ in events += 1 }
    let mine = try child.object(with: theirs.objectID)
    try mine.setValue("b", forKey: "name")
    try insert("part", child).setValue(mine, forKey: "owner")
    try child.save()
    #expect(changes.sorted() == ["name", "parts"] && events == 1)
    withExtendedLifetime((tokens, event)) {}
  }
}

/// What the hooks of a context's objects have been called for.
private final class Log {
  var calls: [String] = []
  /// A name that is not valid.
  var refused: String?

  func count(_ call: String) -> Int { calls.count { $0 == call } }
}

private final class LoggedThing: ManagedObject {
  private func note(_ call: String) { (managedObjectContext?.userInfo["log"] as? Log)?.calls.append(call) }

  override func awakeFromInsert() { note("insert") }
  override func willSave() { note("willSave") }
  override func prepareForDeletion() { note("delete") }

  override func validateForInsert() throws {
    try super.validateForInsert()
    guard let refused = (managedObjectContext?.userInfo["log"] as? Log)?.refused else { return }
    if try string("name") == refused {
      throw GraphStoreError(.validation, "The name is refused.", remedy: "Take another one.")
    }
  }
}
