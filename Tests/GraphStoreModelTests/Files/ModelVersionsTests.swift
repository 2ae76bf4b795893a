import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Versions of models")
struct ModelVersionsTests {
  private static func model(_ entity: String) -> String { #"{"entities":[{"name":"\#(entity)"}]}"# }

  private func directory(_ versions: [String], _ folder: TemporaryFolder) throws -> String {
    for version in versions {
      try folder.write(Self.model("E" + version.filter(\.isNumber)), to: "M.graphmodel/\(version).json")
    }
    return folder.path + "/M.graphmodel"
  }

  private func code(_ body: () throws(ModelError) -> Void) -> String? {
    do throws(ModelError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("MDL-041: the JSON files of a directory are versions, everything else in it is ignored")
  func entries() throws {
    let folder = try TemporaryFolder()
    let path = try directory(["1", "2"], folder)
    try folder.write("notes", to: "M.graphmodel/README")
    try folder.write("{", to: "M.graphmodel/.3.json")
    try folder.write("{", to: "M.graphmodel/drafts/4.json")
    #expect(try ModelVersions(at: path).names == ["1", "2"])
  }

  @Test("MDL-043: current holds the name of the current version, without the white space around it")
  func current() throws {
    let folder = try TemporaryFolder()
    let path = try directory(["1", "2"], folder)
    try folder.write(" \n1\t\n", to: "M.graphmodel/current")
    let versions = try ModelVersions(at: path)
    #expect(versions.currentName == "1")
    #expect(try versions.currentModel().entities.map(\.name) == ["E1"])
  }

  @Test(
    "MDL-043: a current version that is no file is model-bad-version and lists the versions",
    arguments: ["3", ""])
  func badCurrent(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try directory(["1", "2"], folder)
    try folder.write(name, to: "M.graphmodel/current")
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: path) }
    #expect(error?.code == "model-bad-version")
    #expect(error?.description.contains("1, 2") == true)
  }

  @Test(
    "MDL-044: versions are ordered piece by piece, with digits as numbers",
    arguments: [
      ["1", "2", "9", "10", "11"], ["1.9", "1.10", "1.10.1", "2"], ["v2", "v10", "w1"],
      ["Moody", "Moody 2", "Moody 10"],
      ["01", "1", "2"], ["99999999999999999999998", "99999999999999999999999", "100000000000000000000000"],
    ])
  func order(names: [String]) {
    #expect(names.reversed().sorted(by: VersionOrder.precedes) == names)
    for (left, right) in zip(names, names.dropFirst()) {
      #expect(VersionOrder.precedes(left, right) && !VersionOrder.precedes(right, left))
    }
    #expect(!VersionOrder.precedes(names[0], names[0]))
  }

  @Test("MDL-044: without a current file the highest version is current: 10, not 9")
  func highest() throws {
    let folder = try TemporaryFolder()
    let versions = try ModelVersions(at: try directory(["9", "10", "2"], folder))
    #expect(versions.names == ["2", "9", "10"])
    #expect(versions.currentName == "10")
  }

  @Test("MDL-045: a directory without a version is model-not-found")
  func empty() throws {
    let folder = try TemporaryFolder()
    try folder.write("1", to: "M.graphmodel/current")
    #expect(
      code { () throws(ModelError) in _ = try ModelVersions(at: folder.path + "/M.graphmodel") }
        == "model-not-found")
  }

  @Test("MDL-046: a directory loads as its current version, named after the directory; others load by name")
  func byName() throws {
    let folder = try TemporaryFolder()
    let path = try directory(["1", "2"], folder)
    let current = try ManagedObjectModel(contentsOf: path)
    #expect(current.entities.map(\.name) == ["E2"])
    #expect(current.name == "M")
    let versions = try ModelVersions(at: path)
    #expect(try versions.model(named: "1").entities.map(\.name) == ["E1"])
    #expect(code { () throws(ModelError) in _ = try versions.model(named: "3") } == "model-bad-version")
  }

  @Test("MDL-047: each version has a successor but the last, and the written mappings that leave it")
  func successorsAndMappings() throws {
    let folder = try TemporaryFolder()
    let path = try directory(["1", "2", "2-beta", "10"], folder)
    for (number, pair) in [("10", "1"), ("1", "2"), ("2", "2-beta"), ("1", "2-beta"), ("2-beta", "10")]
      .enumerated()
    {
      try folder.write(
        #"{"source":"\#(pair.0)","destination":"\#(pair.1)","entityMappings":[]}"#,
        to: "M.graphmodel/mappings/\(number).json")
    }
    try folder.write("no mapping", to: "M.graphmodel/mappings/README.md")
    let versions = try ModelVersions(at: path)
    #expect(versions.names == ["1", "2", "2-beta", "10"])
    #expect(versions.names.map { versions.successor(of: $0) } == ["2", "2-beta", "10", nil])
    #expect(versions.successor(of: "nine") == nil)
    let mappings = try versions.mappings()
    #expect(
      mappings.map { "\($0.source) to \($0.destination)" } == [
        "1 to 2", "1 to 2-beta", "2 to 2-beta", "2-beta to 10", "10 to 1",
      ])
    #expect(mappings.first?.path == path + "/mappings/1.json")
  }

  @Test("MDL-048: a single file is a model of one version")
  func singleFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.model("A"), to: "Solo.json")
    let versions = try ModelVersions(at: path)
    #expect(versions.names == ["Solo"] && versions.currentName == "Solo" && versions.mappingPaths.isEmpty)
    #expect(versions.successor(of: "Solo") == nil)
    #expect(try versions.currentModel().entities.map(\.name) == ["A"])
  }

  @Test("MDL-049: versions that are not asked for are not read")
  func lazy() throws {
    let folder = try TemporaryFolder()
    let path = try directory(["1", "2"], folder)
    try folder.write("this is no model", to: "M.graphmodel/1.json")
    let versions = try ModelVersions(at: path)
    #expect(try versions.currentModel().entities.map(\.name) == ["E2"])
    #expect(code { () throws(ModelError) in _ = try versions.model(named: "1") } == "model-syntax")
  }

  @Test("MDL-042: a label that differs from the file's name is a warning and changes nothing")
  func label() throws {
    let folder = try TemporaryFolder()
    let path = try directory(["1"], folder)
    try folder.write(#"{"version":"7","entities":[]}"#, to: "M.graphmodel/2.json")
    let versions = try ModelVersions(at: path)
    let loaded = try versions.load(named: "2")
    #expect(loaded.findings.map(\.code) == ["version-label"])
    #expect(loaded.findings.map(\.severity) == [.warning])
    #expect(loaded.findings.map(\.path.description) == ["version"])
    #expect(loaded.file == path + "/2.json")
    #expect(try versions.load(named: "1").findings.isEmpty)
    #expect(versions.names == ["1", "2"])
  }

  @Test("MDL-050: two versions with equal hashes are allowed")
  func equalVersions() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.model("A"), to: "M.graphmodel/1.json")
    try folder.write(Self.model("A"), to: "M.graphmodel/2.json")
    let versions = try ModelVersions(at: folder.path + "/M.graphmodel")
    #expect(try versions.model(named: "1").versionChecksum == versions.model(named: "2").versionChecksum)
  }

  @Test(
    "MDL-050: a store that fits several versions counts as the newest of them, one that fits none as none")
  func ofStore() throws {
    let folder = try TemporaryFolder()
    for version in ["1", "2", "10"] {
      try folder.write(Self.model(version == "1" ? "A" : "B"), to: "M.graphmodel/\(version).json")
    }
    let versions = try ModelVersions(at: folder.path + "/M.graphmodel")
    func metadata(_ model: ManagedObjectModel) -> [String: Value] {
      ["NSStoreModelVersionHashes": .dictionary(model.entityVersionHashesByName.mapValues(Value.data))]
    }
    let first = try versions.model(named: "1")
    #expect(try versions.version(forStoreMetadata: metadata(first))?.name == "1")
    let second = try versions.model(named: "2")
    #expect(try versions.version(forStoreMetadata: metadata(second))?.name == "10")
    #expect(try versions.version(forStoreMetadata: [:]) == nil)
  }

  @Test("MDL-032: a model is found by name, a directory of versions before a file, in each directory in turn")
  func byNameInDirectories() throws {
    let folder = try TemporaryFolder()
    let places = ["one", "two"].map { folder.path + "/" + $0 }
    let missing = #expect(throws: ModelError.self) { try ManagedObjectModel(named: "M", in: places) }
    #expect(missing?.code == "model-not-found")
    let tried = places.flatMap { ["\($0)/M.graphmodel", "\($0)/M.json"] }
    #expect(missing?.description.contains(tried.joined(separator: ", ")) == true)
    try folder.write(Self.model("InTwo"), to: "two/M.graphmodel/1.json")
    #expect(try ManagedObjectModel(named: "M", in: places).entities.map(\.name) == ["InTwo"])
    try folder.write(Self.model("File"), to: "one/M.json")
    #expect(try ManagedObjectModel(named: "M", in: places).entities.map(\.name) == ["File"])
    try folder.write(Self.model("Versions"), to: "one/M.graphmodel/1.json")
    #expect(try ManagedObjectModel(named: "M", in: places).entities.map(\.name) == ["Versions"])
  }

  @Test(
    "MDL-384: a damaged note of the current version is an error, never a trap",
    arguments: TestSeed.sequence(120))
  func damagedNotes(seed: TestSeed) throws {
    var generator = seed.generator
    let note = ["NSManagedObjectModel_CurrentVersionName": "1", "_XCCurrentVersionName": "1.xcdatamodel"]
    let isBinary = seed.number % 2 == 0
    var bytes = [UInt8](
      try PropertyListSerialization.data(
        fromPropertyList: note, format: isBinary ? .binary : .xml, options: 0))
    for _ in 0..<Int.random(in: 1...5, using: &generator) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[place] = UInt8.random(in: 0...255, using: &generator)
    }
    let folder = try TemporaryFolder()
    let name = isBinary ? "M.momd" : "M.xcdatamodeld"
    try folder.write("x", to: isBinary ? "M.momd/1.mom" : "M.xcdatamodeld/1.xcdatamodel/contents")
    try folder.write(Data(bytes), to: name + (isBinary ? "/VersionInfo.plist" : "/.xccurrentversion"))
    do throws(ModelError) {
      #expect(try ModelVersions(at: folder.path + "/" + name).names == ["1"], "\(seed)")
    } catch {
      #expect(["model-unreadable", "model-bad-version"].contains(error.code), "\(seed)")
    }
  }
}
