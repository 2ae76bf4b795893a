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
func xcodeFaults(_ xml: String) -> [String] {
  do {
    _ = try XcodeModelReader.read(Array(xml.utf8), file: nil)
    return []
  } catch {
    return error.problems.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.code.rawValue)" }
  }
}

/// Models of real apps; empty where the folder is absent.
enum RealModels {
  static let contents: [URL] = {
    guard let folder = Repository.sharedData("apple/models") else { return [] }
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let contents = (files?.allObjects as? [URL] ?? []).filter { $0.lastPathComponent == "contents" }
    return contents.sorted { $0.path < $1.path }
  }()
}
