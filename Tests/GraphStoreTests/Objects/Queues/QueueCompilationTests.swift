import GraphStoreTestSupport
import Testing

/// What Swift itself keeps on the queues of contexts.
@Suite("Queues of contexts before the compiler", .enabled(if: SwiftCompiler.isThere))
struct QueueCompilationTests {
  private func complaints(_ text: String, options: [String] = []) throws -> String {
    try SwiftCompiler.complaints(
      about: [SwiftCompiler.Source(name: "App.swift", text: "import GraphStore\n\(text)\n")], options: options
    )
  }

  @Test("CTX-317: identifiers go in and out of blocks, and objects into blocks that are waited for")
  func allowed() throws {
    let text = """
      func work(_ context: ManagedObjectContext, _ id: ManagedObjectID, _ object: ManagedObject) async throws {
        let ids = try await context.perform { try context.fetchIdentifiers(FetchRequest(entityName: "A")) }
        let count: Int = await context.perform(schedule: .enqueued) { ids.count }
        let isFault = context.performAndWait { object.isFault }
        let again = try context.performAndWait { try context.object(with: id).objectID }
        print(count, isFault, again)
      }
      func append(_ context: ManagedObjectContext, _ id: ManagedObjectID) {
        context.enqueue { _ = try? context.object(with: id) }
      }
      func typed(_ context: ManagedObjectContext) async throws(CancellationError) {
        try await context.perform { () throws(CancellationError) in throw CancellationError() }
        try context.performAndWait { () throws(CancellationError) in throw CancellationError() }
      }
      """
    let found = try complaints(text)
    #expect(found == "", "\(found)")
  }

  @Test(
    "CTX-313, CTX-314: no perform returns before its block has run: where nothing can wait, it does not compile",
    arguments: [
      "func work(_ c: ManagedObjectContext) { c.perform {} }",
      "func work(_ c: ManagedObjectContext) { c.perform(schedule: .enqueued) { print(1) } }",
      "func work(_ c: PersistentContainer) { c.performBackgroundTask { _ in print(1) } }",
    ])
  func performWaits(_ text: String) throws {
    #expect(try complaints(text).contains("'async' call in a function that does not support concurrency"))
  }

  @Test(
    "CTX-317: a managed object goes neither in nor out of a block",
    arguments: [
      "func work(_ c: ManagedObjectContext, _ o: ManagedObject) { c.enqueue { _ = o.isFault } }",
      "func work(_ c: ManagedObjectContext, _ o: ManagedObject) async { _ = await c.perform { o.isFault } }",
      """
      func work(_ c: ManagedObjectContext) async throws -> ManagedObject {
        try await c.perform { try c.insert(entityNamed: "A") }
      }
      """,
      """
      func work(_ c: ManagedObjectContext) throws -> ManagedObject {
        try c.performAndWait { try c.insert(entityNamed: "A") }
      }
      """,
      """
      func work(_ c: ManagedObjectContext) async throws {
        let all = try await c.perform { try c.fetch(FetchRequest(entityName: "A")) }
        print(all.count)
      }
      """,
    ])
  func refused(_ text: String) throws {
    #expect(try complaints(text).contains("Sendable"))
  }

  @Test("CTX-318: contexts and what names or stores objects are Sendable")
  func sendable() throws {
    let text = """
      func check<Checked: Sendable>(_: Checked.Type) {}
      func all() {
        check(ManagedObjectContext.self)
        check(PersistentStoreCoordinator.self)
        check(ManagedObjectModel.self)
        check(ManagedObjectID.self)
        check(FetchRequest<ManagedObject>.self)
        check(GraphStoreError.self)
      }
      """
    #expect(try complaints(text) == "")
  }

  @Test(
    "CTX-318: objects are not Sendable, and no subclass can be made so",
    arguments: [
      "func check<Checked: Sendable>(_: Checked.Type) {}\nfunc all() { check(ManagedObject.self) }",
      "final class Thing: ManagedObject, Sendable {}",
      "final class Thing: ManagedObject, @unchecked Sendable {}",
      "final class Thing: ManagedObject {}\nextension Thing: @unchecked Sendable {}",
    ])
  func notSendable(_ text: String) throws {
    #expect(try complaints(text).contains("Sendable"))
  }

  @Test(
    "CTX-319: a program whose default isolation is the main actor uses private-queue contexts as they are")
  func mainActor() throws {
    let text = """
      final class Model {
        let background: ManagedObjectContext
        let view: ManagedObjectContext
        var titles: [String] = []
        init(_ coordinator: PersistentStoreCoordinator) {
          background = ManagedObjectContext(coordinator: coordinator)
          view = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
        }
        func load() async throws {
          let background = background
          let id = try await background.perform { try background.insert(entityNamed: "A").objectID }
          titles = [try view.object(with: id).objectID.shortForm]
          background.performAndWait { background.reset() }
        }
      }
      """
    #expect(try complaints(text, options: ["-default-isolation", "MainActor"]) == "")
  }

  @Test("CTX-012: there is no third kind of context")
  func kinds() throws {
    let text = """
      func isMain(_ context: ManagedObjectContext) -> Bool {
        switch context.concurrencyType {
        case .mainQueue: true
        case .privateQueue: false
        }
      }
      """
    #expect(try complaints(text) == "")
  }

  @Test("CTX-322: contexts and coordinators have no lock calls", arguments: ["lock", "unlock", "tryLock"])
  func locks(_ name: String) throws {
    for type in ["ManagedObjectContext", "PersistentStoreCoordinator"] {
      #expect(try complaints("func work(_ it: \(type)) { it.\(name)() }") != "")
    }
  }
}
