import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Version hashes")
struct VersionHashTests {
  private var base: ModelDefinition {
    ModelDefinition(entities: [
      EntityDefinition(
        "Person", isAbstract: true,
        attributes: [
          .init("name", .string, isOptional: false), .init("note", .string),
          .init("address", .composite, elements: [.init("city", .string), .init("zip", .string)]),
        ], uniquenessConstraints: [["name", "note"]]),
      EntityDefinition(
        "Employee", parent: "Person", attributes: [.init("salary", .decimal)],
        relationships: [.init("teams", to: "Team", inverse: "members", isToMany: true, maxCount: 9)]),
      EntityDefinition(
        "Team", attributes: [.init("title", .string)],
        relationships: [.init("members", to: "Employee", inverse: "teams", isToMany: true)]),
    ])
  }

  private func hashes(_ definition: ModelDefinition) throws -> [String: Data] {
    try ManagedObjectModel(definition).entityVersionHashesByName
  }

  /// The names of the entities whose hash a change changes.
  private func changed(_ change: (inout ModelDefinition) -> Void) throws -> Set<String> {
    var definition = base
    change(&definition)
    let before = try hashes(base)
    let after = try hashes(definition)
    return Set(before.keys.filter { before[$0] != after[$0] })
  }

  @Test("MDL-321: the canonical text")
  func canonicalText() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "A", attributes: [.init("x", .int16, isOptional: false, versionHashModifier: "a\"b")],
          relationships: [.init("r", to: "A", isToMany: true, isOrdered: true, minCount: 2)],
          uniquenessConstraints: [["x"]])
      ]))
    let entity = model.entities[0]
    #expect(
      String(decoding: VersionHash.text(of: entity.properties[0]), as: UTF8.self)
        == "attribute \"x\"\noptional false\nmodifier \"a\\\"b\"\ntype int16\nderivation -\n")
    #expect(
      String(decoding: VersionHash.text(of: entity.properties[1]), as: UTF8.self)
        == "relationship \"r\"\noptional true\nmodifier -\ndestination \"A\"\ninverse -\nmany true\nordered true\n"
        + "minimum 2\nmaximum 0\n")
    let lines = String(decoding: VersionHash.text(of: entity), as: UTF8.self).split(separator: "\n")
    #expect(lines.prefix(3) == ["entity \"A\"", "abstract false", "parent -"])
    #expect(lines.count == 7)
    #expect(lines.suffix(2) == ["constraint [\"x\"]", "modifier -"])
  }

  @Test("MDL-311: hashes are the same on every machine and in every release")
  func goldenHashes() throws {
    let hashes = try hashes(base).mapValues { $0.base64EncodedString() }
    #expect(hashes == Self.golden)
    #expect(try ManagedObjectModel(base).versionChecksum == Self.goldenChecksum)
  }

  private static let golden = [
    "Person": "EFkw/salkrQae3S0smhnB1qpkP1no/+unFrtkiIlu9k=",
    "Employee": "qTWI3qGWPKQri70ec9V3Zds9RweUNysFmgXx6M04dOE=",
    "Team": "gCDNUgnWPBJs09sVm+lJ5kW7JthICejYX/JOBf3fBwQ=",
  ]
  private static let goldenChecksum = "w57gJbij/93T1dX6kAQmcLNK0GKGbJeUcrITlvpnIxU="

  @Test("MDL-316: what does not affect storage leaves every hash as it is")
  func unchanged() throws {
    let changes: [(inout ModelDefinition) -> Void] = [
      { $0.entities[0].attributes[0].defaultValue = "x" }, { $0.entities[1].attributes[0].minimum = 1 },
      { $0.entities[1].attributes[0].maximum = 9 }, { $0.entities[0].attributes[0].minLength = 2 },
      { $0.entities[0].attributes[0].maxLength = 2 }, { $0.entities[0].attributes[0].pattern = "a" },
      { $0.entities[0].attributes[0].validations = [.init("SELF != 'x'")] },
      { $0.entities[0].userInfo = ["a": 1] }, { $0.entities[0].attributes[0].userInfo = ["a": 1] },
      { $0.userInfo = ["a": 1] }, { $0.localization = ["Entity/Person": "Human"] },
      { $0.entities[0].className = "P" }, { $0.fetchRequests = [.init("f", entity: "Team")] },
      { $0.entities[0].fetchedProperties = [.init("f", entity: "Team")] },
      { $0.configurations = [.init("c", entities: ["Team"])] },
      { $0.entities[2].indexes = [.init("i", elements: [.init("title")])] },
      { $0.entities[0].renamingIdentifier = "Human" },
      { $0.entities[0].attributes[0].renamingIdentifier = "n" },
      { $0.entities[0].attributes[0].preservesValueInHistory = true },
      { $0.entities[2].relationships[0].deleteRule = .cascade },
      { $0.entities[2].attributes.append(.init("t", .string, isTransient: true)) },
      { $0.name = "Other" }, { $0.version = "9" }, { $0.entities.reverse() },
      { $0.entities[0].attributes.reverse() }, { $0.entities[0].attributes[2].elements.reverse() },
      { $0.entities[0].uniquenessConstraints = [["note", "name"], ["name", "note"]] },
      { $0.entities[0].xcode = ["a": 1] },
    ]
    for (number, change) in changes.enumerated() {
      #expect(try changed(change).isEmpty, "change \(number)")
    }
  }

  @Test("MDL-312, MDL-318: a change of an entity changes it and its descendants")
  func changedEntity() throws {
    let family: Set = ["Person", "Employee"]
    #expect(try changed { $0.entities[0].isAbstract = false } == family)
    #expect(try changed { $0.entities[0].versionHashModifier = "2" } == family)
    #expect(try changed { $0.entities[0].uniquenessConstraints = [["name"]] } == family)
    #expect(try changed { $0.entities[1].parent = nil } == ["Employee"])
    #expect(try changed { $0.entities[1].attributes.append(.init("x", .string)) } == ["Employee"])
  }

  @Test("MDL-313, MDL-320: a change of an attribute")
  func changedAttribute() throws {
    let family: Set = ["Person", "Employee"]
    #expect(try changed { $0.entities[0].attributes[1].isOptional = false } == family)
    #expect(try changed { $0.entities[0].attributes[1].versionHashModifier = "2" } == family)
    #expect(try changed { $0.entities[0].attributes[2].elements[0].type = .int16 } == family)
    #expect(try changed { $0.entities[0].attributes[2].elements[0].name = "town" } == family)
    #expect(try changed { $0.entities[1].attributes[0].type = .double } == ["Employee"])
    #expect(try changed { $0.entities[1].attributes[0].name = "pay" } == ["Employee"])
    #expect(try changed { $0.entities[1].attributes[0].isTransient = true } == ["Employee"])
    #expect(
      try changed { $0.entities[2].attributes[0] = .init("title", .date, derivation: "now()") } == ["Team"])
  }

  @Test("MDL-314: a change of a relationship; to-one and to-many differ also at one member")
  func changedRelationship() throws {
    #expect(try changed { $0.entities[2].relationships[0].isOrdered = true } == ["Team"])
    #expect(try changed { $0.entities[2].relationships[0].minCount = 3 } == ["Team"])
    #expect(try changed { $0.entities[2].relationships[0].maxCount = 3 } == ["Team"])
    #expect(try changed { $0.entities[2].relationships[0].isOptional = false } == ["Team"])
    var one = base
    one.entities[2].relationships[0].maxCount = 1
    var toOne = base
    toOne.entities[2].relationships[0].isToMany = false
    #expect(try hashes(one)["Team"] != hashes(toOne)["Team"])
    #expect(
      try changed {
        $0.entities[1].relationships[0].inverse = nil
        $0.entities[2].relationships[0].inverse = nil
      } == ["Employee", "Team"])
  }

  @Test("MDL-318: a renamed entity changes the hashes of entities with relationships to it")
  func renamedEntity() throws {
    let changes = try changed {
      $0.entities[2].name = "Group"
      $0.entities[1].relationships[0].destination = "Group"
    }
    #expect(changes == ["Employee", "Team"])
  }

  @Test("MDL-324, MDL-325: hashes of a store fit exactly the entities they name")
  func compatibility() throws {
    let model = try ManagedObjectModel(base)
    var hashes = model.entityVersionHashesByName
    #expect(try model.isConfiguration(withName: nil, compatibleWithHashes: hashes))
    hashes["More"] = hashes["Team"]
    #expect(try !model.isConfiguration(withName: nil, compatibleWithHashes: hashes))
    hashes["More"] = nil
    hashes["Team"] = nil
    #expect(try !model.isConfiguration(withName: nil, compatibleWithHashes: hashes))
  }

  @Test("STO-224: digest and checksum go by the bytes of names")
  func digest() {
    let hashes = ["b": Data([2]), "B": Data([1]), "é": Data([3])]
    // Of the bytes 42 01 62 02 C3 A9 03, and of 01 02 03.
    let digest =
      "laFJzGz9Ufbg2qPMA7M2j5TICmNjYcG9VxlMxmqGT4VL8r+udkYtnWWN28hZ6bbZRXfOnTSX/UhpqOkJZ4ZSuw=="
    #expect(ManagedObjectModel.versionHashesDigest(of: hashes) == digest)
    #expect(
      ManagedObjectModel.versionChecksum(of: hashes) == "A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4E=")
  }
}
