import GraphStore
import Testing

/// To-manys that are not optional: those with a least number demand members, the others nothing, as in Core
/// Data's stores.
@Suite("Mandatory to-many relationships")
struct MandatoryMembersTests {
  private func stack(least: Int, greatest: Int = 0) throws -> TestStack {
    try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Team",
          relationships: [
            RelationshipDefinition(
              "members", to: "Player", inverse: "team", isToMany: true, isOptional: false, minCount: least,
              maxCount: greatest),
            RelationshipDefinition(
              "friends", to: "Team", inverse: "friends", isToMany: true, isOptional: false, minCount: least,
              maxCount: greatest),
          ]),
        EntityDefinition(
          "Player", relationships: [RelationshipDefinition("team", to: "Team", inverse: "members")]),
      ]))
  }

  private func findings(_ stack: TestStack) throws -> [String] {
    try StoreCheck.run(path: stack.path).flatMap(\.findings).map { "\($0.subject) \($0.message)" }
  }

  @Test("Without a least number nothing is demanded: not at insertion, update and deletion, nor by a check")
  func nothingDemanded() throws {
    let stack = try stack(least: 0)
    let team = try stack.context.insert(entityNamed: "Team")
    try stack.context.save()
    let player = try stack.context.insert("Player", ["team": team])
    try stack.context.save()
    #expect(try stack.context.deletionPreview(of: [player]).failures.isEmpty)
    try stack.context.delete(player)
    try stack.context.save()
    #expect(try findings(stack) == [])
  }

  @Test("REL-141: with a least number an empty one is 1570 at insertion and where the last member goes")
  func demanded() throws {
    let stack = try stack(least: 1)
    let team = try stack.context.insert(entityNamed: "Team")
    #expect {
      try stack.context.save()
    } throws: {
      ($0 as? GraphStoreError)?.errors.map(\.number) == [1570, 1570]
    }
    let player = try stack.context.insert("Player", ["team": team])
    try team.setValue(Set([team]), forKey: "friends")
    try stack.context.save()
    #expect(try stack.context.deletionPreview(of: [player]).failures.map(\.number) == [1570])
    try stack.context.delete(player)
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.number == 1570 }
  }

  @Test("REL-148: a check tells of too few and of too many members, in every form of link")
  func counts() throws {
    let stack = try stack(least: 0)
    let teams = try (0..<3).map { _ in try stack.context.insert(entityNamed: "Team") }
    for (index, team) in teams.enumerated() {
      for _ in 0..<(index * 2) { try stack.context.insert("Player", ["team": team]) }
    }
    try teams[0].setValue(Set(teams), forKey: "friends")
    try stack.context.save()
    let strict = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "Team",
          relationships: [
            RelationshipDefinition(
              "members", to: "Player", inverse: "team", isToMany: true, isOptional: false, minCount: 3,
              maxCount: 3),
            RelationshipDefinition(
              "friends", to: "Team", inverse: "friends", isToMany: true, minCount: 2, maxCount: 2),
          ]),
        EntityDefinition(
          "Player", relationships: [RelationshipDefinition("team", to: "Team", inverse: "members")]),
      ]))
    let found = try StoreCheck.run(path: stack.path, model: strict).filter { $0.name == "required values" }
      .flatMap(\.findings).map { "\($0.subject) \($0.message): \($0.objects.joined(separator: " "))" }
    #expect(
      found == [
        "Team.members 1 object without a member: Team/p1",
        "Team.members 1 object with fewer members than 3: Team/p2",
        "Team.members 1 object with more members than 3: Team/p3",
        "Team.friends 2 objects with fewer members than 2: Team/p2 Team/p3",
        "Team.friends 1 object with more members than 2: Team/p1",
      ])
  }
}
