import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("What commands say of values that break a rule")
struct ValidationErrorTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      #"""
      {"entities":[{"name":"Thing","attributes":[
      {"name":"name","type":"string","optional":false,"default":"x"},
      {"name":"note","type":"string","validations":[{"predicate":"SELF != 'bad'","message":"no bad notes"}]},
      {"name":"size","type":"int32","min":1,"max":9},
      {"name":"day","type":"date","min":"2001-01-01","max":"2001-01-31"},
      {"name":"code","type":"string","minLength":2,"maxLength":3,"pattern":"[a-z]*"}],
      "relationships":[{"name":"parts","destination":"Thing","toMany":true,"minCount":2,"maxCount":3}]}]}
      """#, to: "m.json")
    let made = try tool.run("init", "m.db", "--model", "m.json")
    try #require(made.code == 0, "\(made.errors)")
    tool.environment["GRAPHSTORE_STORE"] = "m.db"
  }

  @Test(
    "DGN-168: each rule has its number, and the command exits with 65",
    arguments: [
      ("note=bad", 1550), ("name:=null", 1570), ("parts=Thing/p1", 1580),
      ("parts=Thing/p1,Thing/p2,Thing/p3,Thing/p4", 1590), ("size=10", 1610), ("size=0", 1620),
      ("day=2001-02-01", 1630), ("day=2000-12-31", 1640), ("code=abcd", 1660), ("code=a", 1670),
      ("code=A1", 1680),
    ])
  func numbers(assignment: String, number: Int) throws {
    for _ in 0..<4 { try tool.run("insert", "Thing") }
    let outcome = try tool.run("insert", "Thing", assignment, "--error-format", "json")
    #expect(outcome.code == 65, "\(outcome.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any]
    let error = try #require(object?["error"] as? [String: Any])
    #expect(error["code"] as? String == "validation" && error["number"] as? Int == number, "\(error)")
  }

  @Test("DGN-170: 80 characters of the value are shown; the object is named by its id")
  func objects() throws {
    try tool.run("insert", "Thing")
    let text = String(repeating: "y", count: 200)
    let outcome = try tool.run("update", "Thing/p1", "code=\(text)")
    #expect(outcome.code == 65)
    #expect(
      outcome.errors.contains("Thing.code of Thing/p1: \"\(text.prefix(80))…\" is longer than 3 characters"),
      "\(outcome.errors)")
  }

  @Test("DGN-170: in a script and in an import the line is named that the object came from")
  func lines() throws {
    let script = try tool.run("run", "-", input: "insert Thing\ninsert Thing size=10\n")
    #expect(script.code == 65 && script.errors.hasPrefix("<stdin>:2:"), "\(script.errors)")
    try tool.write("{\"size\":1}\n{\"size\":2}\n{\"size\":10}\n", to: "things.ndjson")
    let transfer = try tool.run("import", "Thing", "things.ndjson")
    #expect(transfer.code == 65 && transfer.errors.hasPrefix("things.ndjson:3"), "\(transfer.errors)")
    #expect(transfer.errors.contains("10 is greater than the maximum 9"))
  }
}
