import Testing

@testable import GraphStoreModel

@Suite("Differences of models")
struct ModelDifferenceTests {
  private func difference(
    _ change: (inout ModelDefinition) -> Void, from base: ModelDefinition = SingleEdit.base
  ) throws -> ModelDifference {
    var edited = base
    change(&edited)
    return try ModelDifference(from: ManagedObjectModel(base), to: ManagedObjectModel(edited))
  }

  @Test("MDL-364: a model differs in nothing from itself")
  func equal() throws {
    for definition in [SingleEdit.base, fullDefinition] {
      let difference = try ModelDifference(
        from: ManagedObjectModel(definition), to: ManagedObjectModel(definition))
      #expect(difference.changes.isEmpty)
      #expect(!difference.changesHashes && difference.isInferable && !difference.isLossy)
    }
  }

  @Test(
    "MDL-364, MDL-316, MDL-317, MDL-320: one edit is named, alone and with its effect",
    arguments: SingleEdit.all)
  func single(_ edit: SingleEdit) throws {
    let difference = try difference(edit.edit)
    #expect(difference.changes.map(SingleEdit.text) == edit.expected)
    #expect(difference.changesHashes == difference.changes.contains(where: \.changesHash))
  }

  @Test("MDL-364: every field of a definition is among the edits")
  func complete() {
    let edited = Set(SingleEdit.all.map(\.field))
    let parts: [Any] = [
      SingleEdit.base, SingleEdit.base.entities[0], SingleEdit.base.entities[0].attributes[0],
      SingleEdit.base.entities[0].relationships[0], SingleEdit.base.entities[0].fetchedProperties[0],
      SingleEdit.base.entities[0].indexes[0], SingleEdit.base.configurations[0],
    ]
    for part in parts {
      for child in Mirror(reflecting: part).children {
        let field = "\(type(of: part)).\(child.label ?? "")"
        #expect(edited.contains(field), "\(field)")
      }
    }
  }

  @Test(
    "MDL-364, MDL-318: in random models hashes differ exactly where a change says so",
    arguments: TestSeed.sequence(200))
  func random(_ seed: TestSeed) throws {
    var generator = RandomModel(seed)
    let first = try ManagedObjectModel(generator.definition())
    let second = try ManagedObjectModel(generator.definition())
    for (old, new) in [(first, second), (second, first)] {
      let difference = ModelDifference(from: old, to: new)
      #expect(difference.changesHashes == difference.changes.contains(where: \.changesHash), "\(seed)")
      let again = ModelDifference(from: old, to: new)
      #expect(difference.changes == again.changes, "\(seed)")
    }
    #expect(ModelDifference(from: first, to: first).changes.isEmpty, "\(seed)")
  }

  @Test("MDL-364: members lose their order where a list becomes a set")
  func orderOfMembers() throws {
    var ordered = SingleEdit.base
    ordered.entities[3].relationships[0].isOrdered = true
    let lost = try difference({ $0.entities[3].relationships[0].isOrdered = false }, from: ordered)
    #expect(lost.changes.map(SingleEdit.text) == ["changed relationship Team.members ordered lossy"])
    #expect(lost.isLossy)
  }

  @Test("MDL-364: several edits at once come in the order of the model")
  func order() throws {
    let difference = try difference {
      $0.entities[3].attributes[0].type = .date
      $0.entities[0].attributes.remove(at: 2)
      $0.entities[0].attributes[1].type = .decimal
      $0.version = "2"
      $0.fetchRequests = []
    }
    #expect(
      difference.changes.map(SingleEdit.text) == [
        "changed model - version none", "changed attribute Person.age type lossless",
        "removed attribute Person.data - lossy", "changed attribute Team.title type refused",
        "removed fetch-request all - none",
      ])
    #expect(difference.entitiesWithOtherHashes == ["Person", "Worker", "Guest", "Team"])
    #expect(!difference.isInferable && difference.isLossy)
  }
}
