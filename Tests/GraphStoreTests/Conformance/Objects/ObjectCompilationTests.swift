import GraphStoreTestSupport
import Testing

/// What Swift itself keeps of objects.
@Suite("Objects before the compiler", .enabled(if: SwiftCompiler.isThere))
struct ObjectCompilationTests {
  private func complaints(_ text: String, options: [String] = []) throws -> String {
    try SwiftCompiler.complaints(
      about: [SwiftCompiler.Source(name: "App.swift", text: "import GraphStore\n\(text)\n")], options: options
    )
  }

  private static let members = [
    "override var entity: EntityDescription { super.entity }",
    "override var objectID: ManagedObjectID { super.objectID }",
    "override var managedObjectContext: ManagedObjectContext? { nil }",
    "override var isFault: Bool { false }",
    "override var isInserted: Bool { false }",
    "override var isUpdated: Bool { false }",
    "override var isDeleted: Bool { false }",
    "override var hasChanges: Bool { false }",
    "override var hasPersistentChangedValues: Bool { false }",
    "override var faultingState: Int { 0 }",
    "override func hash(into hasher: inout Hasher) {}",
    "override func value(forKey key: String) throws -> Any? { nil }",
    "override func setValue(_ value: Any?, forKey key: String) throws {}",
    "override func value(forKeyPath text: String) throws -> Any? { nil }",
    "override func setValue(_ value: Any?, forKeyPath text: String) throws {}",
    "override func primitiveValue(forKey key: String) throws -> Any? { nil }",
    "override func setPrimitiveValue(_ value: Any?, forKey key: String) throws {}",
  ]

  @Test("OBJ-005: the members that the library relies on are not overridden, one by one")
  func final() throws {
    let lines = ["class Thing: ManagedObject {"] + Self.members + ["}"]
    let found = try complaints(lines.joined(separator: "\n"))
    for (number, member) in Self.members.enumerated() {
      // The import and the head of the class stand before the first.
      let place = "App.swift:\(number + 3):"
      let said = found.split(separator: "\n").filter { $0.contains(place) && $0.contains("error:") }
      #expect(said.contains { $0.contains("non-open") || $0.contains("'final'") }, "\(member): \(said)")
    }
  }

  @Test("OBJ-005: another equality of a subclass changes neither sets nor the comparison of managed objects")
  func equality() throws {
    let text = """
      class Thing: ManagedObject {
        override static func == (left: ManagedObject, right: ManagedObject) -> Bool { true }
      }
      """
    #expect(try complaints(text).contains("error:"))
  }

  @Test("OBJ-005: hooks can be overridden")
  func open() throws {
    let text = """
      class Thing: ManagedObject {
        override func awakeFromInsert() { super.awakeFromInsert() }
        override func willSave() {}
        override func validateForUpdate() throws { try super.validateForUpdate() }
        override func value(forUndefinedKey key: String) throws -> Any? { nil }
      }
      """
    let found = try complaints(text)
    #expect(found == "", "\(found)")
  }

  @Test(
    "OBJ-007: an object is not passed to another task, its identifier and its context are",
    arguments: [
      ("ManagedObject", "_ = it.isFault", false), ("ManagedObjectID", "_ = it.shortForm", true),
      ("ManagedObjectContext", "_ = it.name", true),
    ])
  func tasks(_ type: String, _ use: String, _ isAllowed: Bool) throws {
    let text = """
      func work(_ it: \(type)) {
        Task { \(use) }
        Task.detached { \(use) }
      }
      """
    // What is sent where is found out behind the check of types.
    let found = try complaints(text, options: ["-emit-sil", "-o", "/dev/null"])
    #expect((found == "") == isAllowed, "\(found)")
    if !isAllowed { #expect(found.contains("sending") || found.contains("Sendable")) }
  }

  @Test(
    "OBJ-048, DGN-140: there is no initialiser without an entity and a context",
    arguments: [
      "func make() -> ManagedObject { ManagedObject() }",
      "final class Thing: ManagedObject {}\nfunc make() -> Thing { Thing() }",
      "final class Thing: ManagedObject { init() { super.init() } }",
      "final class Thing: ManagedObject { convenience init() { self.init(Origin()) } }",
      "func make() -> ManagedObject.Origin { ManagedObject.Origin() }",
    ])
  func noPlainInitialiser(_ text: String) throws {
    #expect(try complaints(text).contains("error:"))
  }

  @Test("OBJ-249: the definition of a relationship takes no default")
  func noDefaultOfRelationship() throws {
    let text = "let made = RelationshipDefinition(\"a\", to: \"B\", defaultValue: .null)"
    #expect(try complaints(text).contains("extra argument 'defaultValue'"))
  }
}
