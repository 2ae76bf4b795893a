import GraphStore
import Testing

/// Accepts anything when it is inserted.
private final class Lenient: ManagedObject {
  override func validateForInsert() throws {}
}

/// Looks at its name in every validation.
private final class Reader: ManagedObject {
  override func validateForUpdate() throws {
    try super.validateForUpdate()
    if try string("name")?.hasPrefix("Team") != true { throw Unread() }
  }

  struct Unread: Error {}
}

/// Looks at the value of its name, as proposed.
private final class ValueReader: ManagedObject {
  override func validateProperty(_ key: String, value: inout ProposedValue) throws {
    if key == "name", (value.value as? String)?.hasPrefix("Team") != true { throw Reader.Unread() }
  }
}

/// Notes the keys that it is asked about.
private final class KeyWitness: ManagedObject {
  nonisolated(unsafe) static var keys: [String] = []

  override func validateProperty(_ key: String, value: inout ProposedValue) throws { Self.keys.append(key) }
}

@Suite("Which properties a save validates, and what it reads for it", .serialized, .everyStore)
struct ValidatedPropertyTests {
  private func stack(_ type: ManagedObject.Type?, least: Int = 0) throws -> TestStack {
    func team(_ name: String, _ inverse: String) -> EntityDefinition {
      EntityDefinition(
        name, className: type == nil ? nil : "Class",
        attributes: [
          .init("name", .string), .init("size", .int32, minimum: 0),
          .init("passing", .int16, isTransient: true),
          .init("upper", .string, derivation: "uppercase:(name)"),
        ],
        relationships: [
          .init("players", to: "Player", inverse: inverse, isToMany: true, minCount: least),
          .init("home", to: "Player", isOptional: type != Lenient.self),
        ],
        fetchedProperties: [.init("all", entity: "Player")])
    }
    return try TestStack(
      ModelDefinition(
        name: "Teams",
        entities: [
          team("Team", "team"), team("Club", "club"),
          EntityDefinition(
            "Player", attributes: [.init("name", .string)],
            relationships: [
              .init("team", to: "Team", inverse: "players"), .init("club", to: "Club", inverse: "players"),
            ]),
        ]), classes: type.map { ["Class": $0] } ?? [:])
  }

  @Test("OBJ-338: attributes and to-ones are checked though they have not changed, a to-many if it has")
  func unchanged() throws {
    let stack = try stack(Lenient.self, least: 2)
    let player = try stack.context.insert("Player", [:])
    let team = try stack.context.insert("Team", ["size": -1, "players": [player]])
    try stack.context.save()
    try team.setValue("Team", forKey: "name")
    #expect(try stack.context.validateChanges().map(\.number) == [1620, 1570])
    try team.setValue([stack.context.insert("Player", [:])], forKey: "players")
    #expect(try stack.context.validateChanges().map(\.number) == [1620, 1580, 1570])
  }

  @Test("OBJ-338: an inserted object's to-many is checked though nothing was put into it")
  func insertedToMany() throws {
    let stack = try stack(nil, least: 2)
    let player = try stack.context.insert("Player", [:])
    try stack.context.insert("Team", ["players": [player]])
    #expect(try stack.context.validateChanges().map(\.number) == [1580])
  }

  /// Teams and clubs that are faults, and each gets a player.
  private func changedFaults(_ stack: TestStack) throws -> [ManagedObject] {
    for number in 0..<5 {
      for entity in ["Team", "Club"] { try stack.context.insert(entity, ["name": "Team \(number)"]) }
    }
    try stack.context.save()
    let ids = (try stack.context.all("Team") + stack.context.all("Club")).map(\.objectID)
    stack.context.reset()
    let faults = try ids.map { try stack.context.object(with: $0) }
    for fault in faults {
      let key = fault.entity.name == "Team" ? "team" : "club"
      try stack.context.insert("Player", [key: fault])
    }
    #expect(faults.allSatisfy { $0.isFault })
    return faults
  }

  @Test(
    "OBJ-339, OBJ-526: objects changed in a to-many alone stay faults, and cost nothing", .needs(.statements))
  func unneeded() throws {
    let stack = try stack(nil)
    let faults = try changedFaults(stack)
    #expect(try stack.statements { try check(stack.context.validateChanges().isEmpty) } == 0)
    #expect(faults.allSatisfy { $0.isFault && $0.isUpdated })
  }

  @Test(
    "OBJ-339, OBJ-526: where overrides read values, the changed faults are read with one statement a tree",
    .needs(.statements), arguments: ["whole", "value"])
  func needed(_ override: String) throws {
    let stack = try stack(override == "whole" ? Reader.self : ValueReader.self)
    let faults = try changedFaults(stack)
    #expect(try stack.statements { try check(stack.context.validateChanges().isEmpty) } == 2)
    #expect(faults.allSatisfy { !$0.isFault })
    try stack.context.save()
  }

  @Test(
    "REL-145: members of changed to-manys that were not read are counted with one statement for all objects",
    .needs(.statements))
  func counts() throws {
    let stack = try stack(nil, least: 2)
    for number in 0..<5 {
      let players = try (0..<2).map { _ in try stack.context.insert("Player", [:]) }
      try stack.context.insert("Team", ["name": "Team \(number)", "players": players])
    }
    try stack.context.save()
    let ids = try stack.context.all("Team").map(\.objectID)
    stack.context.reset()
    let faults = try ids.map { try stack.context.object(with: $0) }
    for fault in faults { try stack.context.insert("Player", ["team": fault]) }
    let statements = try stack.recordedStatements { try check(stack.context.validateChanges().isEmpty) }
    #expect(statements.count == 1, "\(statements)")
    #expect(faults.allSatisfy { $0.isFault })
  }

  @Test("OBJ-340: derived attributes and fetched properties are not validated; transient ones are")
  func kinds() throws {
    let stack = try stack(KeyWitness.self)
    KeyWitness.keys = []
    try stack.context.insert("Team", ["name": "x"])
    #expect(try stack.context.validateChanges().isEmpty)
    #expect(KeyWitness.keys.sorted() == ["home", "name", "passing", "players", "size"])
    let mandatory = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing", attributes: [.init("passing", .int16, isOptional: false, isTransient: true, maximum: 3)])
      ]))
    let thing = try mandatory.context.insert("Thing", [:])
    #expect(try mandatory.context.validateChanges().map(\.number) == [1570])
    try thing.setValue(4, forKey: "passing")
    #expect(try mandatory.context.validateChanges().map(\.number) == [1610])
  }
}
