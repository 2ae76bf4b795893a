import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Rules of lint about relationships")
struct RelationshipRuleTests {
  private func pair(
    _ rule: String, _ first: RelationshipDefinition, _ second: RelationshipDefinition
  ) -> [String] {
    places(
      rule, EntityDefinition("A", relationships: [first]), EntityDefinition("B", relationships: [second]))
  }

  private func toOne(_ rule: DeleteRule = .nullify, optional: Bool = true) -> RelationshipDefinition {
    .init("b", to: "B", inverse: "a", isOptional: optional, deleteRule: rule)
  }

  private func toMany(
    _ rule: DeleteRule = .nullify, ordered: Bool = false, optional: Bool = true, minCount: Int = 0
  ) -> RelationshipDefinition {
    .init(
      "b", to: "B", inverse: "a", isToMany: true, isOrdered: ordered, isOptional: optional,
      minCount: minCount, deleteRule: rule)
  }

  private func back(
    _ rule: DeleteRule = .nullify, toMany: Bool = false, optional: Bool = true, minCount: Int = 0
  ) -> RelationshipDefinition {
    .init(
      "a", to: "A", inverse: "b", isToMany: toMany, isOptional: optional, minCount: minCount, deleteRule: rule
    )
  }

  private let first = ["entities[0].relationships[0]"]

  @Test("MDL-208, MDL-343, REL-130: a to-one without inverse is missing-inverse, a to-many one-way-to-many")
  func inverses() {
    let entity = EntityDefinition(
      "A", relationships: [.init("one", to: "A"), .init("many", to: "A", isToMany: true)])
    #expect(places("missing-inverse", entity) == ["entities[0].relationships[0]"])
    #expect(places("one-way-to-many", entity) == ["entities[0].relationships[1]"])
    for rule in ["missing-inverse", "one-way-to-many"] { #expect(pair(rule, toMany(), back()) == []) }
  }

  @Test("deny-ring: a to-many without a least number can be emptied, so that no ring is closed by it")
  func emptiableRing() {
    func model(_ least: Int) -> [EntityDefinition] {
      [
        EntityDefinition(
          "A",
          relationships: [
            .init("b", to: "B", inverse: "aOfB", isOptional: false, deleteRule: .deny),
            .init("bOfA", to: "B", inverse: "as", deleteRule: .nullify),
          ]),
        EntityDefinition(
          "B",
          relationships: [
            .init(
              "as", to: "A", inverse: "bOfA", isToMany: true, isOptional: false, minCount: least,
              deleteRule: .deny),
            .init("aOfB", to: "A", inverse: "b", isToMany: true, deleteRule: .nullify),
          ]),
      ]
    }
    #expect(places("deny-ring", ModelDefinition(entities: model(0))) == [])
    #expect(places("deny-ring", ModelDefinition(entities: model(1))).count == 1)
  }

  @Test("MDL-343: where one relationship leads back without inverse the remedy names both lines")
  func suspectedInverse() {
    let found = ModelLinter().findings(
      in: ModelDefinition(entities: [
        EntityDefinition("A", relationships: [.init("bs", to: "B", isToMany: true)]),
        EntityDefinition("B", relationships: [.init("a", to: "A")]),
      ]))
    #expect(
      found.map(\.description) == [
        "warning: one-way-to-many: entities[0].relationships[0]: A.bs leads to many B and has no inverse. "
          + "If B.a is the way back, add \"inverse\": \"a\" here and \"inverse\": \"bs\" there.",
        "warning: missing-inverse: entities[1].relationships[0]: B.a leads to A and has no inverse. "
          + "If A.bs is the way back, add \"inverse\": \"bs\" here and \"inverse\": \"a\" there.",
      ])
  }

  @Test("MDL-344: nullify is found where the inverse is mandatory, to-one or with a minimum count")
  func nullifyIntoMandatory() {
    let rule = "nullify-into-mandatory"
    #expect(pair(rule, toMany(), back(optional: false)) == first)
    #expect(pair(rule, toOne(), back(toMany: true, optional: false, minCount: 2)) == first)
    #expect(pair(rule, toOne(), back(toMany: true, optional: false)) == [])
    #expect(pair(rule, toMany(), back()) == [])
    #expect(pair(rule, toMany(.cascade), back(optional: false)) == [])
    #expect(pair(rule, toMany(.deny), back(optional: false)) == [])
  }

  @Test("MDL-345: noAction is found where there is an inverse")
  func noAction() {
    #expect(pair("no-action", toOne(.noAction), back()) == first)
    #expect(
      places("no-action", EntityDefinition("A", relationships: [.init("x", to: "A", deleteRule: .noAction)]))
        == [])
  }

  @Test("MDL-346: cascade both ways is found once where one end is to-many")
  func cascadeBothWays() {
    let rule = "cascade-both-ways"
    #expect(pair(rule, toMany(.cascade), back(.cascade)) == first)
    #expect(pair(rule, toOne(.cascade), back(.cascade)) == [])
    #expect(pair(rule, toMany(.cascade), back()) == [])
    #expect(
      places(
        rule,
        EntityDefinition(
          "A",
          relationships: [
            .init("friends", to: "A", inverse: "friends", isToMany: true, deleteRule: .cascade)
          ])) == first)
  }

  @Test("cascade-into-shared: a cascade over objects that others have too")
  func cascadeIntoShared() {
    let rule = "cascade-into-shared"
    #expect(pair(rule, toMany(.cascade), back(toMany: true)) == first)
    #expect(pair(rule, toOne(.cascade), back(toMany: true)) == first)
    #expect(pair(rule, toMany(.cascade), back()) == [])
    #expect(pair(rule, toMany(.cascade), back(.cascade, toMany: true)) == [])
  }

  @Test("cascade-loop: a chain of cascades that returns over shared objects, but not a tree")
  func cascadeLoop() {
    func ring(_ last: DeleteRule, backToMany: Bool) -> [String] {
      places(
        "cascade-loop",
        EntityDefinition(
          "A",
          relationships: [
            .init("bs", to: "B", inverse: "a", isToMany: true, deleteRule: .cascade),
            .init("cs", to: "C", inverse: "as", isToMany: true),
          ]),
        EntityDefinition(
          "B",
          relationships: [
            .init("a", to: "A", inverse: "bs"),
            .init("cs", to: "C", inverse: "b", isToMany: true, deleteRule: .cascade),
          ]),
        EntityDefinition(
          "C",
          relationships: [
            .init("b", to: "B", inverse: "cs"),
            .init("as", to: "A", inverse: "cs", isToMany: true, deleteRule: last),
          ]))
    }
    #expect(ring(.cascade, backToMany: true) == ["entities[2].relationships[1]"])
    #expect(ring(.nullify, backToMany: true) == [])
    let tree = EntityDefinition(
      "Folder",
      relationships: [
        .init("parent", to: "Folder", inverse: "children"),
        .init("children", to: "Folder", inverse: "parent", isToMany: true, deleteRule: .cascade),
      ])
    #expect(places("cascade-loop", tree) == [])
  }

  @Test("cascade-loop: the chain is found through sub-entities, and its message shows the way")
  func cascadeLoopOverSubentities() {
    let found = ModelLinter().findings(
      in: ModelDefinition(entities: [
        EntityDefinition("Node", relationships: [.init("next", to: "Node", deleteRule: .cascade)]),
        EntityDefinition(
          "Leaf", parent: "Node", relationships: [.init("leaves", to: "Twig", isToMany: true)]),
        EntityDefinition("Twig"),
      ])
    ).filter { $0.code == "cascade-loop" }
    #expect(found.map(\.message) == ["Deleting a Node cascades back to Node: Node.next."])
  }

  @Test("deny-ring: both ends deny, or a ring of mandatory relationships denies")
  func denyRing() {
    let rule = "deny-ring"
    #expect(pair(rule, toMany(.deny), back(.deny)) == first)
    #expect(pair(rule, toMany(.deny), back()) == [])
    func ring(optional: Bool) -> [String] {
      places(
        rule,
        EntityDefinition(
          "A", relationships: [.init("b", to: "B", isOptional: false, deleteRule: .deny)]),
        EntityDefinition(
          "B", relationships: [.init("a", to: "A", isOptional: optional, deleteRule: .deny)]))
    }
    #expect(ring(optional: false) == first)
    #expect(ring(optional: true) == [])
  }

  @Test("deny-ring: a tree that denies while there are children is none")
  func denyTree() {
    let tree = EntityDefinition(
      "Employee",
      relationships: [
        .init("manager", to: "Employee", inverse: "reports"),
        .init("reports", to: "Employee", inverse: "manager", isToMany: true, deleteRule: .deny),
      ])
    #expect(places("deny-ring", tree) == [])
  }

  @Test("ordered-many-to-many: an order where both ends are to-many")
  func orderedManyToMany() {
    let rule = "ordered-many-to-many"
    #expect(pair(rule, toMany(ordered: true), back(toMany: true)) == first)
    #expect(pair(rule, toMany(ordered: true), back()) == [])
    #expect(pair(rule, toMany(), back(toMany: true)) == [])
  }

  @Test("to-many-of-one: a to-many with room for one")
  func toManyOfOne() {
    func limited(_ count: Int) -> [String] {
      places(
        "to-many-of-one",
        EntityDefinition("A", relationships: [.init("x", to: "A", isToMany: true, maxCount: count)]))
    }
    #expect(limited(1) == first)
    #expect(limited(2) == [])
    #expect(limited(0) == [])
  }

  @Test("MDL-374: friends through an entity of their own load without findings other than style")
  func friends() {
    let definition = ModelDefinition(entities: [
      EntityDefinition(
        "Person",
        relationships: [
          .init("friends", to: "FriendInfo", inverse: "source", isToMany: true, deleteRule: .cascade),
          .init("befriendedBy", to: "FriendInfo", inverse: "friend", isToMany: true, deleteRule: .cascade),
        ]),
      EntityDefinition(
        "FriendInfo",
        relationships: [
          .init("friend", to: "Person", inverse: "befriendedBy", isOptional: false),
          .init("source", to: "Person", inverse: "friends", isOptional: false),
        ]),
    ])
    #expect(texts(definition) == [])
  }

  @Test("MDL-376: relationships of an entity to itself load, and its own inverse is no missing one")
  func selfReferences() {
    let definition = ModelDefinition(entities: [
      EntityDefinition(
        "Person", relationships: [.init("cousins", to: "Person", inverse: "cousins", isToMany: true)]),
      EntityDefinition(
        "Employee", parent: "Person",
        relationships: [
          .init("manager", to: "Employee", inverse: "reports"),
          .init("reports", to: "Employee", inverse: "manager", isToMany: true),
          .init("directReports", to: "Employee", inverse: "managers", isToMany: true),
          .init("managers", to: "Employee", inverse: "directReports", isToMany: true),
        ]),
    ])
    #expect(texts(definition) == [])
  }
}
