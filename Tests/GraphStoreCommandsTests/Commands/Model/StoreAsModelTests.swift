import Foundation
import GraphStoreModelTestSupport
import Testing

/// Stores where a command takes a model, and hashes of Core Data's for new stores.
struct StoreAsModelTests {
  private func folder() throws -> (tool: CommandLineTool, package: ArchivedPackage) {
    let tool = try CommandLineTool()
    return (tool, try ArchivedPackage.library(tool.path("Library.momd")))
  }

  private func run(_ tool: CommandLineTool, _ line: String) throws -> CommandLineTool.Outcome {
    try tool.run(
      CommandLineTool.executable.path, line.split(separator: " ").map(String.init), input: nil)
  }

  // MARK: Stores as models

  @Test(
    "MIG-323: a store is taken wherever a model is, ours and one of Core Data's",
    arguments: [
      ("model show app.sqlite", 0, "Shelf"), ("model list app.sqlite", 0, "app"),
      ("model validate app.sqlite", 0, ""), ("model lint app.sqlite", 0, ""),
      ("model hashes app.sqlite", 0, "checksum"), ("model diff app.sqlite new.json", 0, "+ Book.year"),
      ("model diff new.json app.sqlite", 0, "- Book.year"), ("model diagram app.sqlite", 0, "Shelf"),
      ("model convert app.sqlite -", 0, "\"Shelf\""),
      ("model merge app.sqlite other.json merged.json", 0, ""),
      ("init new.db --model app.sqlite", 0, ""), ("count Book -s app.sqlite --model app.sqlite", 0, "2"),
      ("migrate plan -s app.sqlite --to new.json", 0, "+ Book.year"),
      ("migrate plan -s other.db --to app.sqlite", 0, "+ Book"),
    ] as [(String, Int32, String)])
  func accepted(line: String, code: Int32, text: String) throws {
    for isForeign in [false, true] {
      let tool = isForeign ? try CommandLineTool.coreDataStandIn() : try CommandLineTool()
      if !isForeign {
        try tool.write(CommandLineTool.standInModel, to: "library.json")
        try #require(try run(tool, "init app.sqlite --model library.json").code == 0)
        for _ in 0..<2 { _ = try run(tool, "insert Book title=x -s app.sqlite") }
      }
      try tool.write(
        CommandLineTool.standInModel.replacing(
          #"{"name":"title","type":"string"}"#,
          with: #"{"name":"title","type":"string"},{"name":"year","type":"int16"}"#), to: "new.json")
      try tool.write(#"{"entities":[{"name":"Other"}]}"#, to: "other.json")
      try #require(try run(tool, "init other.db --model other.json").code == 0)
      let outcome = try run(tool, line)
      #expect(
        outcome.code == code && (text.isEmpty || outcome.output.contains(text)),
        "\(isForeign): \(outcome.output) \(outcome.errors)")
    }
  }

  @Test("The hashes of a store of Core Data's are shown wherever it is named")
  func hashesOfStore() throws {
    let tool = try CommandLineTool.coreDataStandIn()
    let named = try run(tool, "model hashes app.sqlite")
    #expect(named.code == 0 && named.output.contains("Core Data's\n"))
    #expect(try run(tool, "model hashes -s app.sqlite").output == named.output)
    tool.environment["GRAPHSTORE_STORE"] = "app.sqlite"
    #expect(try run(tool, "model hashes --json").output == run(tool, "model hashes app.sqlite --json").output)
  }

  @Test("MIG-323: a store whose model cannot be read is told as that")
  func unreadable() throws {
    let tool = try CommandLineTool.coreDataStandIn(hasModel: false)
    let outcome = try run(tool, "model show app.sqlite")
    #expect(outcome.code != 0 && outcome.errors.contains("carries no model"), "\(outcome.errors)")
    #expect(outcome.errors.contains("hint:"))
  }

  @Test("MIG-025: a store of Core Data's and a model of another version lead to the plan")
  func otherVersion() throws {
    let tool = try CommandLineTool.coreDataStandIn()
    try tool.write(
      CommandLineTool.standInModel.replacing(#""pages","type":"int32""#, with: #""pages","type":"int64""#),
      to: "wider.json")
    let outcome = try run(tool, "count Book -s app.sqlite --model wider.json")
    #expect(
      outcome.code == 78
        && outcome.errors.contains("graphstore migrate plan --store app.sqlite --to wider.json"),
      "\(outcome.errors)")
    try FileManager.default.copyItem(atPath: tool.path("app.sqlite"), toPath: tool.path("my app.sqlite"))
    let spaced = try tool.run("count", "Book", "-s", "my app.sqlite", "--model", "wider.json")
    #expect(spaced.errors.contains("--store 'my app.sqlite' --to wider.json"), "\(spaced.errors)")
  }

  @Test("STO-279: a model without a name is called by the store's file, in every command")
  func nameless() throws {
    let tool = try CommandLineTool()
    try tool.write(#"{"entities":[{"name":"A"}]}"#, to: "a.json")
    try tool.write(#"{"entities":[{"name":"A","attributes":[{"name":"n","type":"int16"}]}]}"#, to: "b.json")
    try #require(try run(tool, "init shop.db --model a.json").code == 0)
    #expect(try run(tool, "info -s shop.db").output.contains(#/model +shop\n/#))
    #expect(try run(tool, "model show shop.db").output.contains("model shop"))
    #expect(try run(tool, "migrate plan -s shop.db --to b.json").output.hasPrefix("shop → b "))
  }

  // MARK: Hashes

  @Test("MDL-403: init records the hashes that a package lists; info and model hashes show them")
  func listed() throws {
    let (tool, package) = try folder()
    let made = try run(tool, "init app.sqlite --model Library.momd")
    #expect(made.code == 0 && !made.errors.contains("warning"), "\(made.errors)")
    let hash = try #require(package.hashes(of: "Library 2")["Book"]).map { String(format: "%02x", $0) }
      .joined()
    let info = try run(tool, "info -s app.sqlite")
    #expect(info.output.contains("Core Data's\n") && info.output.contains(hash), "\(info.output)")
    let hashes = try run(tool, "model hashes Library.momd")
    #expect(hashes.output.contains("Core Data's\n") && hashes.output.contains(hash))
    let json = try CommandLineTool.json(run(tool, "model hashes Library.momd --json"))
    let listed = try #require(json["coreData"] as? [String: Any])
    #expect((listed["entities"] as? [String: String])?["Book"] == hash && json["entities"] != nil)
    #expect(try run(tool, "insert Book title=x year=1 -s app.sqlite").code == 0)
    #expect(try run(tool, "check -s app.sqlite").code == 0)
  }

  @Test(
    "MDL-403, MDL-404: --hashes-from takes a list, a version of it, a package, and a store of the version",
    arguments: [
      ("Library.momd", 0), ("Library.momd#Library", 78), ("Library.momd/VersionInfo.plist", 0),
      ("Library.momd/VersionInfo.plist#Library", 65), ("real.sqlite", 0), ("older.sqlite", 78),
      ("own.db", 78), ("none.plist", 66), ("library.json", 65),
    ] as [(String, Int32)])
  func named(source: String, code: Int32) throws {
    let (tool, _) = try folder()
    try #require(try run(tool, "init real.sqlite --model Library.momd").code == 0)
    try #require(try run(tool, "init older.sqlite --model Library.momd#Library").code == 0)
    try #require(try run(tool, "model convert Library.momd library.json").code == 0)
    let own = try run(tool, "init own.db --model library.json")
    #expect(own.code == 0)
    #expect(try run(tool, "info -s own.db").output.contains("GraphStore's own"))
    let made = try run(tool, "init app.sqlite --model library.json --hashes-from \(source)")
    #expect(
      (made.code == 0) == (code == 0) && ([0, 66].contains(code) || made.errors.contains("hint:")),
      "\(made.code) \(made.errors)")
    guard code == 0 else {
      #expect(!FileManager.default.fileExists(atPath: tool.path("app.sqlite")))
      return
    }
    #expect(try run(tool, "info -s app.sqlite").output.contains("Core Data's\n"))
    // A store of ours is brought to the same form.
    let plan = try run(tool, "migrate plan -s own.db --to library.json --hashes-from \(source)")
    #expect(plan.code == 0 && plan.output.contains("hashes by which Core Data knows"), "\(plan.errors)")
    let applied = try run(tool, "migrate apply -s own.db --to library.json --hashes-from \(source)")
    #expect(applied.code == 0, "\(applied.errors)")
    #expect(try run(tool, "info -s own.db").output.contains("Core Data's\n"))
    let again = try run(
      tool, "migrate status -s own.db --to library.json --hashes-from \(source) --exit-code")
    #expect(again.code == 0, "\(again.output)")
  }

  @Test(
    "MDL-403: a model in another form of Apple's has hashes of our own; what is not Core Data's form is refused"
  )
  func ours() throws {
    let (tool, _) = try folder()
    try #require(try run(tool, "model convert Library.momd Library.xcdatamodel").code == 0)
    let made = try run(tool, "init app.sqlite --model Library.xcdatamodel")
    #expect(made.code == 0, "\(made.errors)")
    #expect(try run(tool, "info -s app.sqlite").output.contains("GraphStore's own"))
    let derived =
      #"{"entities":[{"name":"Shelf","attributes":[{"name":"n","type":"int64","derivation":"books.@count"}],"#
      + #""relationships":[{"name":"books","destination":"Book","inverse":"shelf","toMany":true}]},"#
      + #"{"name":"Book","relationships":[{"name":"shelf","destination":"Shelf","inverse":"books"}]}]}"#
    try tool.write(derived, to: "derived.json")
    let refused = try run(tool, "init d.sqlite --model derived.json --hashes-from Library.momd")
    #expect(refused.code == 78 && refused.errors.contains("Shelf.n is derived"), "\(refused.errors)")
  }
}
