import GraphStoreTestSupport
import Testing

/// What Swift itself keeps of a context's parent.
@Suite("Parents of contexts before the compiler", .enabled(if: SwiftCompiler.isThere))
struct ParentCompilationTests {
  private func complaints(_ text: String) throws -> String {
    try SwiftCompiler.complaints(
      about: [SwiftCompiler.Source(name: "App.swift", text: "import GraphStore\n\(text)\n")], options: [])
  }

  @Test("CTX-004: a parent can be read, and is never replaced")
  func parent() throws {
    let read = "func work(_ c: ManagedObjectContext) -> PersistentStoreCoordinator { c.coordinator }"
    #expect(try complaints(read) == "")
    let replace =
      "func work(_ c: ManagedObjectContext, _ o: PersistentStoreCoordinator) { c.coordinator = o }"
    #expect(try complaints(replace).contains("'coordinator' is"))
  }

  @Test("CTX-002: an object's context can be read, and is never replaced")
  func context() throws {
    let replace = "func work(_ o: ManagedObject, _ c: ManagedObjectContext) { o.managedObjectContext = c }"
    #expect(try complaints(replace).contains("'managedObjectContext' is"))
  }

  @Test("CTX-003, CTX-005: there is no context without a parent, and no coordinator without a model")
  func orphans() throws {
    #expect(try complaints("func make() -> ManagedObjectContext { ManagedObjectContext() }") != "")
    #expect(
      try complaints("func make() -> PersistentStoreCoordinator { PersistentStoreCoordinator() }") != "")
  }
}
