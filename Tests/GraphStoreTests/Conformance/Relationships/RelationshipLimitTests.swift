import GraphStore
import Testing

@Suite("Optionality and counts", .everyStore)
struct RelationshipLimitTests {
  private static func model(
    isOptional: Bool = true, minimum: Int = 0, maximum: Int = 0, isOwnerOptional: Bool = true
  ) -> ModelDefinition {
    ModelDefinition(
      name: "Team",
      entities: [
        EntityDefinition(
          "Team", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition(
              "players", to: "Player", inverse: "team", isToMany: true, isOptional: isOptional,
              minCount: minimum, maxCount: maximum),
            RelationshipDefinition("captain", to: "Player", inverse: "captainOf", isOptional: isOptional),
          ]),
        EntityDefinition(
          "Player", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("team", to: "Team", inverse: "players", isOptional: isOwnerOptional),
            RelationshipDefinition("captainOf", to: "Team", inverse: "captain"),
          ]),
      ])
  }

  private func numbers(_ body: () throws -> Void) -> [Int] {
    guard let error = failure(body) else { return [] }
    return (error.errors.isEmpty ? [error.number] : error.errors.map(\.number)).sorted()
  }

  @Test("REL-140: limits are looked at in the save, and may be broken in between")
  func atSave() throws {
    let stack = try TestStack(Self.model(isOptional: false, minimum: 1, maximum: 2, isOwnerOptional: false))
    let team = try stack.context.insert("Team", ["name": "T"])
    let players = try (0..<4).map { try stack.context.insert("Player", ["name": "\($0)"]) }
    try stack.context.processPendingChanges()
    try team.setValue(players, forKey: "players")
    try team.setValue(nil, forKey: "players")
    try stack.context.processPendingChanges()
    #expect(numbers { try stack.context.save() } == [1570, 1570, 1570, 1570, 1570, 1570])
    try team.setValue(players, forKey: "players")
    try team.setValue(players[0], forKey: "captain")
    #expect(numbers { try stack.context.save() } == [1590])
    try stack.context.delete(players[2])
    try stack.context.delete(players[3])
    try stack.context.save()
    #expect(try stack.otherProcess().all("Player").count == 2)
  }

  @Test("REL-143, REL-432, REL-443: limits of 3 to 40, at and beyond each, for new and for changed owners")
  func boundaries() throws {
    for isOptional in [true, false] {
      for count in [0, 1, 2, 3, 40, 41] {
        var expected: [Int] =
          count == 0 ? (isOptional ? [] : [1570]) : count < 3 ? [1580] : count > 40 ? [1590] : []
        let stack = try TestStack(Self.model(isOptional: isOptional, minimum: 3, maximum: 40))
        let context = stack.context
        let players = try (0..<count).map { try context.insert("Player", ["name": "\($0)"]) }
        let captain = try context.insert("Player", ["name": "captain"])
        let team = try context.insert("Team", ["name": "T", "players": players, "captain": captain])
        #expect(numbers { try context.save() } == expected, "\(count), \(isOptional)")
        // From a number that is allowed to the one that is tested, by the other ends.
        let others = try (0..<3).map { try context.insert("Player", ["name": "other \($0)"]) }
        try team.setValue(others, forKey: "players")
        try context.save()
        for player in players { try player.setValue(team, forKey: "team") }
        for player in others { try player.setValue(nil, forKey: "team") }
        if !isOptional, count == 0 { expected = [1570] }
        #expect(numbers { try context.save() } == expected, "\(count), \(isOptional), changed")
      }
    }
  }

  @Test("REL-144: a to-one has no counts: 0 and 1 say nothing, and a model with others is refused")
  func toOne() throws {
    var model = Self.model()
    model.entities[0].relationships[1].minCount = 1
    model.entities[0].relationships[1].maxCount = 1
    let stack = try TestStack(model)
    let captain = try stack.context.insert("Player", ["name": "c"])
    try stack.context.insert("Team", ["name": "T", "captain": captain])
    try stack.context.insert("Team", ["name": "U"])
    try stack.context.save()
    #expect(try stack.otherProcess().all("Team").count == 2)
    model.entities[0].relationships[1].minCount = 2
    #expect(throws: (any Error).self) { try ManagedObjectModel(model) }
  }

  @Test("REL-146: neither a mandatory relationship nor a minimum makes an object")
  func nothingMade() throws {
    let stack = try TestStack(Self.model(isOptional: false, minimum: 1, isOwnerOptional: false))
    let team = try stack.context.insert("Team", ["name": "T"])
    #expect(stack.context.insertedObjects == [team])
    #expect(try team.objects(forKey: "players").isEmpty && team.object(forKey: "captain") == nil)
    #expect(numbers { try stack.context.save() } == [1570, 1570])
    #expect(stack.context.insertedObjects == [team])
    #expect(try stack.otherProcess().all("Player").isEmpty)
  }

  @Test("REL-147: two objects that need each other are saved together", arguments: [true, false])
  func mutual(_ isFirstFirst: Bool) throws {
    let stack = try TestStack(
      ModelDefinition(
        name: "Pair",
        entities: [
          EntityDefinition(
            "Left", attributes: [AttributeDefinition("name", .string)],
            relationships: [RelationshipDefinition("right", to: "Right", inverse: "left", isOptional: false)]),
          EntityDefinition(
            "Right", attributes: [AttributeDefinition("name", .string)],
            relationships: [RelationshipDefinition("left", to: "Left", inverse: "right", isOptional: false)]),
        ]))
    let context = stack.context
    let first = try context.insert(isFirstFirst ? "Left" : "Right", ["name": "1"])
    #expect(numbers { try context.save() } == [1570])
    let second = try context.insert(isFirstFirst ? "Right" : "Left", ["name": "2"])
    #expect(numbers { try context.save() } == [1570, 1570])
    try first.setValue(second, forKey: isFirstFirst ? "right" : "left")
    try context.save()
    let stored = try stack.otherProcess().all("Left")
    #expect(try stored.count == 1 && stored[0].object(forKey: "right")?.object(forKey: "left") === stored[0])
  }
}
