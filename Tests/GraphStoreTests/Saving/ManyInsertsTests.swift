import Foundation
import GraphStore
import Testing

/// Saves whose new rows share statements.
struct ManyInsertsTests {
  private static let unique = ModelDefinition(
    name: "Unique",
    entities: [
      EntityDefinition(
        "Item", attributes: [AttributeDefinition("code", .string), AttributeDefinition("note", .string)],
        uniquenessConstraints: [["code"]]),
      EntityDefinition("Other", attributes: [AttributeDefinition("code", .string)]),
    ])

  private func insertItems(_ count: Int, twin: Int, into stack: TestStack) throws -> [ManagedObject] {
    try (0..<count).map { try stack.context.insert("Item", ["code": $0 == twin ? "taken" : "c\($0)"]) }
  }

  @Test(
    "CTX-178: the object that collides is named wherever it stands among those that are written together",
    arguments: [0, 1, 30, 31, 32, 63, 64, 69])
  func conflict(_ place: Int) throws {
    let stack = try TestStack(Self.unique)
    let holder = try stack.context.insert("Item", ["code": "taken"])
    try stack.context.save()
    let items = try insertItems(70, twin: place, into: stack)
    let temporary = items.map(\.objectID)
    do {
      try stack.context.save()
      Issue.record("The save went through.")
    } catch let error as GraphStoreError {
      #expect(error.code == .constraintConflict)
      #expect(error.message.contains("\"taken\""))
      #expect(error.objectID?.shortForm == "Item/t\(place + 2)")
      #expect(error.relatedObjects == [holder.objectID])
    }
    #expect(items.map(\.objectID) == temporary)
    #expect(try stack.otherProcess().all("Item").count == 1)
    try items[place].setValue("free", forKey: "code")
    try stack.context.save()
    #expect(try stack.otherProcess().all("Item").count == 71)
  }

  @Test("CTX-119: two new objects with the same unique value write nothing, also of the rows before them")
  func conflictAmongNew() throws {
    let stack = try TestStack(Self.unique)
    try stack.context.insert("Other", ["code": "c"])
    _ = try insertItems(40, twin: 3, into: stack)
    try stack.context.insert("Item", ["code": "taken"])
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .constraintConflict }
    #expect(try stack.otherProcess().all("Item").isEmpty)
    #expect(try stack.otherProcess().all("Other").isEmpty)
  }

  @Test("CTX-119: inside a transaction a save that fails leaves the saves before it")
  func conflictInTransaction() throws {
    let stack = try TestStack(Self.unique)
    try stack.coordinator.transaction(with: stack.context) { _ in
      _ = try insertItems(40, twin: 40, into: stack)
      try stack.context.save()
      let others = try insertItems(80, twin: 41, into: stack)
      #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .constraintConflict }
      for other in others { try stack.context.delete(other) }
      try stack.context.save()
    }
    #expect(try stack.otherProcess().all("Item").count == 40)
  }

  /// A decimal of more digits than a number of SQLite has.
  private static func money(_ number: Int) -> Decimal {
    Decimal(number) + Decimal(sign: .plus, exponent: -30, significand: Decimal(number))
  }

  @Test(
    "OBJ-051: rows come back with their own values and keys, whatever their number",
    arguments: [1, 31, 32, 33, 64, 100])
  func values(_ count: Int) throws {
    let stack = try TestStack(TestModels.types)
    let uuid = UUID()
    for number in 0..<count {
      var values: [String: Any] = ["large": Int64(number), "money": Self.money(number)]
      if number % 3 != 0 { values["text"] = number % 3 == 1 ? "" : "text \(number)" }
      if number % 2 == 0 { values["bytes"] = number % 4 == 0 ? Data() : Data("\(number)".utf8) }
      if number % 5 == 0 { values["tag"] = uuid }
      try stack.context.insert("Thing", values)
    }
    try stack.context.save()
    let things = try stack.otherProcess().all("Thing", sort: ["large"])
    #expect(things.count == count)
    for (number, thing) in things.enumerated() {
      #expect(thing.objectID.shortForm == "Thing/p\(number + 1)")
      #expect(try thing.value(forKey: "money") as? Decimal == Self.money(number))
      let text = number % 3 == 0 ? nil : number % 3 == 1 ? "" : "text \(number)"
      #expect(try thing.string("text") == text)
      let data = number % 2 != 0 ? nil : number % 4 == 0 ? Data() : Data("\(number)".utf8)
      #expect(try thing.value(forKey: "bytes") as? Data == data)
      #expect(try thing.value(forKey: "tag") as? UUID == (number % 5 == 0 ? uuid : nil))
    }
  }

  @Test("OBJ-051: keys follow the order of insertion where entities take turns")
  func turns() throws {
    let stack = try TestStack(Self.unique)
    for number in 0..<120 {
      try stack.context.insert(number < 50 || number % 2 == 0 ? "Item" : "Other", ["code": "c\(number)"])
    }
    try stack.context.save()
    let context = try stack.otherProcess()
    let items = try context.all("Item").sorted { $0.objectID < $1.objectID }
    let others = try context.all("Other").sorted { $0.objectID < $1.objectID }
    #expect(
      try items.map { try $0.string("code") } == (0..<120).filter { $0 < 50 || $0 % 2 == 0 }.map { "c\($0)" })
    #expect(try others.map { try $0.string("code") } == (50..<120).filter { $0 % 2 == 1 }.map { "c\($0)" })
  }

  @Test("An entity with more attributes than a statement has parameters for many rows is written row by row")
  func wide() throws {
    let names = (0..<600).map { "a\($0)" }
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition("Wide", attributes: names.map { AttributeDefinition($0, .int64) })
      ]))
    for number in 0..<40 { try stack.context.insert("Wide", ["a0": Int64(number), "a599": Int64(-number)]) }
    try stack.context.save()
    let read = try stack.otherProcess().all("Wide", sort: ["a0"])
    #expect(try read.map { try $0.value(forKey: "a599") as? Int64 } == (0..<40).map { -Int64($0) })
  }
}
