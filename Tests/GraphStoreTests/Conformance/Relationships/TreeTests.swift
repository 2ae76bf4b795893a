import GraphStore
import Testing

/// REL-059: the steps of one-to-many within one entity.
@Suite("Trees", .everyStore)
struct TreeTests {
  private func nodes(_ context: ManagedObjectContext, _ names: String) throws -> [ManagedObject] {
    try names.map { try context.insert("Node", ["name": String($0)]) }
  }

  private func children(_ stack: TestStack, _ objects: [ManagedObject]) throws -> [String] {
    let memory = try objects.map { try $0.names("children").joined() }
    try stack.context.save()
    let stored = try stack.otherProcess().all("Node", sort: ["name"]).map {
      try $0.names("children").joined()
    }
    #expect(memory == stored)
    return memory
  }

  @Test("REL-059: parents and children within one entity follow as those of two do")
  func steps() throws {
    let stack = try TestStack(GraphModels.tree())
    let all = try nodes(stack.context, "abcd")
    for child in all[1...] { try child.setValue(all[0], forKey: "parent") }
    #expect(try children(stack, all) == ["bcd", "", "", ""])
    try all[3].setValue(all[1], forKey: "parent")
    #expect(try children(stack, all) == ["bc", "d", "", ""])
    try all[2].setValue(nil, forKey: "parent")
    #expect(try children(stack, all) == ["b", "d", "", ""])
    try all[2].addObjects([all[3]], forKey: "children")
    #expect(try children(stack, all) == ["b", "", "d", ""])
    try all[0].removeObjects([all[1]], forKey: "children")
    #expect(try children(stack, all) == ["", "", "d", ""])
    try all[0].setValue([all[2], all[3]], forKey: "children")
    #expect(try children(stack, all) == ["cd", "", "", ""])
    #expect(try all[3].object(forKey: "parent") === all[0])
  }

  @Test("REL-059, REL-230: nodes may descend from themselves, and nothing loops", arguments: [1, 2, 3])
  func cycles(_ length: Int) throws {
    let stack = try TestStack(GraphModels.tree(.cascade))
    let all = try nodes(stack.context, "abc").prefix(length).map { $0 }
    for (index, node) in all.enumerated() {
      try node.setValue(all[(index + 1) % length], forKey: "parent")
    }
    try stack.context.save()
    #expect(try all.allSatisfy { try $0.objects(forKey: "children").count == 1 })
    for node in all { #expect(!node.description.isEmpty) }
    stack.context.reset()
    let again = try stack.context.all("Node", "name == 'a'")[0]
    let keys = Array(repeating: "parent", count: 7) + ["name"]
    #expect(try again.value(forKeyPath: keys.joined(separator: ".")) is String)
    let preview = try stack.context.deletionPreview(of: [again])
    #expect(preview.deletions.count == length)
    try stack.context.delete(again)
    try stack.context.processPendingChanges()
    #expect(stack.context.deletedObjects.count == length)
    try stack.context.save()
    #expect(try stack.otherProcess().all("Node").filter { try $0.object(forKey: "parent") != nil }.isEmpty)
  }
}
