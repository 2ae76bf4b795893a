import Foundation
import GraphStoreTestSupport
import Testing

@Suite("graphstore model lint --store")
struct StoreLintTests {
  private let company = Repository.root.appendingPathComponent("Models/company.json").path

  /// The rules and messages of the findings that need the store.
  private func findings(_ tool: CommandLineTool, _ arguments: String...) throws -> [String] {
    let output = try tool.run(
      CommandLineTool.executable.path, ["model", "lint", "--json"] + arguments, input: nil
    ).output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    let rules: Set = [
      "required-without-default", "not-unique", "values-break-limits", "always-nil", "text-looks-typed",
    ]
    return try #require(object["findings"] as? [[String: Any]]).compactMap { finding in
      guard let rule = finding["rule"] as? String, rules.contains(rule) else { return nil }
      return "\(rule): \(finding["message"] as? String ?? "")"
    }
  }

  /// A store of people, and a changed model beside it.
  private func people(_ count: Int, _ line: (Int) -> String) throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "People", "entities": [{"name": "Person", "attributes": [
        {"name": "name", "type": "string"}, {"name": "code", "type": "string"}, {"name": "note", "type": "string"}]}]}
      """, to: "old.json")
    try #require(try tool.run("init", "people.db", "--model", "old.json").code == 0)
    let lines = (0..<count).map(line).joined(separator: "\n")
    try #require(try tool.run("import", "Person", "-", "-s", "people.db", input: lines + "\n").code == 0)
    return tool
  }

  private func model(_ attributes: String, rest: String = "") -> String {
    #"{"name":"People","entities":[{"name":"Person","attributes":[\#(attributes)]\#(rest)}]}"#
  }

  @Test("MIG-103, MIG-104: what the model requires and objects lack is counted")
  func required() throws {
    let tool = try people(4) { #"{"name":"N\#($0)"\#($0 == 0 ? #","note":"x""# : "")}"# }
    try tool.write(
      model(
        #"{"name":"name","type":"string","optional":false},{"name":"note","type":"string","optional":false},{"name":"age","type":"int16","optional":false},{"name":"size","type":"int16","optional":false,"default":0}"#
      ), to: "new.json")
    #expect(
      try findings(tool, "new.json", "--store", "people.db") == [
        "required-without-default: Person.note is mandatory and without default, and 3 of 4 Person objects lack it.",
        "required-without-default: Person.age is new, mandatory and without default, and the store has 4 Person objects.",
      ])
    #expect(try findings(tool, "new.json") == [])
  }

  @Test("MIG-092: values that a new constraint does not allow are counted")
  func unique() throws {
    let tool = try people(6) { #"{"name":"N\#($0 / 2)"\#($0 < 3 ? #","code":"c""# : "")}"# }
    let attributes =
      #"{"name":"name","type":"string"},{"name":"code","type":"string"},{"name":"note","type":"string"}"#
    try tool.write(
      model(attributes, rest: #","uniquenessConstraints":[["name"],["name","code"],["note"]]"#),
      to: "new.json")
    #expect(
      try findings(tool, "new.json", "--store", "people.db") == [
        "not-unique: 3 Person objects of 6 have the same name as another one.",
        "not-unique: 1 Person object of 6 has the same name, code as another one.",
      ])
  }

  @Test("MDL-148 to MDL-150: values that break limits are counted, missing ones break none")
  func limits() throws {
    let tool = try people(5) { $0 == 4 ? "{}" : #"{"name":"\#(String(repeating: "x", count: $0 + 1))"}"# }
    try tool.write(
      model(#"{"name":"name","type":"string","minLength":2,"maxLength":3,"pattern":"x{1,3}"}"#),
      to: "new.json")
    #expect(
      try findings(tool, "new.json", "--store", "people.db") == [
        "values-break-limits: 1 of 5 Person objects have a name shorter than 2 characters.",
        "values-break-limits: 1 of 5 Person objects have a name longer than 3 characters.",
        "values-break-limits: 1 of 5 Person objects have a name that does not match the pattern x{1,3}.",
      ])
  }

  @Test(
    "Attributes that nobody uses, and text that reads as something else, are found in stores with enough objects"
  )
  func values() throws {
    let tool = try people(20) { #"{"name":"\#($0 * 7)","code":"2024-01-\#($0 + 10)"}"# }
    let expected = [
      "text-looks-typed: All 20 values of Person.name read as a number.",
      "text-looks-typed: All 20 values of Person.code read as a date.",
      "always-nil: None of 20 Person objects has a note.",
    ]
    #expect(try findings(tool, "--store", "people.db") == expected)
    #expect(try findings(tool, "old.json", "--store", "people.db") == expected)
    #expect(
      try findings(tool, "--store", "people.db", "--disable", "always-nil", "--disable", "text-looks-typed")
        == [])
    let few = try people(19) { #"{"name":"\#($0 * 7)"}"# }
    #expect(try findings(few, "--store", "people.db") == [])
  }

  @Test("MDL-354: user info silences findings about the store as well")
  func silenced() throws {
    let tool = try people(20) { _ in #"{"name":"x"}"# }
    try tool.write(
      model(
        #"{"name":"name","type":"string"},{"name":"code","type":"string","userInfo":{"checkIgnore":["always-nil"]}},{"name":"note","type":"string"}"#
      ), to: "new.json")
    #expect(
      try findings(tool, "new.json", "--store", "people.db") == [
        "always-nil: None of 20 Person objects has a note."
      ])
  }

  @Test("DGN-090: an index that is a leading part of another is a candidate for removal")
  func redundantIndexes() throws {
    let tool = try people(1) { _ in #"{"name":"N"}"# }
    func index(_ name: String, _ properties: String...) -> String {
      let elements = properties.map { #"{"property":"\#($0)"}"# }.joined(separator: ",")
      return #"{"name":"\#(name)","elements":[\#(elements)]}"#
    }
    let indexes = [index("byName", "name"), index("byNameAndCode", "name", "code"), index("byCode", "code")]
    let attributes = #"{"name":"name","type":"string"},{"name":"code","type":"string"}"#
    try tool.write(
      model(attributes, rest: #","indexes":[\#(indexes.joined(separator: ","))]"#), to: "new.json")
    let output = try tool.run("model", "lint", "new.json", "--store", "people.db", "--json").output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    let found = try #require(object["findings"] as? [[String: Any]]).filter {
      $0["rule"] as? String == "redundant-index"
    }
    #expect(found.count == 1 && (found.first?["message"] as? String)?.contains("byName") == true, "\(output)")
  }

  @Test("Labels with leading zeros are no numbers")
  func labels() throws {
    let tool = try people(20) { #"{"name":"0\#($0)","code":"c","note":"n"}"# }
    #expect(try findings(tool, "--store", "people.db") == [])
  }

  @Test("The store is only read")
  func readOnly() throws {
    let tool = try people(20) { #"{"name":"\#($0)"}"# }
    let path = tool.path("people.db")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    _ = try tool.run("model", "lint", "--store", "people.db")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }
}
