import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Folders of compiled models")
struct CompiledFolderTests {
  private typealias Make = ArchivedModel

  /// A folder of its own with the versions `1` and `2`, removed by the caller.
  private func folder(_ versionInfo: Data?) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)/Shop.momd")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for version in ["1", "2"] {
      let model = Make.model([Make.entity("Thing\(version)", [Make.attribute("name", 700)])])
      try Data(TestArchive.bytes(of: model)).write(to: folder.appending(path: "Shop \(version).mom"))
    }
    try Data("momv2$".utf8).write(to: folder.appending(path: "Shop 2.omo"))
    try versionInfo?.write(to: folder.appending(path: "VersionInfo.plist"))
    return folder
  }

  private static let xml = Data(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>NSManagedObjectModel_CurrentVersionName</key><string>Shop 1</string></dict></plist>
    """.utf8)

  private static let binary = Data(
    BinaryPropertyListWriter.bytes(
      of: .dictionary([
        "NSManagedObjectModel_CurrentVersionName": .string("Shop 1"),
        "NSManagedObjectModel_VersionHashes": .dictionary([
          "Shop 1": .dictionary(["Thing1": .data(Data([1]))])
        ]),
      ])))

  @Test("MDL-335: VersionInfo.plist, in XML or binary, names the current version", arguments: [xml, binary])
  func current(_ info: Data) throws {
    let folder = try folder(info)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let versions = try ModelVersions(at: folder.path)
    #expect(versions.names == ["Shop 1", "Shop 2"] && versions.currentName == "Shop 1")
    let model = try ManagedObjectModel(contentsOf: folder.path)
    #expect(model.name == "Shop" && model.entities.map(\.name) == ["Thing1"])
    #expect(try versions.model(named: "Shop 2").entities.map(\.name) == ["Thing2"])
  }

  @Test("MDL-335: a single compiled model loads, whatever its ending is")
  func single() throws {
    let folder = try folder(nil)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let path = folder.appending(path: "Shop 1.mom").path
    #expect(try ManagedObjectModel(contentsOf: path).name == "Shop 1")
    let other = folder.appending(path: "cache.bin").path
    try FileManager.default.copyItem(atPath: path, toPath: other)
    #expect(try ManagedObjectModel(contentsOf: other).entities.map(\.name) == ["Thing1"])
  }

  @Test("MDL-334: the optimised form is refused, and the compiled model beside it named")
  func optimised() throws {
    let folder = try folder(nil)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(contentsOf: folder.appending(path: "Shop 2.omo").path)
    }
    #expect(error?.problems.first?.code == .unreadable)
    #expect(error?.problems.first?.remedy?.contains(".mom") == true)
  }
}
