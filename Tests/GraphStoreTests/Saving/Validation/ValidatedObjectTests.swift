import GraphStore
import Testing

/// Tells by which method each object is validated.
private final class Witness: ManagedObject {
  nonisolated(unsafe) static var calls: [String] = []

  private func note(_ method: String) { Self.calls.append("\(method) \(objectID.shortForm)") }

  override func validateForInsert() throws {
    note("insert")
    try super.validateForInsert()
  }

  override func validateForUpdate() throws {
    note("update")
    try super.validateForUpdate()
  }

  override func validateForDelete() throws {
    note("delete")
    try super.validateForDelete()
  }
}

/// Objects that a save looks at, and how.
@Suite("Which objects a save validates", .serialized, .everyStore)
struct ValidatedObjectTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let red: ManagedObject
  private let blue: ManagedObject
  private let ada: ManagedObject

  /// Two teams are stored, and a player of the first.
  init() throws {
    stack = try TestStack(
      ModelDefinition(
        name: "Teams",
        entities: [
          EntityDefinition(
            "Team", className: "Witness", attributes: [.init("name", .string, isOptional: false)],
            relationships: [.init("players", to: "Player", inverse: "team", isToMany: true)],
            uniquenessConstraints: [["name"]]),
          EntityDefinition(
            "Player", className: "Witness", attributes: [.init("name", .string)],
            relationships: [.init("team", to: "Team", inverse: "players")]),
        ]), classes: ["Witness": Witness.self])
    red = try stack.context.insert("Team", ["name": "red"])
    blue = try stack.context.insert("Team", ["name": "blue"])
    ada = try stack.context.insert("Player", ["name": "Ada", "team": red])
    try stack.context.save()
  }

  private func calls() throws -> [String] {
    Witness.calls = []
    #expect(try context.validateChanges().isEmpty)
    return Witness.calls
  }

  @Test(
    "OBJ-331, OBJ-526: inserted, updated and deleted objects are validated by their methods, and no others")
  func methods() throws {
    let new = try context.insert("Team", ["name": "green"])
    try context.obtainPermanentIDs(for: [new])
    try ada.setValue("Ada L.", forKey: "name")
    try context.delete(blue)
    #expect(!new.objectID.isTemporaryID)
    #expect(
      try calls() == [
        "insert \(new.objectID.shortForm)", "update \(ada.objectID.shortForm)",
        "delete \(blue.objectID.shortForm)",
      ])
  }

  @Test("OBJ-332: what inverses and delete rules change is updated, and validated")
  func consequences() throws {
    try ada.setValue(blue, forKey: "team")
    let ends = [red, blue, ada].map { "update \($0.objectID.shortForm)" }
    #expect(try calls().sorted() == ends.sorted())
    try context.save()
    try context.delete(blue)
    #expect(try calls() == ["update \(ada.objectID.shortForm)", "delete \(blue.objectID.shortForm)"])
  }

  @Test("OBJ-333: who is deleted breaks no constraint, and who was inserted and deleted is not looked at")
  func deletions() throws {
    try red.setValue(nil, forKey: "name")
    try context.delete(red)
    let passing = try context.insert("Team", [:])
    try context.delete(passing)
    #expect(
      try calls() == ["update \(ada.objectID.shortForm)", "delete \(red.objectID.shortForm)"])
    try context.save()
    #expect(try stack.otherProcess().all("Team").count == 1)
  }

  @Test("OBJ-337: equal values in a uniqueness constraint are found when rows are written")
  func uniqueness() throws {
    try context.insert("Team", ["name": "red"])
    #expect(try context.validateChanges().isEmpty)
    #expect { try context.save() } throws: { ($0 as? GraphStoreError)?.code == .constraintConflict }
  }

  @Test("OBJ-527, OBJ-334: every failure of every object is listed, flat, by a save and without one")
  func flat() throws {
    try context.insert("Team", [:])
    try red.setValue(nil, forKey: "name")
    #expect(try context.validateChanges().map(\.number) == [1570, 1570])
    #expect {
      try context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.number == 1560 && error?.errors.map(\.number) == [1570, 1570]
        && error?.errors.allSatisfy(\.errors.isEmpty) == true
    }
  }
}
