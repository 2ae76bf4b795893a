import Foundation
import Testing

@testable import GraphStore

/// Policy × what each side has done to a property, over attributes of every kind and a to-one.
@Suite("Merging by property", .everyStore)
struct MergePolicyTableTests {
  /// What the two writers have done to a property.
  enum Changed: String, CaseIterable, Sendable {
    case nothing, theirs, mine, both, bothAlike, theirsToNothing, mineToNothing
  }

  private enum Side { case base, mine, theirs, nothing }

  /// What the store has in the end (CTX-197 to CTX-200).
  private static func winner(_ policy: PolicyCase, _ changed: Changed) -> Side {
    switch (policy, changed) {
    case (_, .nothing): .base
    case (_, .bothAlike): .theirs
    case (.overwrite, .theirs), (.overwrite, .theirsToNothing): .base
    case (_, .theirs): .theirs
    case (_, .theirsToNothing): .nothing
    case (.rollback, .mine), (.rollback, .mineToNothing): .base
    case (_, .mine): .mine
    case (_, .mineToNothing): .nothing
    case (.store, .both), (.rollback, .both): .theirs
    case (_, .both): .mine
    }
  }

  private static let values: [(key: String, base: any Sendable, mine: any Sendable, theirs: any Sendable)] = [
    ("text", "base", "mine", "theirs"),
    ("short", Int16(1), Int16(2), Int16(3)),
    ("long", Int64(1), Int64(2), Int64(3)),
    ("flag", true, false, false),
    ("number", 1.5, 2.5, 3.5),
    ("amount", Decimal(string: "1.25")!, Decimal(string: "2.25")!, Decimal(string: "3.25")!),
    (
      "moment", Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2),
      Date(timeIntervalSinceReferenceDate: 3)
    ),
    ("bytes", Data([1]), Data([2]), Data([3])),
    (
      "id", UUID(uuidString: "00000000-0000-0000-0000-000000000001")!,
      UUID(uuidString: "00000000-0000-0000-0000-000000000002")!,
      UUID(uuidString: "00000000-0000-0000-0000-000000000003")!
    ),
    (
      "place", URL(string: "https://a.example/base")!, URL(string: "https://a.example/mine")!,
      URL(string: "https://a.example/theirs")!
    ),
  ]

  private static var model: ModelDefinition {
    let types: [String: AttributeType] = [
      "text": .string, "short": .int16, "long": .int64, "flag": .boolean, "number": .double,
      "amount": .decimal,
      "moment": .date, "bytes": .binary, "id": .uuid, "place": .uri,
    ]
    let attributes = values.map { AttributeDefinition($0.key, types[$0.key]!) }
    return ModelDefinition(
      name: "Merging",
      entities: [
        EntityDefinition(
          "Item",
          attributes: attributes + [
            AttributeDefinition("name", .string), AttributeDefinition("stamp", .int64),
          ],
          relationships: [RelationshipDefinition("group", to: "Group", inverse: "items")]),
        EntityDefinition(
          "Group", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("items", to: "Item", inverse: "group", isToMany: true)]),
      ])
  }

  private static func describe(_ value: Any?) -> String { value.map { "\($0)" } ?? "nothing" }

  private static func state(of item: ManagedObject) throws -> [String: String] {
    var state: [String: String] = [:]
    for value in values { state[value.key] = describe(try item.value(forKey: value.key)) }
    state["group"] = try item.object(forKey: "group")?.string("name") ?? "nothing"
    return state
  }

  private static func change(_ item: ManagedObject, to side: Side) throws {
    for value in values {
      let new: Any? =
        switch side {
        case .base: value.base
        case .mine: value.mine
        case .theirs: value.theirs
        case .nothing: nil
        }
      try item.setValue(new, forKey: value.key)
    }
    let name = side == .mine ? "mine" : side == .theirs ? "theirs" : "base"
    let group = side == .nothing ? nil : try item.managedObjectContext?.all("Group", "name == '\(name)'")[0]
    try item.setValue(group, forKey: "group")
  }

  private static func expected(_ side: Side) -> [String: String] {
    var state: [String: String] = [:]
    for value in values {
      switch side {
      case .base: state[value.key] = describe(value.base)
      case .mine: state[value.key] = describe(value.mine)
      case .theirs: state[value.key] = describe(value.theirs)
      case .nothing: state[value.key] = "nothing"
      }
    }
    state["group"] = side == .mine ? "mine" : side == .theirs ? "theirs" : side == .base ? "base" : "nothing"
    return state
  }

  @Test(
    "CTX-197, CTX-198, CTX-199, CTX-200, CTX-202, CTX-225, CTX-448: what holds of each kind of property by each policy",
    arguments: PolicyCase.settling, Changed.allCases)
  func table(_ policy: PolicyCase, _ changed: Changed) throws {
    for writer in OtherWriter.allCases {
      let writers = try TwoWriters(Self.model, writer, policy.policy) { context in
        for name in ["base", "mine", "theirs"] { try context.insert("Group", ["name": name]) }
        let item = try context.insert("Item", ["name": "one", "stamp": 1])
        try Self.change(item, to: .base)
      }
      let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
      try theirs.setValue(Int64(9), forKey: "stamp")
      switch changed {
      case .theirs, .both, .bothAlike: try Self.change(theirs, to: .theirs)
      case .theirsToNothing: try Self.change(theirs, to: .nothing)
      case .nothing, .mine, .mineToNothing: break
      }
      try writers.theirs.save()
      try mine.setValue("mine", forKey: "name")
      switch changed {
      case .mine, .both: try Self.change(mine, to: .mine)
      case .bothAlike: try Self.change(mine, to: .theirs)
      case .mineToNothing: try Self.change(mine, to: .nothing)
      case .nothing, .theirs, .theirsToNothing: break
      }
      try writers.mine.save()
      #expect(!writers.mine.hasChanges && !mine.hasChanges, "\(writer)")
      let expected = Self.expected(Self.winner(policy, changed))
      #expect(try Self.state(of: mine) == expected, "in memory, \(writer)")
      let stored = try writers.stored().only("Item")
      #expect(try Self.state(of: stored) == expected, "stored, \(writer)")
      #expect(try stored.string("name") == (policy == .rollback ? "one" : "mine"))
      #expect(try stored.value(forKey: "stamp") as? Int64 == (policy == .overwrite ? 1 : 9))
      let groups = try writers.mine.all("Group").filter { try !$0.objects(forKey: "items").isEmpty }
      #expect(
        try groups.map { try $0.string("name") }
          == (expected["group"] == "nothing" ? [] : [expected["group"]]))
      try writers.mine.checkInvariants()
      // What was saved is what the next save starts from.
      try mine.setValue("again", forKey: "name")
      try writers.mine.save()
    }
  }

  @Test("CTX-201, CTX-451: the four give four different results")
  func four() throws {
    let model = ModelDefinition(
      name: "People",
      entities: [
        EntityDefinition(
          "Person",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("last", .string),
            AttributeDefinition("age", .int64),
          ])
      ])
    let results: [PolicyCase: [String]] = [
      .rollback: ["store", "store", "2"], .overwrite: ["old", "memory", "3"],
      .store: ["store", "memory", "2"],
      .object: ["store", "memory", "3"],
    ]
    for (policy, expected) in results {
      let writers = try TwoWriters(model, .context, policy.policy) {
        try $0.insert("Person", ["name": "old", "last": policy == .rollback ? "store" : "old", "age": 1])
      }
      let (mine, theirs) = (try writers.mine.only("Person"), try writers.theirs.only("Person"))
      try theirs.setValue("store", forKey: "name")
      try theirs.setValue(Int64(2), forKey: "age")
      try writers.theirs.save()
      try mine.setValue("memory", forKey: "last")
      try mine.setValue(Int64(3), forKey: "age")
      try writers.mine.save()
      let stored = try writers.stored().only("Person")
      #expect(
        try [stored.string("name"), stored.string("last"), "\(stored.value(forKey: "age") as! Int64)"]
          == expected,
        "\(policy)")
    }
  }
}
