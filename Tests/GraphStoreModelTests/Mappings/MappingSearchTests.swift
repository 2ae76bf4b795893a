import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Finding mappings")
struct MappingSearchTests {
  private let folder: TemporaryFolder
  private let old: ManagedObjectModel
  private let new: ManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    (old, new) = try MappingSamples.models()
    try folder.write(old.jsonData(), to: "M.graphmodel/1.json")
    try folder.write(new.jsonData(), to: "M.graphmodel/2.json")
  }

  private var model: String { folder.file("M.graphmodel") }

  private func mapping(_ value: Int, from source: String = "1", to destination: String = "2") -> String {
    MappingSamples.file(
      MappingSamples.country(#""attributes":[{"name":"isoContinent","value":"\#(value)"}]"#)
    )
    .replacing(
      #""source":"1","destination":"2""#, with: #""source":"\#(source)","destination":"\#(destination)""#)
  }

  private func names(_ paths: [String], from old: ManagedObjectModel, to new: ManagedObjectModel) throws
    -> [String]
  {
    try MappingSearch(paths).files(from: old, to: new).map { ($0.path as NSString?)?.lastPathComponent ?? "" }
  }

  @Test(
    "MIG-131, MIG-135, MIG-136: a file fits by the hashes of its versions, whatever its name; all that fit are found"
  )
  func fitting() throws {
    #expect(try MappingModel(from: [model], forSourceModel: old, destinationModel: new) == nil)
    try folder.write(mapping(1), to: "M.graphmodel/mappings/b.json")
    try folder.write(mapping(2), to: "M.graphmodel/mappings/2-1.json")
    try folder.write(mapping(3, from: "2", to: "1"), to: "M.graphmodel/mappings/1-2.json")
    #expect(try names([model], from: old, to: new) == ["2-1.json", "b.json"])
    #expect(try names([model], from: new, to: old) == ["1-2.json"])
    #expect(try names([model], from: old, to: old) == [])
    let found = try #require(try MappingModel(from: [model], forSourceModel: old, destinationModel: new))
    #expect(try MappingModel(contentsOf: model + "/mappings/2-1.json") == found)
    #expect(try MappingSearch([model]).candidates.count == 3)
  }

  @Test("MIG-137: a mapping that names no version of its directory is an error with the nearest name")
  func versions() throws {
    try folder.write(mapping(1, to: "22"), to: "M.graphmodel/mappings/a.json")
    let error = try #require(throws: ModelError.self) { try ModelVersions(at: model).mappings() }
    #expect(
      error.problems.map { "\($0.code) \($0.path) \($0.line ?? 0)" } == ["mapping-bad-version destination 1"])
    #expect(throws: ModelError.self) { try MappingSearch([model]) }
    #expect(
      try ModelVersions(at: model).currentModel().entities.count == 3, "a model is read without its mappings")
  }

  @Test(
    "MIG-042, MIG-142: files and folders elsewhere are found by the versions of the models given with them")
  func elsewhere() throws {
    let file = try folder.write(mapping(1), to: "maps/x.json")
    try folder.write("[1]", to: "maps/data.json")
    try folder.write(old.jsonData(), to: "maps/model.json")
    #expect(try names([file, model], from: old, to: new) == ["x.json"])
    #expect(try names([folder.file("maps"), model], from: old, to: new) == ["x.json"])
    #expect(try names([folder.file("maps")], from: old, to: new) == [], "nobody knows its versions")
    var recorded = try MappingModel(contentsOf: file)
    recorded.sourceHashes = old.entityVersionHashesByName.mapValues { Array($0) }
    recorded.destinationHashes = new.entityVersionHashesByName.mapValues { Array($0) }
    try folder.write(recorded.jsonData(), to: "maps/x.json")
    #expect(try names([folder.file("maps")], from: old, to: new) == ["x.json"], "MIG-138")
    #expect(throws: ModelError.self) { try MappingSearch([folder.file("nothing")]) }
  }

  @Test("MIG-137, MDL-352: the check of a directory checks its mappings, and a way along a wrong one is none")
  func lint() throws {
    func findings() throws -> [String] {
      try ModelLinter().report(at: model).versions.flatMap { version in
        version.findings.filter { $0.severity == .error }.map { "\(version.name) \($0.code)" }
      }
    }
    #expect(try findings() == ["1 no-path"])
    try folder.write(mapping(1), to: "M.graphmodel/mappings/1-2.json")
    #expect(try findings() == [])
    try folder.write(
      mapping(1).replacing("isoContinent", with: "isoContinet"), to: "M.graphmodel/mappings/1-2.json")
    #expect(try findings() == ["1 no-path", "1-2 mapping-unknown-property"])
    try folder.write(MappingSamples.file(), to: "M.graphmodel/mappings/1-2.json")
    #expect(try findings() == ["1 no-path", "1-2 mapping-incomplete"])
    try folder.write("{", to: "M.graphmodel/mappings/1-2.json")
    #expect(try findings() == ["1 no-path", "1-2 mapping-syntax"])
  }
}
