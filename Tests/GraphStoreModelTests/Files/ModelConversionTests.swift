import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Models in another format")
struct ModelConversionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func convert(_ name: String, _ format: ModelFormat, to destination: String) throws -> [String] {
    let conversion = try ModelConversion(of: folder.path + "/" + name, to: format)
    for file in conversion.files {
      let path = file.path.isEmpty ? destination : destination + "/" + file.path
      try folder.write(Data(file.bytes), to: path)
    }
    return conversion.warnings.map(\.finding.code.rawValue)
  }

  private func findings(_ name: String) throws -> [String] {
    try ModelLinter().report(at: folder.path + "/" + name).findings.map(\.code.rawValue)
  }

  private func writePackage(_ identifiers: [String: String], current: String) throws {
    for (version, identifier) in identifiers {
      try folder.write(
        "<model userDefinedModelVersionIdentifier=\"\(identifier)\"><entity name=\"E\(identifier)\"/></model>",
        to: "P.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try folder.write(
      Data(CurrentVersion.xcodeMarker(naming: current + ".xcdatamodel")),
      to: "P.xcdatamodeld/.xccurrentversion"
    )
  }

  @Test(
    "MDL-014, MDL-042: Xcode's identifier of a version is kept, and is not taken for the name of its file")
  func identifiers() throws {
    try writePackage(["P": "1", "P 2": "2"], current: "P 2")
    #expect(try convert("P.xcdatamodeld", .versions, to: "P.graphmodel").isEmpty)
    #expect(try !findings("P.graphmodel").contains("version-label"))
    let path = folder.path + "/P.graphmodel"
    #expect(try ManagedObjectModel(contentsOf: path).versionIdentifiers == ["2"])
    #expect(try ManagedObjectModel(contentsOf: path + "#P").versionIdentifiers == ["1"])

    #expect(try convert("P.graphmodel", .xcodeVersions, to: "Q.xcdatamodeld").isEmpty)
    let versions = try ModelVersions(at: folder.path + "/Q.xcdatamodeld")
    #expect(versions.names == ["P", "P 2"] && versions.currentName == "P 2")
    for name in versions.names {
      let first = try ModelVersions(at: folder.path + "/P.xcdatamodeld").model(named: name).definition
      let model = try versions.model(named: name)
      #expect(model.definition.version == first.version && model.definition.entities == first.entities)
      #expect(model.definition.userInfo.isEmpty && model.definition.xcode["dropped"] == nil)
    }
    _ = try convert("P.graphmodel", .json, to: "p.json")
    let single = try ManagedObjectModel(contentsOf: folder.path + "/p.json").definition
    #expect(single.version == "2" && single.xcode["userDefinedModelVersionIdentifier"] == nil)
  }

  @Test("A class with its module is said in Xcode's own words, and reads as one of Xcode's does")
  func classOfModule() throws {
    try folder.write(
      #"{"entities":[{"name":"Card","className":"Shop.Card","attributes":[{"name":"n","type":"string"}]}]}"#,
      to: "card.json")
    #expect(try convert("card.json", .xcodeModel, to: "card.xcdatamodel").isEmpty)
    let path = folder.path + "/card.xcdatamodel/contents"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("representedClassName=\"Shop.Card\"") && !text.contains("userInfo"))
    let entity = try ManagedObjectModel(contentsOf: folder.path + "/card.xcdatamodel").definition.entities[0]
    #expect(entity.className == "Card" && entity.xcode["representedClassName"] == "Shop.Card")
    #expect(try convert("card.xcdatamodel", .json, to: "again.json").isEmpty)
    #expect(try convert("again.json", .xcodeModel, to: "again.xcdatamodel").isEmpty)
    #expect(try String(contentsOfFile: folder.path + "/again.xcdatamodel/contents", encoding: .utf8) == text)
  }

  @Test("MDL-042: a single file becomes the version that it says it is")
  func label() throws {
    try folder.write(#"{"version":"1.2","entities":[{"name":"A"}]}"#, to: "shop.json")
    #expect(try convert("shop.json", .versions, to: "Shop.graphmodel").isEmpty)
    let versions = try ModelVersions(at: folder.path + "/Shop.graphmodel")
    #expect(versions.names == ["1.2"] && versions.currentName == "1.2")
    #expect(try findings("Shop.graphmodel").isEmpty)
    try folder.write(#"{"version":"a/b","entities":[]}"#, to: "odd.json")
    #expect(try convert("odd.json", .versions, to: "Odd.graphmodel").isEmpty)
    #expect(try ModelVersions(at: folder.path + "/Odd.graphmodel").names == ["odd"])
    #expect(try findings("Odd.graphmodel").isEmpty)
    #expect(try ManagedObjectModel(contentsOf: folder.path + "/Odd.graphmodel").versionIdentifiers == ["a/b"])
  }

  @Test("MDL-041: a directory of versions converted to its own kind keeps its mappings")
  func mappings() throws {
    for version in ["1", "2"] {
      try folder.write(#"{"$schema":"x","version":"one","entities":[]}"#, to: "M.graphmodel/\(version).json")
    }
    try folder.write("1", to: "M.graphmodel/current")
    let mapping = #"{ "source": "1", "destination": "2", "entityMappings": [ ] }"#
    try folder.write(mapping, to: "M.graphmodel/mappings/a.json")
    #expect(try convert("M.graphmodel", .versions, to: "N.graphmodel") == ["version-label", "version-label"])
    let versions = try ModelVersions(at: folder.path + "/N.graphmodel")
    #expect(versions.currentName == "1")
    #expect(try versions.mappings().map(\.destination) == ["2"])
    #expect(
      try String(contentsOfFile: folder.path + "/N.graphmodel/mappings/a.json", encoding: .utf8) == mapping)
    #expect(try versions.model(named: "1").definition.version == "one")
    #expect(try convert("M.graphmodel", .xcodeVersions, to: "N.xcdatamodeld").last == "mapping-left-out")
  }
}
