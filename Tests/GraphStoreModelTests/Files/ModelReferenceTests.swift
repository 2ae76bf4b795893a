import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Versions named with their directory")
struct ModelReferenceTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/M.graphmodel"
    try folder.write(#"{"entities":[{"name":"One"}]}"#, to: "M.graphmodel/v 1.json")
    try folder.write(#"{"entities":[{"name":"Two"}]}"#, to: "M.graphmodel/v 2.json")
    try folder.write("{}", to: "M.graphmodel/mappings/v 1-v 2.json")
  }

  @Test("MDL-046: DIRECTORY#VERSION loads that version, under the name of the directory")
  func version() throws {
    let model = try ManagedObjectModel(contentsOf: path + "#v 1")
    #expect(model.entities.map(\.name) == ["One"] && model.name == "M")
    #expect(try LoadedModel(mergingContentsOf: [path + "#v 1", path + "#v 2"]).model.entities.count == 2)
    let versions = try ModelVersions(at: path + "#v 1")
    #expect(versions.names == ["v 1"] && versions.currentName == "v 1" && versions.path == path)
    #expect(versions.mappingPaths.isEmpty)
    #expect(try ModelLinter().report(at: path + "#v 1").versions.map(\.name) == ["v 1"])
  }

  @Test("MDL-046: a version that does not exist is model-bad-version, with the nearest name and all names")
  func unknown() throws {
    for use in [
      { _ = try ManagedObjectModel(contentsOf: $0) }, { _ = try ModelLinter().report(at: $0) },
    ] as [(String) throws -> Void] {
      let error = #expect(throws: ModelError.self) { try use(path + "#v 3") }
      #expect(error?.code == "model-bad-version" && error?.problems.first?.value == "v 3")
      #expect(error?.problems.first?.suggestion == "v 1")
      #expect(error?.problems.first?.message.contains("v 1, v 2") == true)
    }
    let single = path + "/v 1.json"
    #expect(try ManagedObjectModel(contentsOf: single + "#v 1").entities.count == 1)
    #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: single + "#v 2") }
  }

  @Test("MDL-046: a # in the name of something that is there belongs to the name")
  func hash() throws {
    try folder.write(#"{"entities":[]}"#, to: "C#.json")
    #expect(try ManagedObjectModel(contentsOf: folder.path + "/C#.json").name == "C#")
    try folder.write(#"{"entities":[]}"#, to: "C#.graphmodel/1#2.json")
    let reference = ModelReference(folder.path + "/C#.graphmodel#1#2")
    #expect(reference.path == folder.path + "/C#.graphmodel" && reference.version == "1#2")
    #expect(ModelReference("nowhere#1").version == nil)
  }

  @Test(
    "MDL-331: a named version of a package needs no .xccurrentversion; without a name the versions are listed"
  )
  func noCurrent() throws {
    for name in ["A", "B"] {
      try folder.write(
        xcodeModel("<entity name=\"\(name)\"/>"), to: "P.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    let package = folder.path + "/P.xcdatamodeld"
    #expect(try ManagedObjectModel(contentsOf: package + "#A").entities.map(\.name) == ["A"])
    for note in [nil, "no property list", "<plist version=\"1.0\"><dict/></plist>"] {
      if let note { try folder.write(note, to: "P.xcdatamodeld/.xccurrentversion") }
      let error = #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: package) }
      #expect(error?.code == "model-bad-version")
      #expect(error?.problems.first?.message.contains("A, B") == true)
      #expect(error?.problems.first?.remedy?.contains("P.xcdatamodeld#A") == true)
    }
  }

  @Test("MDL-331: a single version is current, whatever the note says that cannot be read")
  func single() throws {
    try folder.write(xcodeModel(""), to: "P.xcdatamodeld/A.xcdatamodel/contents")
    try folder.write("no property list", to: "P.xcdatamodeld/.xccurrentversion")
    #expect(try ModelVersions(at: folder.path + "/P.xcdatamodeld").currentName == "A")
  }

  @Test("MDL-030: the file inside an .xcdatamodel folder is named after the folder")
  func contents() throws {
    try folder.write(xcodeModel(""), to: "Shop.xcdatamodel/contents")
    #expect(try ManagedObjectModel(contentsOf: folder.path + "/Shop.xcdatamodel/contents").name == "Shop")
  }

  @Test("MDL-029: a store given as a model is told to be one")
  func store() throws {
    let file = try folder.write(Data("SQLite format 3\0".utf8) + Data([0x10, 0xFF, 0xFE]), to: "shop.sqlite")
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: file) }
    #expect(error?.code == "model-syntax" && error?.description.contains("Take the model out") == true)
  }
}
