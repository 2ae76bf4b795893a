import GraphStore
import Testing

@Suite(.everyStore)
struct DeletionPreviewTests {
  @Test("REL-331, REL-332: failures are told for each relationship of a survivor", arguments: [false, true])
  func severalRelationships(_ isBoth: Bool) throws {
    let model = ModelDefinition(
      name: "Two",
      entities: [
        EntityDefinition(
          "Owner", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("owned", to: "Thing", inverse: "owner", isToMany: true),
            RelationshipDefinition("lent", to: "Thing", inverse: "borrowers", isToMany: true),
          ]),
        EntityDefinition(
          "Thing", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("owner", to: "Owner", inverse: "owned", isOptional: false),
            RelationshipDefinition("borrowers", to: "Owner", inverse: "lent", isToMany: true, minCount: 2),
          ]),
      ])
    let stack = try TestStack(model)
    let owners = try (0..<4).map { try stack.context.insert("Owner", ["name": "\($0)"]) }
    let thing = try stack.context.insert("Thing", ["name": "t", "owner": owners[0]])
    try thing.addObjects(Array(owners[1...]), forKey: "borrowers")
    try stack.context.save()
    let seeds = isBoth ? [owners[0], owners[1], owners[2]] : [owners[1]]
    let preview = try stack.context.deletionPreview(of: seeds)
    for seed in seeds { try stack.context.delete(seed) }
    let failures = try stack.context.validateChanges()
    #expect(Set(preview.failures.map(\.number)) == Set(failures.map(\.number)))
    #expect(preview.wouldSucceed == failures.isEmpty)
  }
}
