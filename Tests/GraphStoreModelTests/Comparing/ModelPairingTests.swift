import Testing

@testable import GraphStoreModel

@Suite("Pairing of models")
struct ModelPairingTests {
  private func model(_ attributes: (String, String?)...) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "E", attributes: attributes.map { .init($0.0, .string, renamingIdentifier: $0.1) })
      ]))
  }

  /// `new<old` for each attribute of the new model.
  private func pairs(_ old: ManagedObjectModel, _ new: ManagedObjectModel) -> [String] {
    let pairing = ModelPairing(from: old, to: new)
    return new.entities[0].attributes.map {
      "\($0.name)<\(pairing.source(of: $0, in: new.entities[0])?.name ?? "-")"
    }
  }

  @Test("MIG-062, MIG-063: an identifier pairs, else the name")
  func names() throws {
    #expect(try pairs(model(("a", nil), ("c", nil)), model(("b", "a"), ("c", nil))) == ["b<a", "c<c"])
    #expect(try pairs(model(("a", nil)), model(("b", nil))) == ["b<-"])
  }

  @Test("MIG-064: the identifier comes before the name, so two can exchange their names")
  func exchange() throws {
    let old = try model(("a", nil), ("b", nil))
    #expect(try pairs(old, model(("a", "b"), ("b", "a"))) == ["a<b", "b<a"])
  }

  @Test("MIG-065: both customs for repeated renames keep the values")
  func repeated() throws {
    let first = try model(("a", nil))
    let second = try model(("b", "a"))
    #expect(try pairs(second, model(("c", "a"))) == ["c<b"])
    #expect(try pairs(second, model(("c", "b"))) == ["c<b"])
    #expect(try pairs(first, model(("c", "a"))) == ["c<a"])
    #expect(try pairs(second, model(("b", nil))) == ["b<b"])
  }

  @Test("MIG-066: an identifier that matches nothing has no effect")
  func nothing() throws {
    #expect(try pairs(model(("a", nil)), model(("a", "x"))) == ["a<a"])
  }

  @Test("MIG-067: two that claim one are refused with both names")
  func rivals() throws {
    let old = try model(("a", nil))
    let new = try model(("a", nil), ("b", "a"))
    let changes = ModelDifference(from: old, to: new).changes
    #expect(changes.map(SingleEdit.text) == ["added attribute E.b - refused"])
    #expect(changes[0].effect.detail == "a and b both claim to be one old property")
    let entities = try ModelDifference(
      from: ManagedObjectModel(ModelDefinition(entities: [EntityDefinition("A")])),
      to: ManagedObjectModel(
        ModelDefinition(entities: [
          EntityDefinition("B", renamingIdentifier: "A"), EntityDefinition("A"),
        ])))
    #expect(entities.changes.map(SingleEdit.text) == ["added entity B - refused"])
  }

  @Test("MIG-068: the destination of a relationship may be renamed without a change of the relationship")
  func renamedDestination() throws {
    let old = ModelDefinition(entities: [
      EntityDefinition("A", relationships: [.init("b", to: "B")]), EntityDefinition("B"),
    ])
    var new = old
    new.entities[0].relationships[0].destination = "C"
    new.entities[1] = EntityDefinition("C", renamingIdentifier: "B")
    let difference = try ModelDifference(from: ManagedObjectModel(old), to: ManagedObjectModel(new))
    #expect(difference.changes.map(SingleEdit.text) == ["renamed entity C - lossless"])
    #expect(difference.entitiesWithOtherHashes == ["A", "C", "B"])
  }

  @Test("MIG-070: what looks like a rename is removed and added, with the identifier to give")
  func looksRenamed() throws {
    let changes = try ModelDifference(from: model(("a", nil)), to: model(("b", nil))).changes
    #expect(
      changes.map(SingleEdit.text) == ["added attribute E.b - lossless", "removed attribute E.a - lossy"])
    #expect(changes[1].remedy == "If it became b, give b \"renamingIdentifier\": \"a\".")
    let several = try ModelDifference(
      from: model(("a", nil)), to: model(("b", nil), ("c", nil))
    ).changes
    #expect(several.allSatisfy { $0.remedy == nil })
  }
}
