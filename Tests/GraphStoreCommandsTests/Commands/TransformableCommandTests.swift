import Foundation
import GraphStoreModelTestSupport
import GraphStoreSQLite
import Testing

@Suite("Transformable attributes in commands")
struct TransformableCommandTests {
  private let tool: CommandLineTool
  private let archive = Data(TestArchive.bytes(of: ["red", "green"])).base64EncodedString()

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Moods", "entities": [
        {"name": "Mood", "attributes": [
          {"name": "title", "type": "string"}, {"name": "tags", "type": "transformable"},
          {"name": "colors", "type": "transformable", "transformer": "ColorTransformer"}]}]}
      """, to: "moods.json")
    #expect(try tool.run("init", "moods.db", "--model", "moods.json").code == 0)
  }

  @Test("MDL-162: bytes of the default archive are set and printed as Base64; a table says what they are")
  func values() throws {
    #expect(try tool.run("insert", "Mood", "title=Fine", "tags=\(archive)", "--store", "moods.db").code == 0)
    for format in ["ndjson", "csv", "tsv", "json"] {
      let printed = try tool.run(
        "fetch", "Mood", "--store", "moods.db", "--format", format, "--fields", "tags")
      #expect(printed.code == 0 && printed.output.contains(archive.prefix(40)), "\(format)")
    }
    let table = try tool.run("fetch", "Mood", "--store", "moods.db", "--fields", "tags")
    #expect(table.output.contains("bytes application/x-plist>"), "\(table.output)")
    let found = try tool.run(
      "count", "Mood", "--store", "moods.db", "--where", "tags != nil AND colors == nil")
    #expect(found.output == "1\n")
    #expect(try tool.run("check", "--store", "moods.db").code == 0)
  }

  @Test("an export is imported again byte for byte")
  func roundTrip() throws {
    #expect(try tool.run("insert", "Mood", "title=Fine", "tags=\(archive)", "--store", "moods.db").code == 0)
    for format in ["ndjson", "csv"] {
      let exported = try tool.run("export", "Mood", "--store", "moods.db", "-o", "out.\(format)")
      #expect(exported.code == 0 && exported.errors == "", "\(exported.errors)")
      #expect(try tool.run("init", "again-\(format).db", "--model", "moods.json").code == 0)
      #expect(try tool.run("import", "Mood", "out.\(format)", "--store", "again-\(format).db").code == 0)
      let read = try tool.run(
        "fetch", "Mood", "--store", "again-\(format).db", "--ndjson", "--fields", "title,tags")
      #expect(read.output.contains("\"tags\":\"\(archive)\""), "\(read.output)")
    }
  }

  @Test("OBJ-271, MDL-165: values of a transformer that only its program has are printed, and not written")
  func unknownTransformer() throws {
    let refused = try tool.run("insert", "Mood", "colors=AAEC", "--store", "moods.db")
    #expect(refused.code == 65 && refused.errors.contains("[transformer-missing]"))
    #expect(refused.errors.contains("ColorTransformer"))
    #expect(try tool.run("insert", "Mood", "title=Fine", "--store", "moods.db").code == 0)
    let connection = try SQLiteConnection(path: tool.path("moods.db"), mode: .readWrite)
    try connection.execute("UPDATE ZMOOD SET ZCOLORS = x'000102'")
    connection.close()
    let read = try tool.run("fetch", "Mood", "--store", "moods.db", "--ndjson", "--fields", "colors")
    #expect(read.output.contains("\"colors\":\"AAEC\""))
    #expect(try tool.run("update", "Mood/p1", "title=Good", "--store", "moods.db").code == 0)
    #expect(
      try tool.run("fetch", "Mood", "--store", "moods.db", "--ndjson", "--fields", "title,colors").output
        .contains(
          "\"title\":\"Good\",\"colors\":\"AAEC\""))
  }

  @Test("bytes that are no archive are refused with their number")
  func damage() throws {
    for text in ["q", "AAEC"] {
      let refused = try tool.run("insert", "Mood", "tags=\(text)", "--store", "moods.db")
      #expect(refused.code == 65 && refused.errors.contains("[value-type]"), "\(refused.errors)")
    }
  }
}
