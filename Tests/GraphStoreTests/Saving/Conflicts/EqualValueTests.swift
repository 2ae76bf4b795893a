import Foundation
import GraphStore
import Testing

@Suite("Values set to what they were", .everyStore)
struct EqualValueTests {
  private static let keys = ["name", "count", "price", "colors", "box", "tag", "noTag"]

  private static let model = ModelDefinition(entities: [
    EntityDefinition(
      "Item",
      attributes: [
        AttributeDefinition("name", .string), AttributeDefinition("count", .int64),
        AttributeDefinition("price", .decimal), AttributeDefinition("colors", .transformable),
        AttributeDefinition("other", .string),
      ],
      relationships: [
        RelationshipDefinition("box", to: "Box", inverse: "items"), RelationshipDefinition("tag", to: "Tag"),
        RelationshipDefinition("noTag", to: "Tag"),
      ]),
    EntityDefinition(
      "Box", attributes: [AttributeDefinition("name", .string)],
      relationships: [RelationshipDefinition("items", to: "Item", inverse: "box", isToMany: true)]),
    EntityDefinition("Tag", attributes: [AttributeDefinition("name", .string)]),
  ])

  private func writers(_ writer: OtherWriter, _ policy: PolicyCase) throws -> TwoWriters {
    try TwoWriters(Self.model, writer, policy.policy) { context in
      let boxes = try ["first box", "second box"].map { try context.insert("Box", ["name": $0]) }
      let tags = try ["first tag", "second tag"].map { try context.insert("Tag", ["name": $0]) }
      try context.insert(
        "Item",
        [
          "name": "first", "count": 1, "price": Decimal(1), "colors": ["red"], "box": boxes[0],
          "tag": tags[0],
          "other": "first",
        ])
    }
  }

  private func shown(_ object: ManagedObject, _ key: String) throws -> String {
    let value = try object.value(forKey: key)
    if let destination = value as? ManagedObject { return try destination.string("name") ?? "" }
    return value.map { "\($0)" } ?? "nil"
  }

  /// Has the other writer change a property and save.
  private func change(_ key: String, in context: ManagedObjectContext) throws {
    let item = try context.only("Item")
    let value: Any =
      switch key {
      case "count": 2
      case "price": Decimal(2)
      case "colors": ["blue"]
      case "box": try context.all("Box", "name BEGINSWITH 'second'")[0]
      case "tag", "noTag": try context.all("Tag", "name BEGINSWITH 'second'")[0]
      default: "second"
      }
    try item.setValue(value, forKey: key)
    try context.save()
  }

  @Test(
    "CTX-032, CTX-171, CTX-199, CTX-200: a property that was set to what it was is left to who has changed it",
    arguments: OtherWriter.allCases, [PolicyCase.store, .object])
  func policies(_ writer: OtherWriter, _ policy: PolicyCase) throws {
    for key in Self.keys {
      let writers = try writers(writer, policy)
      let mine = try writers.mine.only("Item")
      let own = try mine.value(forKey: key)
      try change(key, in: writers.theirs)
      try mine.setValue(own, forKey: key)
      try mine.setValue("mine", forKey: "other")
      try writers.mine.save()
      let stored = try writers.stored().only("Item")
      let theirs = try shown(writers.theirs.only("Item"), key)
      #expect(try shown(mine, key) == theirs && shown(stored, key) == theirs, "\(key)")
      #expect(try stored.string("other") == "mine" && !writers.mine.hasChanges, "\(key)")
    }
  }

  @Test(
    "CTX-201: overwriting makes the record again what the object is, also by what was set to what it was",
    arguments: OtherWriter.allCases)
  func overwriting(_ writer: OtherWriter) throws {
    for key in Self.keys {
      let writers = try writers(writer, .overwrite)
      let mine = try writers.mine.only("Item")
      let (own, text) = (try mine.value(forKey: key), try shown(mine, key))
      try change(key, in: writers.theirs)
      try mine.setValue(own, forKey: key)
      try writers.mine.save()
      #expect(try shown(mine, key) == text && shown(writers.stored().only("Item"), key) == text, "\(key)")
    }
  }

  @Test("FLT-101, CTX-031, CTX-032: a merging refresh makes no change of it, and keeps what differs")
  func refreshing() throws {
    for key in Self.keys {
      let writers = try writers(.context, .error)
      let mine = try writers.mine.only("Item")
      try change(key, in: writers.theirs)
      try mine.setValue(try mine.value(forKey: key), forKey: key)
      try writers.mine.refresh(mine, mergeChanges: true)
      #expect(try shown(mine, key) == shown(writers.theirs.only("Item"), key), "\(key)")
      #expect(!mine.hasPersistentChangedValues && mine.isUpdated, "\(key)")
      try mine.setValue("mine", forKey: "other")
      try writers.mine.refresh(mine, mergeChanges: true)
      #expect(try mine.string("other") == "mine" && mine.changedKeys == ["other"], "\(key)")
      try writers.mine.save()
    }
  }
}
