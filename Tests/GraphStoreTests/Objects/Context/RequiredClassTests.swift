import GraphStore
import Testing

private class Author: ManagedObject {}
private final class Editor: Author {}
private final class Printer: ManagedObject {}

@Suite("Classes that a model requires, and classes that do not fit")
struct RequiredClassTests {
  private static let definition = ModelDefinition(
    entities: [
      EntityDefinition(
        "Person", isAbstract: true, className: "Missing",
        attributes: [AttributeDefinition("name", .string)]),
      EntityDefinition("Author", parent: "Person", className: "Author"),
      EntityDefinition("Editor", parent: "Author", className: "Editor"),
      EntityDefinition(
        "Ghost", parent: "Person", className: "Ghost",
        relationships: [
          RelationshipDefinition("book", to: "Book", inverse: "ghosts")
        ]),
      EntityDefinition(
        "Book",
        relationships: [
          RelationshipDefinition("ghosts", to: "Ghost", inverse: "book", isToMany: true)
        ]),
    ], requiresClasses: true)

  private static let classes: [String: ManagedObject.Type] = ["Author": Author.self, "Editor": Editor.self]

  private func error(_ body: () throws -> Void) -> GraphStoreError? {
    do {
      try body()
      return nil
    } catch {
      return error as? GraphStoreError
    }
  }

  /// A store with a ghost, made while classes were not required.
  private func filled() throws -> (TestStack, ManagedObjectContext) {
    var lax = Self.definition
    lax.requiresClasses = false
    let stack = try TestStack(lax)
    let ghost = try stack.context.insert("Ghost", ["name": "G"])
    try ghost.setValue(try stack.context.insert("Book", [:]), forKey: "book")
    try stack.context.insert("Author", ["name": "A"])
    try stack.context.insert("Editor", ["name": "E"])
    try stack.context.save()
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: stack.path, model: ManagedObjectModel(Self.definition), classes: Self.classes)
    return (stack, ManagedObjectContext(coordinator: coordinator))
  }

  @Test("MDL-071, OBJ-022, DGN-134: the first object of an entity whose required class is missing is refused")
  func inserting() throws {
    let stack = try TestStack(Self.definition, classes: Self.classes)
    let refused = error { try stack.context.insert(entityNamed: "Ghost") }
    #expect(refused?.code == .classNotFound && refused?.number == 136013 && refused?.entity == "Ghost")
    #expect(refused?.message.hasPrefix("Failed to create new object") == true)
    #expect(refused?.remedy.contains("Give Ghost to the coordinator") == true)
    #expect(
      error { _ = try stack.context.insert(ManagedObject.self, entityNamed: "Ghost") }?.code == .classNotFound
    )
    #expect(!stack.context.hasChanges)
  }

  @Test("MDL-071, MDL-072: entities with a class, without a className, and abstract ones are not concerned")
  func others() throws {
    let stack = try TestStack(Self.definition, classes: Self.classes)
    #expect(try stack.context.insert(entityNamed: "Author") is Author)
    #expect(type(of: try stack.context.insert(entityNamed: "Book")) == ManagedObject.self)
    #expect(error { try stack.context.insert(entityNamed: "Person") }?.code == .abstractEntity)
    try stack.context.save()
    #expect(try stack.context.all("Author").count == 1)
  }

  @Test("MDL-071: fetching, looking up and firing a fault of such an entity throw too; nothing traps")
  func reading() throws {
    let (stack, context) = try filled()
    defer { context.coordinator.close() }
    #expect(error { _ = try context.all("Ghost") }?.code == .classNotFound)
    #expect(error { _ = try context.all("Person") }?.code == .classNotFound)
    let id = try #require(
      context.coordinator.managedObjectID(forShortForm: try stack.context.all("Ghost")[0].objectID.shortForm))
    #expect(error { _ = try context.object(with: id) }?.code == .classNotFound)
    #expect(error { _ = try context.existingObject(with: id) }?.code == .classNotFound)
    let book = try context.all("Book")[0]
    let ghost = try book.objects(forKey: "ghosts")[0]
    #expect(error { _ = try ghost.value(forKey: "name") }?.code == .classNotFound)
    #expect(try context.all("Author").count == 2)
    #expect(try context.count(for: FetchRequest(entityName: "Ghost")) == 1)
  }

  @Test(
    "MDL-071, OBJ-047, DGN-135: typed creation by another class names entity, class wanted and class found")
  func creation() throws {
    let stack = try TestStack(Self.definition, classes: Self.classes)
    let refused = error { _ = try stack.context.insert(Printer.self, entityNamed: "Author") }
    #expect(refused?.code == .classMismatch && refused?.number == 136014 && refused?.entity == "Author")
    #expect(refused?.message == "Entity Author is represented by Author, not by Printer.")
    #expect(!stack.context.hasChanges, "nothing was inserted on the way")
    #expect(try stack.context.insert(Author.self, entityNamed: "Editor") is Editor)
  }

  @Test("MDL-071, FET-022, DGN-135: typed results of another class name entity, class wanted and class found")
  func results() throws {
    let (stack, context) = try filled()
    defer { withExtendedLifetime(stack) { context.coordinator.close() } }
    let refused = error { _ = try context.fetch(Editor.self, FetchRequest(entityName: "Author")) }
    #expect(refused?.code == .resultTypeMismatch && refused?.number == 136028 && refused?.entity == "Author")
    #expect(refused?.message.hasSuffix(" is a Author, not a Editor.") == true)
    #expect(try context.fetch(Author.self, FetchRequest(entityName: "Author")).count == 2)
  }

  @Test("MDL-071: the wish is the program's: files do not carry it, merging keeps it, and no hash knows it")
  func inCode() throws {
    let model = try ManagedObjectModel(Self.definition)
    var lax = Self.definition
    lax.requiresClasses = false
    #expect(try !ManagedObjectModel(json: model.jsonData()).requiresClasses)
    #expect(try model.versionChecksum == ManagedObjectModel(lax).versionChecksum)
    #expect(try ManagedObjectModel(merging: [ManagedObjectModel(lax), model]).requiresClasses)
    #expect(model.copy().requiresClasses)
  }
}
