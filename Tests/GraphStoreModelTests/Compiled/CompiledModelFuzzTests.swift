import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Damaged compiled models")
struct CompiledModelFuzzTests {
  private typealias Make = ArchivedModel

  private static func sample() -> Archived {
    let validation = ArchivedPredicate.comparison(
      ArchivedPredicate.evaluatedObject, 3, ArchivedPredicate.constant(3))
    return Make.model(
      [
        Make.entity(
          "Person",
          [
            Make.attribute("name", 700, ["NSDefaultValue": "x", "NSIsIndexed": true]),
            Make.attribute("age", 200, ["NSValidationPredicates": [validation]]),
            Make.relationship("pets", to: "Pet", inverse: "owner", ["NSDeleteRule": 2]),
          ], ["NSUniqueTuples": [["name"]], "NSUserInfo": .dictionary(["a": ["b", 1]])]),
        Make.entity("Pet", [Make.relationship("owner", to: "Person", inverse: "pets", ["NSMaxCount": 1])]),
      ], ["NSVersionIdentifiers": .set(["1.0"])])
  }

  /// Whether bytes end in a model or an error; a trap would end the tests.
  private func read(_ bytes: [UInt8]) -> Bool {
    do {
      let model = try CompiledModelReader.read(bytes, file: nil)
      // Checking must get along with whatever was understood.
      _ = try? ManagedObjectModel(model.definition)
      return true
    } catch {
      return error.problems.first?.code == .syntax
    }
  }

  @Test("MDL-384: damaged bytes end in a model or an error", arguments: TestSeed.sequence(4, from: 1))
  func bytes(seed: TestSeed) {
    let bytes = TestArchive.bytes(of: Self.sample())
    var random = seed.generator
    for round in 0..<1500 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        mutated[Int.random(in: mutated.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { mutated.removeLast(Int.random(in: 0..<40, using: &random)) }
      #expect(read(mutated), "\(seed), round \(round)")
    }
  }

  @Test(
    "MDL-384: archives whose objects name others end in a model or an error",
    arguments: TestSeed.sequence(4, from: 5))
  func references(seed: TestSeed) throws {
    guard case .dictionary(let parts) = TestArchive.node(of: Self.sample()),
      case .list(let objects)? = parts["$objects"], let root = parts["$top"],
      case .dictionary(let top) = root, let place = top["root"]
    else {
      Issue.record("no archive")
      return
    }
    var random = seed.generator
    for round in 0..<600 {
      var mutated = objects
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let position = Int.random(in: mutated.indices, using: &random)
        mutated[position] = Self.redirected(mutated[position], objects.count, &random)
      }
      let bytes = BinaryPropertyListWriter.bytes(of: TestArchive.list(mutated, root: place))
      #expect(read(bytes), "\(seed), round \(round)")
    }
  }

  /// A node with one reference that leads elsewhere, or another kind of value.
  private static func redirected(
    _ node: PropertyListNode, _ count: Int, _ random: inout SeededGenerator
  ) -> PropertyListNode {
    let target = PropertyListNode.reference(Int.random(in: 0...count, using: &random))
    switch node {
    case .dictionary(var fields):
      if let key = fields.keys.sorted().randomElement(using: &random) { fields[key] = target }
      return .dictionary(fields)
    case .list(var items):
      if let position = items.indices.randomElement(using: &random) { items[position] = target }
      return .list(items)
    default: return Bool.random(using: &random) ? target : .int(Int64.random(in: -9...9, using: &random))
    }
  }

  @Test("MDL-384: a predicate that names itself, or doubles itself at each level, is bounded")
  func doubling() throws {
    // Each level is a conjunction of the level below with itself: 2 to the power of 40 comparisons.
    var objects: [PropertyListNode] = [
      .string("$null"),
      .dictionary(["$classname": .string("NSCompoundPredicate")]),
      .dictionary(["$classname": .string("NSArray")]),
      .dictionary(["$classname": .string("NSTruePredicate")]),
      .dictionary(["$class": .reference(3)]),
    ]
    for _ in 0..<40 {
      let below = PropertyListNode.reference(objects.count - 1)
      objects.append(.dictionary(["$class": .reference(2), "NS.objects": .list([below, below])]))
      objects.append(
        .dictionary([
          "$class": .reference(1), "NSCompoundPredicateType": .int(1),
          "NSSubpredicates": .reference(objects.count - 1),
        ]))
    }
    let root = PropertyListNode.reference(objects.count - 1)
    let archive = try KeyedArchive(BinaryPropertyListWriter.bytes(of: TestArchive.list(objects, root: root)))
    #expect(throws: KeyedArchiveError.self) {
      try ArchivedPredicateReader(archive: archive).predicate(at: root)
    }
  }
}
