import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreModel

@Suite("Rules about what readers and mergers find")
struct SourceRuleTests {
  @Test(
    "MDL-353: the warnings of the list are rules",
    arguments: [
      "version-label", "versions-indistinguishable", "merged-definitions-differ", "names-differ-by-case",
      "predicate-word", "reserved-name", "class-not-registered", "wide-hierarchy",
      "default-breaks-constraint",
      "default-transformer-named", "relationship-crosses-configurations", "configuration-splits-hierarchy",
      "duplicate-constraint",
    ])
  func list(_ id: String) { #expect(ModelLinter.rule(named: id) != nil) }

  @Test("MDL-341: whatever a reader of other makers' models finds is a rule")
  func readers() throws {
    let sources = Repository.root.appendingPathComponent("Sources/GraphStoreModel")
    let folders = ["Xcode", "Compiled"].map { sources.appendingPathComponent($0) }
    var found: Set<String> = []
    for folder in folders {
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        found.formUnion(text.matches(of: /"((?:foreign|compiled)-[a-z-]+)"/).map { String($0.1) })
      }
    }
    // This one is told by a writer.
    found.remove("foreign-extras")
    #expect(found.count == 13)
    #expect(found.filter { ModelLinter.rule(named: $0) == nil } == [])
  }

  private static let mended = xcodeThing(
    "<attribute name=\"n\" attributeType=\"Integer 16\" defaultValueString=\"NO\"/>")

  @Test("MDL-354: a finding of a reader is silenced by its name, for the check or in the user info")
  func disabled() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.mended, to: "A.xcdatamodel/contents")
    var check = ModelLinter()
    #expect(try check.report(at: file).findings.map(\.code) == ["foreign-mended"])
    check.disabledRules = ["foreign-mended"]
    #expect(try check.report(at: file).findings.isEmpty)
    let silent = try folder.write(
      Self.mended.replacing(
        "</entity>",
        with: "<userInfo><entry key=\"checkIgnore\" value=\"foreign-mended\"/></userInfo></entity>"),
      to: "B.xcdatamodel/contents")
    #expect(try ModelLinter().report(at: silent).findings.isEmpty)
    #expect(try LoadedModel(contentsOf: silent).findings.isEmpty)
    #expect(try LoadedModel(contentsOf: file).findings.map(\.code) == ["foreign-mended"])
  }

  @Test("MDL-054, MDL-354: what merging tells of an entity can be silenced there")
  func merged() throws {
    func document(_ value: JSONValue, _ userInfo: [String: JSONValue] = [:]) -> ModelDocument {
      let attribute = AttributeDefinition("x", .string, defaultValue: value)
      return ModelDocument(
        ModelDefinition(entities: [EntityDefinition("A", attributes: [attribute], userInfo: userInfo)]))
    }
    let rule = "merged-definitions-differ"
    #expect(try MergedModel([document("a"), document("b")]).findings.map(\.code.rawValue) == [rule])
    #expect(
      try MergedModel([document("a", ["checkIgnore": [.string(rule)]]), document("b")]).findings.isEmpty)
  }
}
