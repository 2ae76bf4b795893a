import Foundation
import Testing

@Suite("graphstore model convert")
struct ModelConvertCommandTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    try write("Shop.xcdatamodeld/Shop.xcdatamodel/contents", "<entity name=\"One\"/>")
    try write(
      "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents",
      """
      <entity name="Two"><attribute name="n" attributeType="Integer 16" defaultValueString="NO"/></entity>
      """)
    try tool.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>Shop 2.xcdatamodel</string></dict></plist>
      """, to: "Shop.xcdatamodeld/.xccurrentversion")
  }

  private func write(_ path: String, _ inside: String) throws {
    let folder = tool.folder.appendingPathComponent(path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try tool.write("<?xml version=\"1.0\"?>\n<model>\n\(inside)\n</model>", to: path)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: tool.folder.appendingPathComponent(path)), as: UTF8.self)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted() }
  }

  @Test("MDL-331, MDL-368: a package becomes one JSON file; what was mended is a warning with its line")
  func json() throws {
    let outcome = try tool.run("model", "convert", "Shop.xcdatamodeld", "shop.json")
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("Shop 2.xcdatamodel/contents:3:"))
    #expect(outcome.errors.contains("foreign-mended"))
    #expect(outcome.errors.contains("other-versions-left-out"))
    #expect(try text("shop.json").contains("\"Two\""))
    #expect(try tool.run("model", "validate", "shop.json").code == 0)
    #expect(try tool.run("model", "convert", "Shop.xcdatamodeld", "-").output == text("shop.json"))
  }

  @Test("MDL-368: all versions and the current one are kept between directories, there and back")
  func directories() throws {
    #expect(try tool.run("model", "convert", "Shop.xcdatamodeld", "Shop.graphmodel/").code == 0)
    #expect(try text("Shop.graphmodel/current") == "Shop 2\n")
    #expect(try text("Shop.graphmodel/Shop.json").contains("\"One\""))
    #expect(try tool.run("model", "convert", "Shop.graphmodel", "Back.xcdatamodeld").code == 0)
    #expect(try text("Back.xcdatamodeld/.xccurrentversion").contains("Shop 2.xcdatamodel"))
    let contents = try text("Back.xcdatamodeld/Shop 2.xcdatamodel/contents")
    #expect(
      contents.contains("<attribute name=\"n\" attributeType=\"Integer 16\" defaultValueString=\"NO\"/>"))
    #expect(try tool.run("model", "convert", "Back.xcdatamodeld", "One.xcdatamodel").code == 0)
    #expect(try text("One.xcdatamodel/contents") == contents)
    #expect(try tool.run("init", "s.db", "--model", "One.xcdatamodel").code == 0)
  }

  @Test("MDL-368: nothing is overwritten without --yes or --force, and nothing stays behind")
  func force() throws {
    try tool.write("mine", to: "shop.json")
    let refused = try tool.run("model", "convert", "Shop.xcdatamodeld", "shop.json")
    #expect(refused.code == 4)
    #expect(refused.errors.contains("--yes"))
    #expect(try text("shop.json") == "mine")
    #expect(try tool.run("model", "convert", "Shop.xcdatamodeld", "shop.json", "--force").code == 0)
    #expect(try text("shop.json").contains("entities"))
    #expect(try tool.run("model", "convert", "Shop.xcdatamodeld", "Shop.graphmodel").code == 0)
    try tool.write("x", to: "Shop.graphmodel/old.json")
    #expect(try tool.run("model", "convert", "Shop.xcdatamodeld", "Shop.graphmodel", "--yes").code == 0)
    #expect(!FileManager.default.fileExists(atPath: tool.path("Shop.graphmodel/old.json")))
    #expect(try names == ["Shop.graphmodel", "Shop.xcdatamodeld", "shop.json"])
    try FileManager.default.removeItem(atPath: tool.path("shop.json"))
    try FileManager.default.createDirectory(
      atPath: tool.path("shop.json"), withIntermediateDirectories: false)
    #expect(try tool.run("model", "convert", "Shop.xcdatamodeld", "shop.json", "--force").code == 73)
  }

  @Test("MDL-362, MDL-368: what cannot be read or written is an error, and nothing is written")
  func errors() throws {
    try write("Bad.xcdatamodel/contents", "<entity name=\"A\"/><entity name=\"A\"/>")
    let wrong = try tool.run("model", "convert", "Bad.xcdatamodel", "bad.json")
    #expect(wrong.code == 65)
    #expect(wrong.errors.contains("Bad.xcdatamodel/contents has 1 problem"))
    #expect(wrong.errors.contains("  3:27: model-duplicate-name: entities[1].name"))
    #expect(try tool.run("model", "convert", "none.xcdatamodeld", "n.json").code == 66)
    #expect(try tool.run("model", "convert", "Shop.xcdatamodeld", "Shop.momd").code == 65)
    #expect(try tool.run("model", "convert", "Shop.xcdatamodeld", "Shop").code == 64)
    #expect(try tool.run("model", "convert", "Shop.xcdatamodeld", "none/Shop.graphmodel").code == 73)
    #expect(try names == ["Bad.xcdatamodel", "Shop.xcdatamodeld"])
  }
}
