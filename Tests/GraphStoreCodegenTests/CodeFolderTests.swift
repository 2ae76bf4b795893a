import Foundation
import GraphStoreCodegen
import GraphStoreModel
import Testing

@Suite("Folders of generated files")
struct CodeFolderTests {
  private let folder: TemporaryFolder
  private let code: CodeFolder

  init() throws {
    folder = try TemporaryFolder()
    code = CodeFolder(folder.url.appendingPathComponent("deep/code").path)
  }

  private func generator(_ names: String...) throws -> CodeGenerator {
    try CodeGenerator(
      ManagedObjectModel(
        ModelDefinition(
          name: "M",
          entities: names.map { EntityDefinition($0, attributes: [AttributeDefinition("x", .int16)]) })))
  }

  private func status(_ name: String) throws -> [FileAttributeKey: Any] {
    try FileManager.default.attributesOfItem(atPath: "\(code.path)/\(name)")
  }

  @Test("OBJ-027: what is right already is not touched, what differs is rewritten, people's files never are")
  func changes() throws {
    let files = try generator("A").files().files
    #expect(try code.write(files).map(\.change) == [.created, .created, .created])
    let before = try status("A+Properties.swift")[.systemFileNumber] as? Int
    #expect(try code.write(files).map(\.change) == [.unchanged, .kept, .unchanged])
    #expect(try status("A+Properties.swift")[.systemFileNumber] as? Int == before)
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(code.path)/A.swift"))
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(code.path)/MModel.swift"))
    #expect(try code.write(files, isDryRun: true).map(\.change) == [.unchanged, .kept, .rewritten])
    #expect(try code.write(files).map(\.change) == [.unchanged, .kept, .rewritten])
    #expect(try String(contentsOfFile: "\(code.path)/A.swift", encoding: .utf8) == "x")
    #expect(try FileManager.default.contentsOfDirectory(atPath: code.path).count == 3)
  }

  @Test("A dry run makes no folder")
  func dryRun() throws {
    #expect(try code.write(try generator("A").files().files, isDryRun: true).map(\.change).count == 3)
    #expect(!FileManager.default.fileExists(atPath: code.path))
  }

  @Test("Files of entities that are gone are told from those of other models and of people")
  func stale() throws {
    _ = try code.write(try generator("A", "B").files().files)
    try Data("// mine".utf8).write(to: URL(fileURLWithPath: "\(code.path)/C.swift"))
    #expect(try generator("A").staleFiles(in: code) == ["B+Properties.swift"])
    #expect(try generator("A", "B").staleFiles(in: code).isEmpty)
  }

  @Test("What cannot be written is said with its path")
  func blocked() throws {
    let file = folder.url.appendingPathComponent("file")
    try Data().write(to: file)
    let error = #expect(throws: CodeFileError.self) {
      try CodeFolder(file.appendingPathComponent("code").path).write(try generator("A").files().files)
    }
    #expect(error?.message.contains(file.path) == true)
    #expect(error?.path.contains(file.path) == true)
  }
}
