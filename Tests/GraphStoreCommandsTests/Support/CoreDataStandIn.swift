import Foundation
import GraphStoreModelTestSupport
import GraphStoreSQLite
import Testing

extension CommandLineTool {
  /// The model of the stand-in as a file of this library says it.
  static let standInModel = """
    {"entities":[
      {"name":"Shelf",
       "attributes":[{"name":"label","type":"string"}],
       "relationships":[{"name":"books","destination":"Book","inverse":"shelf","toMany":true}]},
      {"name":"Book",
       "attributes":[{"name":"title","type":"string"},{"name":"pages","type":"int32"}],
       "relationships":[{"name":"shelf","destination":"Shelf","inverse":"books"}]}
    ]}
    """

  /// A folder with `app.sqlite`, a store as Core Data leaves it, where real ones cannot be had: made by the
  /// command, then without the keys of this library in its metadata, and with a compiled model in its cache.
  static func coreDataStandIn(hasModel: Bool = true) throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try tool.write(standInModel, to: "library.json")
    let made = try tool.run("init", "app.sqlite", "--model", "library.json")
    try #require(made.code == 0, "\(made.errors)")
    let script = """
      insert Shelf label=Poems
      insert Book title=Howl pages=57 shelf=Shelf/p1
      insert Book title=Ariel pages=96 shelf=Shelf/p1
      """
    let filled = try tool.run("--store", "app.sqlite", "run", "-", input: script)
    try #require(filled.code == 0, "\(filled.errors)")
    let connection = try SQLiteConnection(path: tool.path("app.sqlite"), mode: .readWrite)
    defer { connection.close() }
    let text = try #require(try connection.string("SELECT hex(Z_PLIST) FROM Z_METADATA"))
    let metadata = try PropertyListSerialization.propertyList(from: bytes(ofHexadecimal: text), format: nil)
    let foreign = try #require(metadata as? [String: Any]).filter { !$0.key.hasPrefix("_GS") }
    let list = try PropertyListSerialization.data(fromPropertyList: foreign, format: .binary, options: 0)
    try connection.execute("UPDATE Z_METADATA SET Z_PLIST = x'\(hexadecimal(list))'")
    try connection.execute("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
    try connection.execute("DELETE FROM Z_MODELCACHE")
    if hasModel {
      let cache = stored(TestArchive.bytes(of: compiledModel))
      try connection.execute("INSERT INTO Z_MODELCACHE VALUES (x'\(hexadecimal(cache))')")
    }
    return tool
  }

  private static let compiledModel: Archived = {
    let isOptional: [String: Archived] = ["NSIsOptional": true]
    return ArchivedModel.model([
      ArchivedModel.entity(
        "Shelf",
        [
          ArchivedModel.attribute("label", 700, isOptional),
          ArchivedModel.relationship(
            "books", to: "Book", inverse: "shelf", ["NSIsOptional": true, "NSDeleteRule": 1]),
        ]),
      ArchivedModel.entity(
        "Book",
        [
          ArchivedModel.attribute("title", 700, isOptional),
          ArchivedModel.attribute("pages", 200, isOptional),
          ArchivedModel.relationship(
            "shelf", to: "Shelf", inverse: "books",
            ["NSIsOptional": true, "NSDeleteRule": 1, "NSMaxCount": 1]),
        ]),
    ])
  }()

  /// A stream of raw DEFLATE with one stored block.
  private static func stored(_ content: [UInt8]) -> [UInt8] {
    let length = UInt16(content.count)
    let numbers = [length, ~length].flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    return [1] + numbers + content
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  private static func bytes(ofHexadecimal text: String) -> Data {
    let digits = Array(text)
    return Data(
      stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 })
  }
}
