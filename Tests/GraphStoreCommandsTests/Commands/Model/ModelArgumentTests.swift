import Foundation
import Testing

@Suite("Models as arguments of commands")
struct ModelArgumentTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    try write(#"{"entities":[{"name":"One"}]}"#, to: "M.graphmodel/1.json")
    try write(#"{"entities":[{"name":"Two"}]}"#, to: "M.graphmodel/2.json")
  }

  private func write(_ text: String, to name: String) throws {
    let folder = tool.folder.appendingPathComponent(name).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try tool.write(text, to: name)
  }

  @Test(
    "MDL-046: every command takes DIRECTORY#VERSION",
    arguments: [
      "show", "show --json", "diagram --as mermaid", "hashes", "hashes --all", "codegen -n -o code",
      "convert - #",
      "merge - #", "compile - #",
    ])
  func version(_ words: String) throws {
    var words = words.split(separator: " ").map(String.init)
    // The model stands in front of where it goes.
    let destination = words.last == "#" ? [words.remove(at: 1)] : []
    words.removeAll { $0 == "#" }
    let arguments = ["model", words[0], "M.graphmodel#1"] + destination + words.dropFirst()
    let outcome = try tool.run(CommandLineTool.executable.path, arguments, input: nil)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("One") && !outcome.output.contains("Two"))
  }

  @Test("MDL-046: list, validate and lint look at the named version alone, init makes a store of it")
  func alone() throws {
    #expect(try tool.run("model", "list", "M.graphmodel#1").output == "* 1\n")
    try write("{", to: "M.graphmodel/2.json")
    #expect(try tool.run("model", "validate", "M.graphmodel#1").code == 0)
    #expect(try tool.run("model", "validate", "M.graphmodel").code == 2)
    #expect(try tool.run("model", "lint", "M.graphmodel#1").output.isEmpty)
    #expect(try tool.run("init", "one.db", "--model", "M.graphmodel#1").code == 0)
    #expect(try tool.run("model", "new-version", "M.graphmodel#1", "3").code == 0)
    #expect(try tool.run("model", "show", "M.graphmodel#3", "--tree").output == "One\n")
    #expect(try tool.run("model", "new-version", "M.graphmodel#1", "2").code == 73)
  }

  @Test(
    "A version that does not exist is a wrong argument, with the one that was meant",
    arguments: [
      "show", "validate", "lint", "list", "hashes", "diff",
    ])
  func unknown(_ command: String) throws {
    let outcome = try tool.run("model", command, "M.graphmodel#12")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("[unknown-version]") && outcome.errors.contains("there are: 1, 2"))
    #expect(outcome.errors.contains("did you mean \"1\"?"))
  }

  @Test("MDL-383: a problem of a whole file names the file", arguments: ["show", "hashes"])
  func wholeFile(_ command: String) throws {
    try tool.write("no archive", to: "shop.mom")
    let outcome = try tool.run("model", command, "shop.mom")
    #expect(outcome.code == 65)
    #expect(outcome.errors.hasPrefix("shop.mom: error: "))
  }

  @Test("MDL-109, MDL-383: validate prints the offset in a text, and the value in JSON")
  func offset() throws {
    try tool.write(
      #"{"entities":[{"name":"A"}],"fetchRequests":[{"name":"r","entity":"A","predicate":"TRUEPREDICATE AND"}]}"#,
      to: "a.json")
    let lines = try tool.run("model", "validate", "a.json")
    #expect(lines.code == 2 && lines.output.contains("(offset 17)"))
    let json = try tool.run("model", "validate", "a.json", "--json").output
    #expect(json.contains(#""offset":17,"value":"TRUEPREDICATE AND","message":"#))
  }

  @Test("MDL-353, MDL-354: what a reader finds is disabled by its name, and listed with the rules")
  func disable() throws {
    try write(
      """
      <model><entity name="A"><attribute name="n" attributeType="Integer 16" defaultValueString="NO"/></entity></model>
      """, to: "A.xcdatamodel/contents")
    let found = try tool.run("model", "lint", "A.xcdatamodel", "--strict")
    #expect(found.code == 2 && found.output.contains("foreign-mended"))
    #expect(
      try tool.run("model", "lint", "A.xcdatamodel", "--strict", "--disable", "foreign-mended").code == 0)
    let rules = try tool.run("model", "lint", "--rules").output
    for id in ["foreign-mended", "compiled-dropped", "merged-definitions-differ", "class-not-registered"] {
      #expect(rules.contains("\n\(id)   ("))
    }
  }

  @Test("info and model hashes print hashes alike")
  func hashes() throws {
    #expect(try tool.run("init", "two.db", "--model", "M.graphmodel").code == 0)
    let hash = try tool.run("model", "hashes", "M.graphmodel").lines[0].suffix(64)
    #expect(try tool.run("info", "--store", "two.db").output.contains(" \(hash)\n"))
  }

  @Test("MDL-366: a package compiles to a directory that nothing is to be said about")
  func compile() throws {
    for version in ["Shop", "Shop 2"] {
      try write(
        "<model userDefinedModelVersionIdentifier=\"\(version.count)\"><entity name=\"A\"><attribute name=\"x\(version.count)\" attributeType=\"Date\"/></entity></model>",
        to: "Shop.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>Shop.xcdatamodel</string></dict></plist>",
      to: "Shop.xcdatamodeld/.xccurrentversion")
    #expect(try tool.run("model", "compile", "Shop.xcdatamodeld", "Shop.graphmodel").errors.isEmpty)
    #expect(try !tool.run("model", "lint", "Shop.graphmodel").output.contains("version-label"))
    #expect(
      try tool.run("model", "hashes", "Shop.graphmodel", "--all").output
        == tool.run("model", "hashes", "Shop.xcdatamodeld", "--all").output)
    let again = try tool.run("model", "compile", "Shop.xcdatamodeld", "Shop.graphmodel")
    #expect(again.code == 4 && again.errors.contains("--yes"))
    #expect(try tool.run("model", "compile", "Shop.xcdatamodeld", "Shop.graphmodel", "--yes").code == 0)
  }

  @Test("codegen prints the paths of its files as the folder was given")
  func paths() throws {
    #expect(
      try tool.run("model", "codegen", "M.graphmodel", "-o", "code").lines.contains("created  code/Two.swift")
    )
  }

  @Test("MDL-361, MDL-368: model check is model lint, model import is model convert")
  func otherNames() throws {
    #expect(try tool.run("model", "check", "M.graphmodel#1", "--strict").code == 0)
    try write("{", to: "bad.json")
    #expect(try tool.run("model", "check", "bad.json").code == 2)
    #expect(
      try tool.run("model", "import", "M.graphmodel#1", "-").output
        == tool.run("model", "convert", "M.graphmodel#1", "-").output)
    #expect(try tool.run("model", "lint", "--help").output.contains("graphstore model lint"))
  }
}
