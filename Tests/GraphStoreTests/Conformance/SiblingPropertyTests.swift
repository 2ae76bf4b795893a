import Foundation
import GraphStore
import Testing

/// Sibling entities that use one property name, each in its own way.
@Suite(.everyStore)
struct SiblingPropertyTests {
  private static let model = ModelDefinition(
    name: "Siblings",
    entities: [
      EntityDefinition("Base", attributes: [AttributeDefinition("name", .string)]),
      EntityDefinition(
        "Text", parent: "Base", attributes: [AttributeDefinition("value", .string)],
        relationships: [RelationshipDefinition("peer", to: "Text", inverse: "peers")]
          + [RelationshipDefinition("peers", to: "Text", inverse: "peer", isToMany: true)]),
      EntityDefinition(
        "Whole", parent: "Base", attributes: [AttributeDefinition("value", .int64)],
        relationships: [RelationshipDefinition("peer", to: "Base")]),
      EntityDefinition("Moment", parent: "Base", attributes: [AttributeDefinition("value", .date)]),
      EntityDefinition("Amount", parent: "Base", attributes: [AttributeDefinition("value", .decimal)]),
      EntityDefinition("Bytes", parent: "Base", attributes: [AttributeDefinition("value", .binary)]),
      EntityDefinition("Plain", parent: "Base"),
    ])

  private let stack: TestStack
  private let date = Date(timeIntervalSinceReferenceDate: 123.5)

  init() throws {
    stack = try TestStack(Self.model)
    let context = stack.context
    let text = try context.insert("Text", ["name": "t", "value": "12"])
    try context.insert("Text", ["name": "t2", "value": "abc", "peer": text])
    try context.insert("Whole", ["name": "w", "value": 12, "peer": text])
    try context.insert("Moment", ["name": "m", "value": date])
    try context.insert("Amount", ["name": "a", "value": Decimal(12)])
    try context.insert("Bytes", ["name": "b", "value": Data([1, 2])])
    try context.insert("Plain", ["name": "p"])
    try context.save()
    context.reset()
  }

  private func values(_ context: ManagedObjectContext) throws -> [String: Any] {
    var values: [String: Any] = [:]
    for object in try context.all("Base") where object.entity.name != "Plain" {
      values[try object.string("name") ?? ""] = try object.value(forKey: "value")
    }
    return values
  }

  @Test("MDL-085, STO-236: each keeps its own values, fetched together or apart")
  func apart() throws {
    let all = try values(stack.otherProcess())
    #expect(all.count == 6)
    #expect(all["t"] as? String == "12" && all["t2"] as? String == "abc")
    #expect(all["w"] as? Int64 == 12)
    #expect(all["m"] as? Date == date)
    #expect(all["a"] as? Decimal == 12)
    #expect(all["b"] as? Data == Data([1, 2]))
    let wholes = try stack.otherProcess().all("Whole")
    #expect(try wholes.map { try $0.value(forKey: "value") as? Int64 } == [12])
  }

  @Test("MDL-085: predicates and sorts of one see nothing of the others")
  func predicates() throws {
    #expect(try stack.context.all("Text", "value == '12'").count == 1)
    #expect(try stack.context.all("Whole", "value == 12").count == 1)
    #expect(try stack.context.all("Whole", "value > 12").isEmpty)
    #expect(try stack.context.all("Amount", "value == 12").count == 1)
    #expect(try stack.context.all("Text", sort: ["-value"]).map { try $0.string("name") } == ["t2", "t"])
    #expect(throws: (any Error).self) { try stack.context.all("Base", "value == 12") }
    #expect(throws: (any Error).self) { try stack.context.all("Plain", "value == nil") }
  }

  @Test("MDL-085: changing one leaves the others alone")
  func changes() throws {
    try stack.context.all("Whole")[0].setValue(99, forKey: "value")
    try stack.context.all("Text", "name == 't'")[0].setValue(nil, forKey: "value")
    try stack.context.save()
    let all = try values(stack.otherProcess())
    #expect(all["w"] as? Int64 == 99 && all["t2"] as? String == "abc" && all["a"] as? Decimal == 12)
    #expect(all["t"] == nil)
  }

  @Test("STO-236, STO-237: to-ones of one name lead to where each of them points")
  func relationships() throws {
    let text = try stack.context.all("Text", "name == 't'")[0]
    let second = try stack.context.all("Text", "name == 't2'")[0]
    let whole = try stack.context.all("Whole")[0]
    #expect(try second.object(forKey: "peer") === text)
    #expect(try whole.object(forKey: "peer") === text)
    #expect(try text.names("peers") == ["t2"])
    #expect(try stack.context.all("Text", "peer.name == 't'").count == 1)
    #expect(try stack.context.all("Whole", "peer.name == 't'").count == 1)
    let amount = try stack.context.all("Amount")[0]
    try whole.setValue(amount, forKey: "peer")
    try stack.context.save()
    let other = try stack.otherProcess()
    #expect(try other.all("Whole")[0].object(forKey: "peer")?.entity.name == "Amount")
    #expect(try other.all("Text", "name == 't2'")[0].object(forKey: "peer")?.string("name") == "t")
  }
}
