import Foundation
import GraphStore
import Testing

/// Has an identifier of its own, and a weak link to an object of any store.
private final class Card: ManagedObject {
  static let link = AttributeKey<Card, URL>("link")

  override func awakeFromInsert() { try? setValue(UUID(), forKey: "tag") }

  /// The object that the link names, where its store is open and has it.
  var linked: ManagedObject? {
    get throws {
      guard let link = self[Self.link], let context = managedObjectContext,
        let id = context.coordinator.managedObjectID(forURIRepresentation: link)
      else { return nil }
      return try context.existingObject(with: id)
    }
  }
}

private let model = ModelDefinition(
  entities: [
    EntityDefinition(
      "Card", className: "Card",
      attributes: [
        AttributeDefinition("tag", .uuid), AttributeDefinition("link", .uri),
        AttributeDefinition("name", .string),
      ])
  ])

@Suite("Identifiers that a model has itself", .everyStore)
struct OwnIdentifierTests {
  private let stack: TestStack

  init() throws { stack = try TestStack(model, classes: ["Card": Card.self]) }

  @Test("OBJ-132: a UUID set in awakeFromInsert names the object before and after its first save")
  func ownTag() throws {
    let card = try stack.context.insert(Card.self)
    let tag = try #require(try card.value(forKey: "tag") as? UUID)
    let request = FetchRequest(entityName: "Card", predicate: try QueryPredicate("tag == %@", tag))
    let other = stack.newContext()
    #expect(try stack.context.fetch(request) == [card])
    #expect(try other.fetch(request).isEmpty)
    try stack.context.save()
    #expect(try stack.context.fetch(request) == [card] && card.value(forKey: "tag") as? UUID == tag)
    #expect(try other.fetch(request).map(\.objectID) == [card.objectID])
  }
}

@Suite("Weak links between stores")
struct WeakLinkTests {
  @Test("OBJ-131: a link kept as a URI leads to the object while its store is open, and to none afterwards")
  func weakLink() throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel(model)
    let classes: [String: ManagedObject.Type] = ["Card": Card.self]
    let coordinator = PersistentStoreCoordinator(model: model, classes: classes)
    defer { coordinator.close() }
    let stores = try ["a.db", "b.db"].map { try coordinator.addStore(at: folder.file($0)) }
    let context = ManagedObjectContext(coordinator: coordinator)
    let (card, far) = (try context.insert(Card.self), try context.insert(Card.self))
    try context.assign(card, to: stores[0])
    try context.assign(far, to: stores[1])
    try far.setValue("far", forKey: "name")
    try context.save()
    card[Card.link] = far.objectID.uriRepresentation
    try context.save()
    #expect(try card.linked === far)

    let alone = try PersistentStoreCoordinator.open(
      storeAt: folder.file("a.db"), model: model, classes: classes)
    let other = ManagedObjectContext(coordinator: alone)
    let again = try other.fetch(FetchRequest<Card>())[0]
    #expect(try again.linked == nil && again[Card.link] == far.objectID.uriRepresentation)
    #expect(other.takeDeferredErrors().isEmpty)
    try alone.addStore(at: folder.file("b.db"))
    #expect(try again.linked?.string("name") == "far")
    alone.close()
  }
}
