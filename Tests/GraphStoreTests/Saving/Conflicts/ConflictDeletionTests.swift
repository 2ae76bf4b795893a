import Foundation
import Testing

@testable import GraphStore

/// Deletions that are withdrawn because another writer has changed something.
@Suite(.everyStore)
struct ConflictDeletionTests {
  private static let tree = ModelDefinition(
    name: "Tree",
    entities: [
      EntityDefinition(
        "Node",
        attributes: [AttributeDefinition("name", .string), AttributeDefinition("size", .int64)],
        relationships: [
          RelationshipDefinition("parent", to: "Node", inverse: "children"),
          RelationshipDefinition(
            "children", to: "Node", inverse: "parent", isToMany: true, deleteRule: .cascade),
          RelationshipDefinition("marks", to: "Mark", inverse: "nodes", isToMany: true),
        ]),
      EntityDefinition(
        "Mark", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("nodes", to: "Node", inverse: "marks", isToMany: true)]),
    ])

  private func treeWriters(_ writer: OtherWriter, _ policy: PolicyCase) throws -> TwoWriters {
    try TwoWriters(Self.tree, writer, policy.policy) { context in
      let mark = try context.insert("Mark", ["name": "m"])
      var parent: ManagedObject?
      for name in ["root", "child", "grandchild", "leaf"] {
        let node = try context.insert("Node", ["name": name, "size": 1])
        try node.setValue(parent, forKey: "parent")
        try node.addObjects([mark], forKey: "marks")
        parent = node
      }
    }
  }

  private func node(_ name: String, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all("Node", "name == '\(name)'").first)
  }

  private func names(_ context: ManagedObjectContext) throws -> [String] {
    try context.all("Node", sort: ["name"]).map { try $0.string("name") ?? "-" }
  }

  @Test(
    "CTX-207: a withdrawn deletion brings grandchildren back with their links, known before or not",
    arguments: [PolicyCase.rollback, .store], OtherWriter.allCases)
  func grandchildren(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    for isRead in [true, false] {
      let writers = try treeWriters(writer, policy)
      let root = try node("root", writers.mine)
      _ = try root.value(forKey: "size")
      if isRead { for node in try writers.mine.all("Node") { _ = try node.objects(forKey: "marks") } }
      try node("root", writers.theirs).setValue(Int64(9), forKey: "size")
      try writers.theirs.save()
      try writers.mine.delete(root)
      try writers.mine.save()
      #expect(!writers.mine.hasChanges)
      #expect(try names(writers.mine) == ["child", "grandchild", "leaf", "root"])
      #expect(try names(writers.stored()) == ["child", "grandchild", "leaf", "root"])
      let leaf = try node("leaf", writers.mine)
      #expect(try leaf.object(forKey: "parent")?.object(forKey: "parent")?.object(forKey: "parent") === root)
      #expect(try root.value(forKey: "size") as? Int64 == 9)
      for context in [writers.mine, try writers.stored()] {
        #expect(try context.only("Mark").objects(forKey: "nodes").count == 4)
        #expect(try context.all("Node").allSatisfy { try $0.objects(forKey: "marks").count == 1 })
      }
      try writers.mine.checkInvariants()
    }
  }

  @Test(
    "CTX-207: a changed grandchild whose deletion is withdrawn keeps its own change, which is saved",
    arguments: [PolicyCase.rollback, .store])
  func changedGrandchild(_ policy: PolicyCase) throws {
    let writers = try treeWriters(.context, policy)
    let (root, grandchild) = (try node("root", writers.mine), try node("grandchild", writers.mine))
    _ = try root.value(forKey: "size")
    try grandchild.setValue(Int64(5), forKey: "size")
    try node("root", writers.theirs).setValue(Int64(9), forKey: "size")
    try writers.theirs.save()
    try writers.mine.delete(root)
    try writers.mine.save()
    #expect(try grandchild.value(forKey: "size") as? Int64 == 5)
    #expect(try node("grandchild", writers.stored()).value(forKey: "size") as? Int64 == 5)
    #expect(!writers.mine.hasChanges)
  }

  @Test(
    "CTX-207: of a chain that is deleted, one in the middle that was changed stays with what hangs from it",
    arguments: [PolicyCase.rollback, .store], OtherWriter.allCases)
  func middle(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try treeWriters(writer, policy)
    let root = try node("root", writers.mine)
    let held = try writers.mine.all("Node")
    defer { _ = held }
    for node in held { _ = try node.value(forKey: "size") }
    try node("grandchild", writers.theirs).setValue(Int64(9), forKey: "size")
    try writers.theirs.save()
    try writers.mine.delete(root)
    try writers.mine.save()
    #expect(try names(writers.stored()) == ["grandchild", "leaf"])
    #expect(try names(writers.mine) == ["grandchild", "leaf"])
    #expect(try node("grandchild", writers.stored()).object(forKey: "parent") == nil)
    #expect(try node("leaf", writers.stored()).object(forKey: "parent")?.string("name") == "grandchild")
    #expect(try writers.stored().only("Mark").objects(forKey: "nodes").count == 2)
    #expect(try writers.mine.only("Mark").objects(forKey: "nodes").count == 2)
    try writers.mine.checkInvariants()
  }

  @Test(
    "CTX-207: an object deleted by itself and reached by a cascade too stays deleted when the cascade is withdrawn",
    arguments: [PolicyCase.rollback, .store], [true, false])
  func ownDeletion(_ policy: PolicyCase, _ isFirst: Bool) throws {
    let writers = try treeWriters(.context, policy)
    let (root, leaf) = (try node("root", writers.mine), try node("leaf", writers.mine))
    let held = try writers.mine.all("Node")
    defer { _ = held }
    for node in held { _ = try node.value(forKey: "size") }
    try node("root", writers.theirs).setValue(Int64(9), forKey: "size")
    try writers.theirs.save()
    for object in isFirst ? [leaf, root] : [root, leaf] { try writers.mine.delete(object) }
    try writers.mine.save()
    #expect(try names(writers.stored()) == ["child", "grandchild", "root"])
    #expect(!writers.mine.hasChanges)
    try writers.mine.checkInvariants()
  }

  @Test(
    "CTX-070, CTX-212: did-save does not tell of deletions that were withdrawn",
    arguments: [PolicyCase.rollback, .store])
  func toldOfWithdrawn(_ policy: PolicyCase) throws {
    let writers = try treeWriters(.context, policy)
    let root = try node("root", writers.mine)
    _ = try root.value(forKey: "size")
    let mark = try writers.mine.only("Mark")
    try node("root", writers.theirs).setValue(Int64(9), forKey: "size")
    try writers.theirs.save()
    try writers.mine.delete(root)
    try mark.setValue("changed", forKey: "name")
    var deleted: Set<ManagedObject>?
    let token = writers.mine.observe(.didSave) { deleted = $0.deleted }
    try writers.mine.save()
    token.cancel()
    #expect(deleted == [])
    #expect(try writers.stored().only("Mark").string("name") == "changed")
    #expect(try writers.stored().only("Mark").objects(forKey: "nodes").count == 4)
  }
}
