import Foundation
import GraphStoreCodegen
import GraphStoreModel
import GraphStoreTestSupport
import Testing

/// The files in `Generated` are part of this target: they compile, and other tests run them.
@Suite("Generated files")
struct GeneratedFileTests {
  private static let remedy =
    "swift run graphstore-codegen MODEL --output Tests/GraphStoreCodegenTests/Generated/NAME --access ACCESS"

  @Test(
    "OBJ-027: generated files are as they were, byte by byte",
    arguments: [
      ("Models/company.json", "Company", CodegenOptions.Access.public),
      ("Tests/GraphStoreCodegenTests/Models/orchard.json", "Orchard", .internal),
    ])
  func golden(path: String, name: String, access: CodegenOptions.Access) throws {
    let model = try ManagedObjectModel(contentsOf: Repository.root.appendingPathComponent(path).path)
    let code = try CodeGenerator(model, options: CodegenOptions(access: access)).files()
    let folder = testsFolder.appendingPathComponent("Generated/\(name)")
    for file in code.files {
      let kept = try? String(contentsOf: folder.appendingPathComponent(file.name), encoding: .utf8)
      if file.owner == .machine { #expect(kept == file.text, "\(file.name): \(Self.remedy)") }
      if file.owner == .human { #expect(kept != nil, "\(file.name): \(Self.remedy)") }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == code.files.map(\.name).sorted())
  }

  @Test("The same model gives the same bytes, also when it is read from its own JSON")
  func stable() throws {
    let path = testsFolder.appendingPathComponent("Models/orchard.json").path
    let model = try ManagedObjectModel(contentsOf: path)
    let again = try ManagedObjectModel(json: model.jsonData())
    #expect(try CodeGenerator(model).files().files == CodeGenerator(again).files().files)
  }
}
