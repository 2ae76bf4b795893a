import GraphStore
import Testing

/// What a deletion may cost in statements, whatever the number of objects.
@Suite("Statements of deletions")
struct CascadeStatementTests {
  /// Roots with branches with leaves, each tier going with the one above; labels are on branches and leaves.
  private let tree = ModelDefinition(
    name: "Tree",
    entities: [
      EntityDefinition(
        "Root",
        relationships: [
          RelationshipDefinition(
            "branches", to: "Branch", inverse: "root", isToMany: true, deleteRule: .cascade)
        ]),
      EntityDefinition(
        "Branch",
        relationships: [
          RelationshipDefinition("root", to: "Root", inverse: "branches"),
          RelationshipDefinition(
            "leaves", to: "Leaf", inverse: "branch", isToMany: true, deleteRule: .cascade),
        ]),
      EntityDefinition(
        "Leaf", attributes: [AttributeDefinition("number", .int64)],
        relationships: [
          RelationshipDefinition("branch", to: "Branch", inverse: "leaves"),
          RelationshipDefinition("labels", to: "Label", inverse: "leaves", isToMany: true),
          RelationshipDefinition("note", to: "Note", inverse: "leaf"),
        ]),
      EntityDefinition(
        "Label",
        relationships: [RelationshipDefinition("leaves", to: "Leaf", inverse: "labels", isToMany: true)]),
      EntityDefinition("Note", relationships: [RelationshipDefinition("leaf", to: "Leaf", inverse: "note")]),
    ])

  /// Two trees, so that no table can simply be emptied.
  private func planted(branches: Int, leaves: Int) throws -> TestStack {
    let stack = try TestStack(tree)
    let label = try stack.context.insert("Label", [:])
    for _ in 0..<2 {
      let root = try stack.context.insert("Root", [:])
      for _ in 0..<branches {
        let branch = try stack.context.insert("Branch", ["root": root])
        for number in 0..<leaves {
          let leaf = try stack.context.insert("Leaf", ["branch": branch, "number": Int64(number)])
          try leaf.addObjects([label], forKey: "labels")
          if number == 0 { try stack.context.insert("Note", ["leaf": leaf]) }
        }
      }
    }
    try stack.context.save()
    stack.context.reset()
    return stack
  }

  private func cost(branches: Int, leaves: Int) throws -> Int {
    let stack = try planted(branches: branches, leaves: leaves)
    let root = try stack.context.all("Root")[0]
    try stack.context.delete(root)
    let cost = try stack.statements { try stack.context.save() }
    let other = try stack.otherProcess()
    #expect(try other.all("Root").count == 1)
    #expect(try other.all("Branch").count == branches)
    #expect(try other.all("Leaf").count == branches * leaves)
    #expect(try other.all("Label")[0].objects(forKey: "leaves").count == branches * leaves)
    let notes = try other.all("Note")
    #expect(notes.count == 2 * branches)
    #expect(try notes.filter { try $0.object(forKey: "leaf") == nil }.count == branches)
    return cost
  }

  @Test("REL-242, REL-441: a cascade over three tiers runs as many statements for 2,000 objects as for six")
  func threeTiers() throws {
    // Notes that lose their leaf are updated, one statement each; those are taken off.
    let few = try cost(branches: 2, leaves: 2) - 2
    let many = try cost(branches: 20, leaves: 100) - 20
    #expect(abs(many - few) <= 1)
    #expect(many <= 24)
  }

  @Test("REL-337: a preview costs the statements of the propagation, at any size", arguments: [2, 200])
  func preview(leaves: Int) throws {
    let stack = try planted(branches: 3, leaves: leaves)
    let root = try stack.context.all("Root")[0]
    var preview: DeletionPreview?
    #expect(try stack.statements { preview = try stack.context.deletionPreview(of: [root]) } <= 8)
    #expect(preview?.deletions.count == 4 + 3 * leaves)
    #expect(preview?.deletions.map(\.depth).max() == 2)
    #expect(preview?.deletions.last?.relationship == "Branch.leaves")
    #expect(preview?.deletions.last?.source?.shortForm == "Branch/p3")
  }

  @Test("Deleting records with gaps between their keys takes a bounded number of statements, loaded or not")
  func gaps() throws {
    let stack = try planted(branches: 4, leaves: 200)
    let leaves = try stack.context.all("Leaf")
    for leaf in leaves where leaf.objectID.shortForm.hasSuffix("7") { try stack.context.delete(leaf) }
    #expect(try stack.statements { try stack.context.save() } <= 16)
    let left = try stack.otherProcess().all("Leaf")
    #expect(left.count == 1440)
    #expect(!left.contains { $0.objectID.shortForm.hasSuffix("7") })
  }

  @Test("CTX-178: of loaded records deleted together, those changed elsewhere are named as conflicts")
  func conflicts() throws {
    let stack = try planted(branches: 1, leaves: 100)
    let leaves = try stack.context.all("Leaf")
    for leaf in leaves { _ = try leaf.value(forKey: "number") }
    let other = try stack.otherProcess()
    let changed = try other.all("Leaf")
    try changed[20].setValue(Int64(1_000), forKey: "number")
    try other.delete(changed[30])
    try other.save()
    for leaf in leaves { try stack.context.delete(leaf) }
    #expect {
      try stack.context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .mergeConflict
        && (error?.objectID == leaves[20].objectID || error?.relatedObjects == [leaves[20].objectID])
    }
    #expect(try stack.otherProcess().all("Leaf").count == 199)
  }
}
