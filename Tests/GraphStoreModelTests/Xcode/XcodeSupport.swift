import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreModel

/// What the reader makes of a text.
func readXcode(_ xml: String) throws -> ForeignModel {
  try XcodeModelReader.read(Array(xml.utf8), file: "contents")
}

/// A model of Xcode with the given elements inside.
func xcodeModel(_ inside: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
  <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
  \(inside)
  </model>
  """
}

/// A model of Xcode with one entity `Thing` that holds the given elements from line 4 on.
func xcodeThing(_ inside: String) -> String {
  xcodeModel("<entity name=\"Thing\">\n\(inside)\n</entity>")
}

/// The one attribute of a model with one entity.
func xcodeAttribute(_ attributes: String) throws -> (attribute: AttributeDefinition, findings: [String]) {
  let model = try readXcode(xcodeThing("<attribute name=\"value\" \(attributes)/>"))
  let attribute = try #require(model.definition.entities.first?.attributes.first)
  return (attribute, model.findings.map { "\($0.code) \($0.path)" })
}

/// The problems of a text as `line:column code`.
func xcodeProblems(_ xml: String) -> [String] {
  do {
    _ = try XcodeModelReader.read(Array(xml.utf8), file: nil)
    return []
  } catch {
    return error.problems.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.code.rawValue)" }
  }
}

/// A model in the form of Xcode's editor.
struct XcodeModelText: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  /// Whether the repository ships the model; such a one uses what only this library has.
  let isOwn: Bool
  var testDescription: String { name }

  /// The models that the repository ships, written in that form, and those of real apps where there are any.
  static let all: [XcodeModelText] = own + real

  private static let own: [XcodeModelText] = {
    let files = [
      "Models/company.json", "Models/packages.json", "Tests/GraphStoreCodegenTests/Models/orchard.json",
    ]
    return files.map { file in
      let path = Repository.root.appendingPathComponent(file).path
      let xml = (try? ManagedObjectModel(contentsOf: path)).map { XcodeModelWriter.xml(of: $0.definition) }
      return XcodeModelText(name: file, bytes: xml ?? [], isOwn: true)
    }
  }()

  private static let real: [XcodeModelText] = {
    guard let folder = Repository.sharedData("apple/models") else { return [] }
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let contents = (files?.allObjects as? [URL] ?? []).filter { $0.lastPathComponent == "contents" }
    return contents.sorted { $0.path < $1.path }.map { file in
      XcodeModelText(name: file.path, bytes: (try? [UInt8](Data(contentsOf: file))) ?? [], isOwn: false)
    }
  }()
}
