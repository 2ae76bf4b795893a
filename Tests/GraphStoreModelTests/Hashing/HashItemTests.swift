import Foundation
import Testing

@testable import GraphStoreModel

@Suite("What version hashes are made of")
struct HashItemTests {
  private func changed(_ item: HashItem) throws -> Set<String> {
    var definition = HashItems.base
    item.apply(&definition)
    #expect(definition != HashItems.base)
    let before = try ManagedObjectModel(HashItems.base).entityVersionHashesByName
    let after = try ManagedObjectModel(definition).entityVersionHashesByName
    #expect(Set(before.keys) == Set(after.keys))
    return Set(before.keys.filter { before[$0] != after[$0] })
  }

  @Test(
    "MDL-316, MDL-263, MDL-280, MDL-315: what does not affect storage, changed alone, leaves all hashes",
    arguments: HashItems.unchanged)
  func unchanged(item: HashItem) throws {
    #expect(try changed(item).isEmpty)
  }

  @Test(
    "MDL-317, MDL-318, MDL-297: what affects storage, changed alone, changes its entity and the descendants, and no other",
    arguments: HashItems.changed)
  func changes(item: HashItem) throws {
    #expect(try changed(item) == item.changed)
  }

  @Test("MDL-319: a hash modifier alone makes a store of the other one incompatible")
  func modifier() throws {
    let model = try ManagedObjectModel(HashItems.base)
    var definition = HashItems.base
    definition.entities[1].attributes[0].versionHashModifier = "in metres"
    let other = try ManagedObjectModel(definition)
    #expect(
      try !other.isConfiguration(withName: nil, compatibleWithHashes: model.entityVersionHashesByName))
  }

  @Test("MDL-318: a renamed entity changes those that lead to it, and not those that do not")
  func renamed() throws {
    var definition = HashItems.base
    definition.entities[2].name = "D"
    definition.entities[1].relationships[1].destination = "D"
    let before = try ManagedObjectModel(HashItems.base).entityVersionHashesByName
    let after = try ManagedObjectModel(definition).entityVersionHashesByName
    #expect(before["A"] == after["A"])
    #expect(before["B"] != after["B"])
    #expect(after["D"] != before["C"])
  }

  @Test("MDL-313: a property of one name and kind has one hash wherever it is declared")
  func properties() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition("A", attributes: [.init("x", .date)]),
        EntityDefinition("B", attributes: [.init("x", .date)]),
      ]))
    #expect(model.entities[0].properties[0].versionHash == model.entities[1].properties[0].versionHash)
    #expect(model.entities[0].versionHash != model.entities[1].versionHash)
    #expect(model.entities.allSatisfy { $0.versionHash.count == 32 })
  }

  @Test(
    "MDL-321: the canonical text of a composite, a derived attribute, a constraint over two and a sub-entity")
  func canonicalTexts() throws {
    let model = try ManagedObjectModel(HashItems.base)
    let entity = try model.entity(named: "A")
    func text(_ name: String) throws -> String {
      String(decoding: VersionHash.text(of: try #require(entity.property(named: name))), as: UTF8.self)
    }
    let element = try #require(entity.attribute(named: "c")?.elements.first)
    #expect(
      try text("c") == "attribute \"c\"\noptional true\nmodifier -\ntype composite\nderivation -\nelement "
        + element.versionHash.map { String(format: "%02x", $0) }.joined() + "\n")
    #expect(
      try text("derived")
        == "attribute \"derived\"\noptional true\nmodifier -\ntype string\nderivation \"s:lowercase\"\n")
    func allLines(_ entity: EntityDescription) -> [String] {
      String(decoding: VersionHash.text(of: entity), as: UTF8.self).split(separator: "\n").map(String.init)
    }
    let lines = allLines(entity)
    #expect(
      lines.filter { $0.hasPrefix("constraint") } == ["constraint [\"d\",\"s\"]", "constraint [\"s\"]"])
    #expect(lines.last == "modifier \"1\"")
    #expect(lines.count { $0.hasPrefix("property") } == 7)
    let child = allLines(try model.entity(named: "C"))
    let parent = try model.entity(named: "B").versionHash.map { String(format: "%02x", $0) }.joined()
    #expect(child == ["entity \"C\"", "abstract false", "parent " + parent, "modifier -"])
  }

  @Test("MDL-311: the hashes of every kind of property are the same on every machine and in every release")
  func golden() throws {
    let model = try ManagedObjectModel(HashItems.base)
    #expect(model.versionChecksum == "siQKs/ilVawCOIX0LBYj6bzaoRhlnbLm9SOVsrzMTG0=")
  }

  @Test("MDL-002: a model made in code has the hashes and the checksum of the one that was read")
  func madeInCode() throws {
    let model = try ManagedObjectModel(HashItems.base)
    let read = try ManagedObjectModel(json: model.jsonData())
    #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(read.versionChecksum == model.versionChecksum)
  }
}
