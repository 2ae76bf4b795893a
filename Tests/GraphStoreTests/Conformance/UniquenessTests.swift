import Foundation
import GraphStore
import Testing

@Suite(.everyKindOfStore)
struct UniquenessTests {
  private static let model = ModelDefinition(
    name: "Unique",
    entities: [
      EntityDefinition(
        "Item", attributes: [AttributeDefinition("code", .string), AttributeDefinition("note", .string)],
        uniquenessConstraints: [["code"]])
    ])

  @Test("CTX-229, CTX-103: two objects exchange their unique values in one save", arguments: [2, 3, 50])
  func exchange(_ count: Int) throws {
    let stack = try TestStack(Self.model)
    let items = try (0..<count).map { try stack.context.insert("Item", ["code": "c\($0)"]) }
    try stack.context.save()
    for (index, item) in items.enumerated() { try item.setValue("c\((index + 1) % count)", forKey: "code") }
    try stack.context.save()
    let stored = try stack.otherProcess().all("Item").sorted { $0.objectID < $1.objectID }
    #expect(try stored.map { try $0.string("code") } == (0..<count).map { "c\(($0 + 1) % count)" })
    try items[0].setValue("again", forKey: "code")
    try stack.context.save()
  }

  @Test("CTX-229, CTX-178: an exchange that ends in a collision is a conflict and writes nothing")
  func failedExchange() throws {
    let stack = try TestStack(Self.model)
    let items = try (0..<3).map { try stack.context.insert("Item", ["code": "c\($0)"]) }
    try stack.context.save()
    try items[0].setValue("c1", forKey: "code")
    try items[1].setValue("c2", forKey: "code")
    #expect {
      try stack.context.save()
    } throws: {
      ($0 as? GraphStoreError)?.code == .constraintConflict
        && ($0 as? GraphStoreError)?.relatedObjects == [items[2].objectID]
    }
    #expect(
      try stack.otherProcess().all("Item", sort: ["code"]).map { try $0.string("code") } == [
        "c0", "c1", "c2",
      ])
  }

  @Test("MDL-292: a uniqueness constraint over bytes holds")
  func bytes() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Item", attributes: [AttributeDefinition("digest", .binary)], uniquenessConstraints: [["digest"]])
      ]))
    try stack.context.insert("Item", ["digest": Data([1, 2])])
    try stack.context.insert("Item", ["digest": Data([1])])
    try stack.context.save()
    try stack.context.insert("Item", ["digest": Data([1, 2])])
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .constraintConflict }
  }
}
