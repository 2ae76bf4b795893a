import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Formats of models")
struct ModelFormatTests {
  @Test("MDL-030: the ending tells the format, in either case of letters")
  func endings() {
    let formats = ["a/b.json", "b.graphmodel/", "B.XCDATAMODEL", "b.xcdatamodeld", "b.mom", "b.momd"]
      .map { ModelFormat(endingOf: $0) }
    #expect(formats == [.json, .versions, .xcodeModel, .xcodeVersions, .compiled, .compiledVersions])
    #expect(["b", ".json", "b.txt", "dir.json/b", ""].allSatisfy { ModelFormat(endingOf: $0) == nil })
  }

  @Test("MDL-030: what has another ending is told by what it holds")
  func sniffing() throws {
    let folder = try TemporaryFolder()
    let files = ["a.txt": "\u{FEFF} {}", "b": "<?xml version=\"1.0\"?>", "c.bin": "bplist00"]
    for (name, text) in files { try folder.write(text, to: name) }
    #expect(try ModelFormat(at: folder.path + "/a.txt") == .json)
    #expect(try ModelFormat(at: folder.path + "/b") == .xcodeModel)
    #expect(try ModelFormat(at: folder.path + "/c.bin") == .compiled)
    for entry in ["v/current", "v/1.json", "x/contents", "y/.xccurrentversion", "z/1.mom", "n/1.json"] {
      try folder.write("1", to: entry)
    }
    let formats = try ["v", "x", "y", "z"].map { try ModelFormat(at: folder.path + "/" + $0) }
    #expect(formats == [.versions, .xcodeModel, .xcodeVersions, .compiledVersions])
    let error = #expect(throws: ModelError.self) { try ModelFormat(at: folder.path + "/n") }
    #expect(error?.code == "model-unreadable")
  }

  @Test("MDL-030, MDL-031: a model in a file with another ending loads from anywhere, and is named after it")
  func loading() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(#"{"entities":[]}"#, to: "shapes.model.txt")
    #expect(try ManagedObjectModel(contentsOf: path).name == "shapes.model")
    #expect(try LoadedModel(contentsOf: path).file == path)
  }

  @Test("MDL-029: a directory of another maker that does not say which of its versions is current lists them")
  func severalVersions() throws {
    let folder = try TemporaryFolder()
    try folder.write("<model/>", to: "A.xcdatamodeld/A.xcdatamodel/contents")
    #expect(try ModelVersions(at: folder.path + "/A.xcdatamodeld").currentName == "A")
    try folder.write("<model/>", to: "A.xcdatamodeld/A 2.xcdatamodel/contents")
    let error = #expect(throws: ModelError.self) { try ModelVersions(at: folder.path + "/A.xcdatamodeld") }
    #expect(error?.code == "model-bad-version")
    #expect(error?.description.contains("A, A 2") == true)
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>A.xcdatamodel</string></dict></plist>
      """, to: "A.xcdatamodeld/.xccurrentversion")
    let versions = try ModelVersions(at: folder.path + "/A.xcdatamodeld")
    #expect(versions.currentName == "A" && versions.names == ["A", "A 2"])
    try folder.write("<plist", to: "A.xcdatamodeld/.xccurrentversion")
    let damaged = #expect(throws: ModelError.self) { try ModelVersions(at: folder.path + "/A.xcdatamodeld") }
    #expect(damaged?.code == "model-bad-version")
  }
}
