import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Rules of lint about versions")
struct VersionRuleTests {
  /// The findings in a directory with the given versions, `1`, `2` and so on, as `version rule path`.
  private func found(
    _ versions: ModelDefinition..., mappings: [String] = [], current: String? = nil
  ) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).graphmodel")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("mappings"), withIntermediateDirectories: true)
    for (number, version) in versions.enumerated() {
      try version.jsonData().write(to: folder.appendingPathComponent("\(number + 1).json"))
    }
    for mapping in mappings {
      let names = mapping.split(separator: "-")
      let text = #"""
        {"source":"\#(names[0])","destination":"\#(names[1])","entityMappings":[
        {"source":"Thing","destination":"Thing","attributes":[{"name":"age","value":"0"}]}]}
        """#
      try Data(text.utf8).write(to: folder.appendingPathComponent("mappings/\(mapping).json"))
    }
    if let current { try Data(current.utf8).write(to: folder.appendingPathComponent("current")) }
    let rules = Set(ModelRule.ofVersions.map(\.id))
    return try ModelLinter().report(at: folder.path).versions.flatMap { version in
      version.findings.filter { rules.contains($0.code.rawValue) || $0.severity == .error }.map {
        "\(version.name) \($0.code) \($0.path)"
      }
    }
  }

  private func thing(_ attributes: AttributeDefinition..., version: String? = nil) -> ModelDefinition {
    ModelDefinition(version: version, entities: [EntityDefinition("Thing", attributes: attributes)])
  }

  private let text = AttributeDefinition("text", .string)

  @Test("MDL-042: version-label: a file that says another version than its name")
  func label() throws {
    #expect(
      try found(thing(text, version: "1"), thing(text, .init("more", .date), version: "1"))
        == ["2 version-label version"])
  }

  @Test("MDL-050: versions-indistinguishable: two versions with equal hashes")
  func indistinguishable() throws {
    #expect(try found(thing(text), thing(text)) == ["2 versions-indistinguishable "])
    #expect(try found(thing(text), thing(.init("text", .string, versionHashModifier: "2"))) == [])
  }

  @Test("MDL-352: renaming-to-nothing: an identifier that matches nothing in the version before")
  func renamingToNothing() throws {
    let place = "2 renaming-to-nothing entities[0].attributes[0].renamingIdentifier"
    #expect(
      try found(thing(text), thing(.init("title", .string, renamingIdentifier: "txt"))).contains(place))
    #expect(try found(thing(text), thing(.init("title", .string, renamingIdentifier: "text"))) == [])
  }

  @Test("MIG-065: an identifier kept through all versions matches each time")
  func keptIdentifier() throws {
    let title = AttributeDefinition("title", .string, renamingIdentifier: "text")
    let name = AttributeDefinition("name", .string, renamingIdentifier: "text")
    #expect(try found(thing(text), thing(title), thing(name)) == [])
  }

  @Test("MDL-352: maybe-renamed: one property vanishes and one of the same type appears")
  func maybeRenamed() throws {
    #expect(
      try found(thing(text), thing(.init("title", .string))) == [
        "2 maybe-renamed entities[0].attributes[0].name"
      ])
    #expect(try found(thing(text), thing(.init("title", .string), .init("name", .string))) == [])
    #expect(try found(thing(text), thing(.init("when", .date))) == [])
    #expect(try found(thing(text), thing(text, .init("title", .string))) == [])
  }

  @Test("MDL-352: no-path: a step that cannot be inferred, unless a mapping is written")
  func noPath() throws {
    let mandatory = AttributeDefinition("age", .int16, isOptional: false)
    #expect(try found(thing(text), thing(text, mandatory)) == ["1 no-path "])
    #expect(try found(thing(text), thing(text, mandatory), mappings: ["1-2"]) == [])
    let other = AttributeDefinition("when", .date)
    #expect(
      try found(thing(text), thing(text, mandatory), thing(text, mandatory, other)) == ["1 no-path "])
    #expect(
      try found(thing(text), thing(text, mandatory), thing(text, mandatory, other), mappings: ["1-3"]) == [])
  }

  @Test("MDL-352: versions after the current one need no way back to it")
  func laterVersions() throws {
    let mandatory = AttributeDefinition("age", .int16, isOptional: false)
    #expect(try found(thing(text), thing(text, mandatory), current: "1") == [])
  }

  @Test("A current version that does not exist is a finding, and a version with problems stops nothing")
  func problems() throws {
    #expect(try found(thing(text), current: "9").map { $0.hasSuffix(" model-bad-version ") } == [true])
    let broken = ModelDefinition(entities: [EntityDefinition("A", parent: "B")])
    #expect(
      try found(thing(text), broken, thing(text, .init("when", .date)))
        == ["2 model-unknown-entity entities[0].parent"])
  }
}
