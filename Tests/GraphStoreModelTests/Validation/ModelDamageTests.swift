import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

/// Models that were made at random and then damaged in the structure: each is refused with a place, or is a
/// model with which everything works.
@Suite("Models damaged in their structure")
struct ModelDamageTests {
  private static let junk: [JSONValue] = [
    .null, .bool(true), 0, -1, .number("1e308"), .number("99999999999999999999"), "", "x", "\u{0}", "😀",
    .array([]),
    .object([:]), .array([.array([])]), ["a": ["b": 1]], "SELF ==", "9999", "2024-02-30T00:00:00Z",
  ]

  private static let rounds = 30

  /// The JSON of a model with one to three parts replaced, removed, repeated or put in place of others.
  private static func damaged(
    _ definition: ModelDefinition, _ random: inout SeededGenerator
  ) throws -> JSONValue {
    var value = try JSONParser.parse([UInt8](definition.jsonData())).value
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let paths = JSONMutation.paths(value)
      let path = try #require(paths.randomElement(using: &random))
      let other = try #require(paths.randomElement(using: &random))
      let choice = Int.random(in: 0..<4, using: &random)
      let junk = Self.junk[Int.random(in: 0..<Self.junk.count, using: &random)]
      var part = JSONValue.null
      _ = JSONMutation.change(value, at: other[...]) { found in
        part = found
        return found
      }
      value = JSONMutation.change(value, at: path[...]) { found in
        switch (choice, found) {
        case (0, _): junk
        case (1, .array(let items)): .array(items + items.suffix(1))
        case (2, .array(let items)): .array(Array(items.dropFirst()))
        case (1, .object(let members)): .object(members.filter { $0.key != members.keys.min() })
        case (1, .string(let text)): .string(text + text)
        default: part
        }
      }
    }
    return value
  }

  @Test(
    "MDL-384: damaged JSON is refused with its place, or is a model that goes through everything",
    arguments: TestSeed.sequence(4))
  func json(start: TestSeed) throws {
    var models = RandomModels(start)
    var random = start.generator
    for round in 0..<Self.rounds {
      let original = models.model()
      let value = try Self.damaged(original, &random)
      let found = ModelLinter().findings(inJSON: Array(JSONWriter.text(value).utf8))
      if let model = found.model {
        try use(model, besides: ManagedObjectModel(original), "\(start), round \(round)")
      } else {
        let errors = found.findings.filter { $0.severity == .error }
        #expect(
          !errors.isEmpty && errors.allSatisfy { $0.line != nil && $0.column != nil },
          "\(start), round \(round)")
      }
    }
  }

  /// Everything that is done with a model.
  private func use(_ model: ManagedObjectModel, besides other: ManagedObjectModel, _ origin: Comment) throws {
    let again = try ManagedObjectModel(json: Array(model.jsonData()), name: model.name)
    #expect(again.definition == model.definition, origin)
    #expect(again.versionChecksum == model.versionChecksum, origin)
    let xml = XcodeModelWriter.xml(of: model.definition)
    #expect(try XcodeModelReader.read(xml, file: nil).definition == model.definition, origin)
    #expect(ModelDifference(from: model, to: again).changes.isEmpty, origin)
    let difference = ModelDifference(from: other, to: model)
    #expect(
      difference.changesHashes == (other.versionChecksum != model.versionChecksum), origin)
    _ = ModelDifference(from: model, to: other)
    let diagram = ModelDiagram(model)
    #expect(DotTokens.problem(in: DotWriter(diagram).lines.joined(separator: "\n")) == nil, origin)
  }

  @Test(
    "MDL-384: XML whose values stand in other places is refused with its place, or is a model",
    arguments: TestSeed.sequence(4))
  func xml(start: TestSeed) throws {
    var models = RandomModels(start)
    var random = start.generator
    for round in 0..<Self.rounds {
      let origin: Comment = "\(start), round \(round)"
      let text = String(decoding: XcodeModelWriter.xml(of: models.model()), as: UTF8.self)
      let bytes = Array(Self.shuffled(text, &random).utf8)
      do throws(ModelError) {
        let model = try XcodeModelReader.read(bytes, file: nil)
        _ = try ManagedObjectModel(model.definition)
        let written = XcodeModelWriter.xml(of: model.definition)
        #expect(try XcodeModelReader.read(written, file: nil).definition == model.definition, origin)
      } catch {
        #expect(!error.problems.isEmpty && error.problems.allSatisfy { $0.line != nil }, origin)
      }
    }
  }

  /// A text with some of its quoted values in the places of others, or with other texts.
  private static func shuffled(_ text: String, _ random: inout SeededGenerator) -> String {
    var parts = text.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
    // What the user information holds for this library is not a value of the model's.
    let values = stride(from: 1, to: parts.count - 1, by: 2).filter {
      !parts[$0].contains("&quot;") && parts[$0] != "graphstore"
    }
    let junk = ["", "YES", "-1", "99999999999999999999", "nan", "&#27;", "Transformable", "SELF ==", "é"]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard let place = values.randomElement(using: &random), let other = values.randomElement(using: &random)
      else { continue }
      parts[place] = Bool.random(using: &random) ? parts[other] : junk.randomElement(using: &random) ?? ""
    }
    return parts.joined(separator: "\"")
  }

  // Were the subsets of a constraint looked at one by one, this would never end.
  @Test("Constraints over very many attributes are looked at and drawn")
  func wideConstraints() throws {
    let names = (0..<300).map { "a\($0)" }
    let definition = ModelDefinition(entities: [
      EntityDefinition(
        "A", attributes: names.map { .init($0, .string) },
        uniquenessConstraints: names.indices.map { Array(names[$0...]) })
    ])
    #expect(places("implied-constraint", definition).count == 299)
    let box = try #require(ModelDiagram(ManagedObjectModel(definition)).boxes.first)
    #expect(box.rows[0].notes == ["unique with a1, a2, a3, a4, a5, a6, a7, a8 and 291 more"])
    #expect(box.rows[298].notes.first == "unique with a0, a1, a2, a3, a4, a5, a6, a7 and 291 more")
    #expect(box.rows[298].notes.last == "unique with a299")
  }
}
