import Testing

@testable import GraphStoreModel

@Suite("Differences of entity trees")
struct ModelMoveTests {
  private func changes(_ old: [EntityDefinition], _ new: [EntityDefinition]) throws -> [String] {
    try ModelDifference(
      from: ManagedObjectModel(ModelDefinition(entities: old)),
      to: ManagedObjectModel(ModelDefinition(entities: new))
    ).changes.map(SingleEdit.text)
  }

  private func entity(
    _ name: String, parent: String? = nil, _ attributes: AttributeDefinition...
  ) -> EntityDefinition {
    EntityDefinition(name, parent: parent, attributes: attributes)
  }

  @Test("MIG-088: a parent may be put above an entity, and take properties of it")
  func newParent() throws {
    let old = [entity("A", .init("x", .string))]
    #expect(
      try changes(old, [entity("P"), entity("A", parent: "P", .init("x", .string))]) == [
        "added entity P - lossless", "changed entity A parent lossless",
      ])
    #expect(
      try changes(old, [entity("P", .init("x", .string)), entity("A", parent: "P")]) == [
        "added entity P - lossless", "moved attribute P.x - lossless", "changed entity A parent lossless",
      ])
  }

  @Test("MIG-108: entities of several trees do not get a common ancestor by inference")
  func commonAncestor() throws {
    #expect(
      try changes(
        [entity("A"), entity("B")], [entity("P"), entity("A", parent: "P"), entity("B", parent: "P")])
        == [
          "added entity P - lossless", "changed entity A parent refused", "changed entity B parent refused",
        ])
  }

  @Test("MIG-089: properties that siblings declare alike become one of the parent")
  func siblings() throws {
    let old = [
      entity("P"), entity("A", parent: "P", .init("x", .string)),
      entity("B", parent: "P", .init("x", .string)),
    ]
    #expect(
      try changes(
        old, [entity("P", .init("x", .string)), entity("A", parent: "P"), entity("B", parent: "P")])
        == ["moved attribute P.x - lossless", "moved attribute P.x - lossless"])
  }

  @Test("MIG-110: properties of different types do not become one")
  func siblingsOfOtherTypes() throws {
    let old = [
      entity("P"), entity("A", parent: "P", .init("x", .string)), entity("B", parent: "P", .init("x", .date)),
    ]
    let found = try changes(
      old, [entity("P", .init("x", .string)), entity("A", parent: "P"), entity("B", parent: "P")])
    #expect(found.contains("moved attribute P.x - refused"))
  }

  @Test("MIG-088, MIG-103: a mandatory property that moves up needs a default for the others")
  func mandatoryUpwards() throws {
    let old = [entity("P"), entity("A", parent: "P", .init("x", .string, isOptional: false))]
    #expect(
      try changes(old, [entity("P", .init("x", .string, isOptional: false)), entity("A", parent: "P")])
        == ["moved attribute P.x - refused"])
  }

  @Test("MIG-088, MIG-103: an entity that moves below another needs values for what that one requires")
  func mandatoryDownwards() throws {
    let parent = entity("P", .init("x", .string, isOptional: false))
    #expect(
      try changes(
        [parent, entity("Q", parent: "P"), entity("A")],
        [parent, entity("Q", parent: "P"), entity("A", parent: "Q")]
      )
      .contains("changed entity A parent refused"))
    let root = entity("R")
    #expect(
      try changes(
        [root, entity("P", parent: "R", .init("x", .string, isOptional: false)), entity("A", parent: "R")],
        [root, entity("P", parent: "R", .init("x", .string, isOptional: false)), entity("A", parent: "P")]
      )
      .contains("added attribute A.x - refused"))
  }

  @Test("MIG-073, MIG-076: what survivors inherited from a removed parent is lost to them")
  func removedParent() throws {
    let old = [entity("P", .init("x", .string)), entity("A", parent: "P")]
    #expect(
      try changes(old, [entity("A")]) == [
        "changed entity A parent lossless", "removed attribute A.x - lossy", "removed entity P - lossy",
      ])
    #expect(
      try changes(old, [entity("A", .init("x", .string))]) == [
        "changed entity A parent lossless", "moved attribute A.x - lossless", "removed entity P - lossy",
      ])
  }

  @Test("MIG-070: an entity that was replaced by one with the same properties looks renamed")
  func looksRenamed() throws {
    let difference = try ModelDifference(
      from: ManagedObjectModel(ModelDefinition(entities: [entity("A", .init("x", .string))])),
      to: ManagedObjectModel(ModelDefinition(entities: [entity("B", .init("x", .string))])))
    #expect(difference.changes[1].remedy == "If it became B, give B \"renamingIdentifier\": \"A\".")
  }

  @Test("MIG-087: a destination may become an ancestor, or a descendant if the data agree")
  func destinations() throws {
    func model(_ destination: String) -> [EntityDefinition] {
      [
        entity("P"), entity("A", parent: "P"), entity("B", parent: "A"),
        EntityDefinition("O", relationships: [.init("r", to: destination)]),
      ]
    }
    #expect(try changes(model("A"), model("P")) == ["changed relationship O.r destination lossless"])
    #expect(try changes(model("A"), model("B")) == ["changed relationship O.r destination conditional"])
    #expect(try changes(model("A"), model("O")) == ["changed relationship O.r destination refused"])
  }

  @Test("MIG-085: an inverse is filled from the links that are there")
  func inverses() throws {
    func model(inverse: String?, isToMany: Bool) -> [EntityDefinition] {
      var parts = [
        EntityDefinition("A", relationships: [.init("b", to: "B", inverse: inverse)]), EntityDefinition("B"),
      ]
      if let inverse {
        parts[1].relationships = [
          .init(inverse, to: "A", inverse: "b", isToMany: isToMany, isOptional: false, minCount: 1)
        ]
      }
      return parts
    }
    let oneWay = model(inverse: nil, isToMany: true)
    #expect(
      try changes(oneWay, model(inverse: "all", isToMany: true)) == [
        "changed relationship A.b inverse lossless", "added relationship B.all - conditional",
      ])
    #expect(
      try changes(oneWay, model(inverse: "one", isToMany: false)) == [
        "changed relationship A.b inverse conditional", "added relationship B.one - conditional",
      ])
    #expect(
      try changes(model(inverse: "all", isToMany: true), oneWay) == [
        "changed relationship A.b inverse lossless", "removed relationship B.all - lossless",
      ])
  }

  @Test("MIG-106: an attribute does not turn into a relationship")
  func kinds() throws {
    let found = try changes(
      [entity("A", .init("x", .string))], [EntityDefinition("A", relationships: [.init("x", to: "A")])])
    #expect(found == ["changed relationship A.x kind refused"])
  }

  @Test("MIG-080, MIG-102: values convert among numbers, booleans among them, and nothing else does")
  func conversions() {
    let numbers = AttributeType.allCases.filter { $0.isNumber || $0 == .boolean }
    for old in AttributeType.allCases {
      for new in AttributeType.allCases where old != new {
        let isNumeric = numbers.contains(old) && numbers.contains(new)
        #expect((old.conversion(to: new) != .impossible) == isNumeric, "\(old) to \(new)")
      }
      #expect(old.conversion(to: old) == .exact)
    }
    #expect(AttributeType.int64.conversion(to: .double) == .conditional)
    #expect(AttributeType.int64.conversion(to: .decimal) == .exact)
    #expect(AttributeType.int32.conversion(to: .float) == .conditional)
    #expect(AttributeType.double.conversion(to: .decimal) == .conditional)
    for number in AttributeType.allCases.filter(\.isNumber) {
      #expect(AttributeType.boolean.conversion(to: number) == .exact, "every boolean is a number")
      #expect(number.conversion(to: .boolean) == .conditional, "0 and 1 are booleans")
    }
  }

  @Test("MIG-084, MIG-086: a to-many demands members only where it is mandatory and has a least number")
  func demands() throws {
    func model(_ relationship: RelationshipDefinition?) -> [EntityDefinition] {
      [EntityDefinition("A", relationships: [relationship].compactMap(\.self)), EntityDefinition("B")]
    }
    func members(_ isOptional: Bool, _ least: Int) -> RelationshipDefinition {
      .init("bs", to: "B", isToMany: true, isOptional: isOptional, minCount: least)
    }
    for (isOptional, least, effect) in [
      (true, 0, "lossless"), (false, 0, "lossless"), (true, 3, "lossless"), (false, 1, "refused"),
    ] {
      let found = try changes(model(nil), model(members(isOptional, least)))
      #expect(found == ["added relationship A.bs - \(effect)"])
    }
    let loose = model(members(true, 0))
    #expect(try changes(loose, model(members(false, 0))) == ["changed relationship A.bs optional lossless"])
    #expect(try changes(loose, model(members(true, 1))) == ["changed relationship A.bs minCount lossless"])
    #expect(try changes(loose, model(members(true, 2))) == ["changed relationship A.bs minCount conditional"])
    #expect(
      try changes(model(members(false, 0)), model(members(false, 1))) == [
        "changed relationship A.bs minCount conditional"
      ])
    #expect(
      try changes(model(members(true, 1)), model(members(false, 1))) == [
        "changed relationship A.bs optional conditional"
      ])
  }
}
