import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Rules of lint about entities and names")
struct EntityRuleTests {
  @Test("MDL-351: an abstract entity without concrete sub-entity is found")
  func abstractLeaf() {
    #expect(places("abstract-leaf", EntityDefinition("A", isAbstract: true)) == ["entities[0]"])
    #expect(
      places(
        "abstract-leaf", EntityDefinition("A", isAbstract: true),
        EntityDefinition("B", parent: "A", isAbstract: true))
        == ["entities[0]", "entities[1]"])
    #expect(
      places("abstract-leaf", EntityDefinition("A", isAbstract: true), EntityDefinition("B", parent: "A"))
        == [])
  }

  @Test("MDL-091: a tree with more than 100 columns is found")
  func wideHierarchy() {
    func tree(_ count: Int) -> [String] {
      places(
        "wide-hierarchy", EntityDefinition("A", attributes: (0..<50).map { .init("a\($0)", .string) }),
        EntityDefinition(
          "B", parent: "A",
          attributes: [.init("t", .string, isTransient: true)]
            + (50..<count).map { .init("b\($0)", .string) }))
    }
    #expect(tree(101) == ["entities[0]"])
    #expect(tree(100) == [])
    #expect(
      places("wide-hierarchy", EntityDefinition("A", attributes: (0..<101).map { .init("a\($0)", .string) }))
        == [])
  }

  private func constrained(_ rule: String, _ constraints: [String]..., optional: Bool = false) -> [String] {
    places(
      rule,
      EntityDefinition(
        "A", attributes: ["x", "y", "z"].map { .init($0, .string, isOptional: optional) },
        uniquenessConstraints: constraints))
  }

  @Test("MDL-298: two constraints over the same attributes are found, in any order")
  func duplicateConstraint() {
    let rule = "duplicate-constraint"
    #expect(constrained(rule, ["x", "y"], ["z"], ["y", "x"]) == ["entities[0].uniquenessConstraints[2]"])
    #expect(constrained(rule, ["x", "y"], ["x", "z"]) == [])
  }

  @Test("implied-constraint: a constraint over more attributes than another one, inherited ones too")
  func impliedConstraint() {
    let rule = "implied-constraint"
    #expect(constrained(rule, ["x", "y"], ["x"]) == ["entities[0].uniquenessConstraints[0]"])
    #expect(constrained(rule, ["x", "y"], ["z"]) == [])
    #expect(
      places(
        rule, EntityDefinition("A", attributes: [.init("x", .string)], uniquenessConstraints: [["x"]]),
        EntityDefinition(
          "B", parent: "A", attributes: [.init("y", .string)], uniquenessConstraints: [["x", "y"]]))
        == ["entities[1].uniquenessConstraints[0]"])
  }

  @Test("optional-in-constraint: an optional attribute in a constraint over several")
  func optionalInConstraint() {
    let rule = "optional-in-constraint"
    #expect(
      constrained(rule, ["x", "y"], optional: true) == [
        "entities[0].uniquenessConstraints[0][0]", "entities[0].uniquenessConstraints[0][1]",
      ])
    #expect(constrained(rule, ["x"], optional: true) == [])
    #expect(constrained(rule, ["x", "y"]) == [])
  }

  private func indexed(_ indexes: IndexDefinition..., constraints: [[String]] = []) -> [String] {
    places(
      "redundant-index",
      EntityDefinition(
        "A", attributes: [.init("x", .string), .init("y", .string)],
        relationships: [.init("one", to: "A")], indexes: indexes, uniquenessConstraints: constraints))
  }

  @Test("MDL-349: an index that is a leading part of another one or of a constraint is found")
  func redundantIndex() {
    let x = IndexDefinition("byX", elements: [.init("x")])
    let both = IndexDefinition("byBoth", elements: [.init("x"), .init("y")])
    #expect(indexed(x, both) == ["entities[0].indexes[0]"])
    #expect(indexed(x, IndexDefinition("again", elements: [.init("x")])) == ["entities[0].indexes[1]"])
    #expect(indexed(x, constraints: [["x", "y"]]) == ["entities[0].indexes[0]"])
    #expect(indexed(IndexDefinition("byOne", elements: [.init("one")])) == ["entities[0].indexes[0]"])
  }

  @Test("MDL-349: another order, another beginning or another condition is another index")
  func neededIndex() {
    let both = IndexDefinition("byBoth", elements: [.init("x"), .init("y")])
    #expect(indexed(IndexDefinition("byY", elements: [.init("y")]), both) == [])
    #expect(indexed(IndexDefinition("down", elements: [.init("x", order: .descending)]), both) == [])
    #expect(indexed(IndexDefinition("some", elements: [.init("x")], predicate: "y != nil"), both) == [])
    #expect(indexed(IndexDefinition("byY", elements: [.init("y")]), constraints: [["x", "y"]]) == [])
  }

  @Test("MDL-288: an index of type rtree, which stores are made without, is found")
  func indexLeftOut() {
    let number = EntityDefinition(
      "A", attributes: [.init("x", .double)],
      indexes: [
        IndexDefinition("byX", elements: [.init("x")]),
        IndexDefinition("area", elements: [.init("x", kind: .rtree)]),
      ])
    #expect(places("index-left-out", number) == ["entities[0].indexes[1]"])
  }

  @Test("MDL-350: names that are not in the customary style are found")
  func nameStyle() {
    let rule = "name-style"
    #expect(places(rule, EntityDefinition("person")) == ["entities[0].name"])
    #expect(places(rule, EntityDefinition("PersonEntity")) == ["entities[0].name"])
    #expect(
      places(
        rule,
        EntityDefinition(
          "A", attributes: [.init("Name", .string), .init("name2", .string)],
          relationships: [.init("Other", to: "A")]))
        == ["entities[0].attributes[0].name", "entities[0].relationships[0].name"])
    #expect(places(rule, EntityDefinition("Entity"), EntityDefinition("Identity")) == [])
  }

  @Test("MDL-063: properties whose names differ in case only are found, inherited ones too")
  func namesDifferByCase() {
    let rule = "names-differ-by-case"
    #expect(
      places(rule, attributes: .init("url", .string), .init("URL", .string)) == [
        "entities[0].attributes[1].name"
      ])
    #expect(
      places(
        rule, EntityDefinition("A", attributes: [.init("url", .string)]),
        EntityDefinition("B", parent: "A", relationships: [.init("Url", to: "A")]))
        == ["entities[1].relationships[0].name"])
    #expect(
      places(
        rule, EntityDefinition("A", attributes: [.init("url", .string)]),
        EntityDefinition("B", attributes: [.init("URL", .string)])) == [])
  }

  @Test(
    "MDL-065: words of the predicate language are found in any case",
    arguments: ["in", "size", "First", "NULL", "no", "Yes"])
  func predicateWord(name: String) throws {
    let found = ModelLinter().findings(
      in: ModelDefinition(entities: [EntityDefinition("A", attributes: [.init(name, .string)])])
    ).filter { $0.code == "predicate-word" }
    #expect(found.map(\.path.description) == ["entities[0].attributes[0].name"])
    #expect(found.first?.remedy == "Write #\(name) in predicates, or choose another name.")
    #expect(places("predicate-word", attributes: .init("sizes", .string)) == [])
  }

  @Test(
    "MDL-064: properties of any kind named like members of every object are found",
    arguments: ["isDeleted", "hash"])
  func reservedName(name: String) {
    let entity = EntityDefinition(
      "A", attributes: [.init(name, .string), .init("isdeleted", .string)],
      relationships: [.init("objectID", to: "A")])
    #expect(
      places("reserved-name", entity) == [
        "entities[0].attributes[0].name", "entities[0].relationships[0].name",
      ])
  }

  @Test("type-name-clash: an entity or class with the name of a standard type")
  func typeNameClash() {
    #expect(places("type-name-clash", EntityDefinition("Data")) == ["entities[0].name"])
    #expect(places("type-name-clash", EntityDefinition("A", className: "Date")) == ["entities[0].className"])
    #expect(
      places("type-name-clash", EntityDefinition("Data", className: "Payload"), EntityDefinition("Person"))
        == [])
  }

  @Test("MIG-067: renaming-clash: two properties, or entities, that claim one of the version before")
  func renamingClash() {
    let rule = "renaming-clash"
    #expect(
      places(rule, attributes: .init("a", .string), .init("b", .string, renamingIdentifier: "a"))
        == ["entities[0].attributes[1].renamingIdentifier"])
    #expect(
      places(
        rule,
        attributes: .init("a", .string, renamingIdentifier: "b"), .init("b", .string, renamingIdentifier: "a")
      )
        == [])
    #expect(
      places(
        rule, EntityDefinition("A", renamingIdentifier: "X"), EntityDefinition("B", renamingIdentifier: "X"))
        == ["entities[0].renamingIdentifier", "entities[1].renamingIdentifier"])
  }
}
