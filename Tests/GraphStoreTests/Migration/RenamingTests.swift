import GraphStoreModel
import Testing

@testable import GraphStore

/// Renaming identifiers over several versions.
struct RenamingTests {
  private typealias Property = (name: String, identifier: String?)

  /// An entity with attributes of texts and a relationship to itself, each with a renaming identifier.
  private static func model(
    _ entity: Property, _ attributes: [Property], link: Property = ("link", nil), modifier: String? = nil
  ) -> ModelDefinition {
    .of(
      EntityDefinition(
        entity.name,
        attributes: attributes.map {
          AttributeDefinition($0.name, .string, renamingIdentifier: $0.identifier)
        },
        relationships: [
          RelationshipDefinition(
            link.name, to: entity.name, isToMany: true, isOrdered: true, renamingIdentifier: link.identifier)
        ],
        renamingIdentifier: entity.identifier, versionHashModifier: modifier))
  }

  private static let first = model(("T", nil), [("a", nil), ("b", nil)])

  private func store() throws -> MigratedStore {
    try MigratedStore(Self.first) { context in
      let one = try context.add("T", ["a": "a1", "b": "b1"])
      let two = try context.add("T", ["a": "a2"])
      try one.setValue([two, one], forKey: "link")
    }
  }

  /// Both customs: the first name kept through all versions, and the name of the version before.
  private static let customs: [[ModelDefinition]] = [
    [
      first, model(("U", "T"), [("x", "a"), ("b", nil)], link: ("edge", "link")),
      model(("V", "T"), [("y", "a"), ("b", nil)], link: ("arc", "link")),
    ],
    [
      first, model(("U", "T"), [("x", "a"), ("b", nil)], link: ("edge", "link")),
      model(("V", "U"), [("y", "x"), ("b", nil)], link: ("arc", "edge")),
    ],
  ]

  private static func lines(_ entity: String, _ attribute: String, _ link: String) -> [String] {
    [
      "\(entity)/p1 "
        + ["\(attribute)=\"a1\"", "b=\"b1\"", "\(link)=[\(entity)/p2,\(entity)/p1]"].sorted()
        .joined(separator: " "),
      "\(entity)/p2 " + ["\(attribute)=\"a2\"", "b=nil", "\(link)=[]"].sorted().joined(separator: " "),
    ]
  }

  @Test(
    "MIG-065, MIG-061, MIG-062, MIG-063: both customs of repeated renames keep the data, step by step",
    arguments: 0...1)
  func stepByStep(custom: Int) throws {
    let versions = Self.customs[custom]
    let store = try store()
    #expect(try store.migrated(to: versions[1]) == Self.lines("U", "x", "edge"))
    #expect(try store.migrated(to: versions[2]) == Self.lines("V", "y", "arc"))
  }

  @Test("MIG-065, MIG-045: both customs keep the data along the chain", arguments: 0...1)
  func chain(custom: Int) throws {
    let versions = Self.customs[custom]
    let folder = try VersionFolder(versions)
    let store = try store()
    let plan = try store.plan(to: folder.versions())
    #expect(plan.steps.map { "\($0.source.label)-\($0.destination.label)" } == ["1-2", "2-3"])
    #expect(!plan.isLossy)
    _ = try StoreMigration(plan).run()
    try store.expectWhole(versions[2])
    #expect(try store.contents(versions[2]) == Self.lines("V", "y", "arc"))
  }

  @Test("MIG-065, MIG-061: an identifier that is dropped or changed once the name is known does no harm")
  func later() throws {
    let store = try store()
    _ = try store.migrated(to: Self.customs[0][1])
    let dropped = Self.model(
      ("U", nil), [("x", nil), ("b", nil)], link: ("edge", nil), modifier: "1")
    #expect(try store.migrated(to: dropped) == Self.lines("U", "x", "edge"))
    let own = Self.model(("U", "U"), [("x", "x"), ("b", "b")], link: ("edge", "edge"), modifier: "2")
    #expect(try store.migrated(to: own) == Self.lines("U", "x", "edge"))
  }

  @Test("MIG-064: attributes that exchange their names exchange their values")
  func exchanged() throws {
    let store = try store()
    let new = Self.model(("T", nil), [("a", "b"), ("b", "a")], modifier: "2")
    #expect(
      try store.migrated(to: new) == [
        #"T/p1 a="b1" b="a1" link=[T/p2,T/p1]"#, #"T/p2 a=nil b="a2" link=[]"#,
      ])
  }

  @Test("MIG-064: three attributes that change their names round in a circle take their values along")
  func circle() throws {
    let old = Self.model(("T", nil), [("a", nil), ("b", nil), ("c", nil)])
    let store = try MigratedStore(old) { try $0.add("T", ["a": "1", "b": "2", "c": "3"]) }
    let new = Self.model(("T", nil), [("a", "c"), ("b", "a"), ("c", "b")], modifier: "2")
    #expect(try store.migrated(to: new) == [#"T/p1 a="3" b="1" c="2" link=[]"#])
  }

  @Test("MIG-066: an identifier that matches nothing has no effect, and the name counts")
  func unmatched() throws {
    let store = try store()
    let new = Self.model(
      ("T", "Thing"), [("a", "nothing"), ("b", nil)], link: ("link", "none"), modifier: "2")
    #expect(try store.migrated(to: new) == Self.lines("T", "a", "link"))
  }

  @Test("MIG-067: two that claim one are refused with both names")
  func claims() throws {
    let store = try store()
    let new = Self.model(("T", nil), [("x", "a"), ("y", "a"), ("b", nil)])
    let error = try expectFailure(.mappingMissing) { _ = try store.plan(to: new) }
    let text = error.details.joined()
    #expect(text.contains("x") && text.contains("y") && error.errors[0].code == .notInferable)
    let entities = ModelDefinition.of(
      EntityDefinition("U", renamingIdentifier: "T"), EntityDefinition("V", renamingIdentifier: "T"))
    let other = try expectFailure(.mappingMissing) { _ = try store.plan(to: entities) }
    #expect(other.details.joined().contains("U") && other.details.joined().contains("V"))
  }

  @Test("MIG-061, MIG-067: a new property with the old name of a renamed one claims its values as well")
  func oldNameAgain() throws {
    let store = try store()
    let new = Self.model(("T", nil), [("x", "a"), ("a", nil), ("b", nil)])
    let error = try expectFailure(.mappingMissing) { _ = try store.plan(to: new) }
    #expect(error.errors.map(\.code) == [.notInferable], "\(error)")
  }

  @Test("MIG-069: an identifier alone triggers no migration")
  func identifierAlone() throws {
    let store = try store()
    let new = Self.model(("T", "Former"), [("a", "old"), ("b", "c")], link: ("link", "x"))
    #expect(try store.plan(to: new).steps.isEmpty)
  }

  @Test(
    "MIG-070: without an identifier nothing is a rename; the plan says that it looks like one, and what to declare"
  )
  func undeclared() throws {
    let store = try store()
    let new = Self.model(("T", nil), [("x", nil), ("b", nil)])
    let plan = try store.plan(to: new)
    #expect(plan.losses.map(\.path) == ["T.a"] && plan.losses.map(\.count) == [2])
    #expect(plan.losses[0].remedy?.contains("renamingIdentifier") == true, "\(plan.losses[0])")
    #expect(
      try store.migrated(to: new) == [
        #"T/p1 b="b1" link=[T/p2,T/p1] x=nil"#, "T/p2 b=nil link=[] x=nil",
      ])
  }

  @Test("MIG-045, MIG-065: an attribute removed and added again loses its values version by version")
  func removedAndAdded() throws {
    let versions = [
      Self.first, Self.model(("T", nil), [("b", nil)]),
      Self.model(("T", nil), [("a", nil), ("b", nil)], modifier: "3"),
    ]
    let folder = try VersionFolder(versions)
    let store = try store()
    let plan = try MigrationPlan(fromStoreAt: store.path, to: folder.versions(), isStepByStep: true)
    #expect(plan.steps.count == 2 && plan.losses.map(\.path) == ["T.a"])
    _ = try StoreMigration(plan).run()
    #expect(
      try store.contents(versions[2]) == [
        #"T/p1 a=nil b="b1" link=[T/p2,T/p1]"#, "T/p2 a=nil b=nil link=[]",
      ])
  }

  @Test("MIG-068, MIG-063: a relationship moved up with its entity renamed keeps its members")
  func movedAndRenamed() throws {
    let old = ModelDefinition.of(
      EntityDefinition("P"),
      EntityDefinition(
        "C", parent: "P",
        relationships: [
          RelationshipDefinition("r", to: "M", inverse: "i", isToMany: true, isOrdered: true)
        ]), EntityDefinition("M", relationships: [RelationshipDefinition("i", to: "C", inverse: "r")]))
    let new = ModelDefinition.of(
      EntityDefinition(
        "Q",
        relationships: [
          RelationshipDefinition(
            "s", to: "N", inverse: "j", isToMany: true, isOrdered: true, renamingIdentifier: "r")
        ], renamingIdentifier: "P"), EntityDefinition("D", parent: "Q", renamingIdentifier: "C"),
      EntityDefinition(
        "N", relationships: [RelationshipDefinition("j", to: "Q", inverse: "s", renamingIdentifier: "i")],
        renamingIdentifier: "M"))
    let store = try MigratedStore(old) { context in
      let members = try (0..<2).map { _ in try context.add("M") }
      try context.add("P")
      try context.add("C", ["r": [members[1], members[0]]])
    }
    #expect(
      try store.migrated(to: new) == ["D/p2 s=[N/p2,N/p1]", "N/p1 j=D/p2", "N/p2 j=D/p2", "Q/p1 s=[]"])
  }
}
