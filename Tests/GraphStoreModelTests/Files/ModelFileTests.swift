import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreModel

@Suite("Model files")
struct ModelFileTests {
  @Test("MDL-073: a model without entities is valid; MDL-021: a byte order mark is allowed")
  func emptyModel() throws {
    let model = try ManagedObjectModel(
      json: [0xEF, 0xBB, 0xBF] + Array(#"{"entities":[]}"#.utf8), name: "Empty")
    #expect(model.entities.isEmpty)
    #expect(model.name == "Empty")
  }

  @Test(
    "MDL-025: text that is not JSON is one problem with line and column",
    arguments: [
      ("{\"entities\": [,]}", 1, 15), ("{\n  \"entities\": []\n  \"name\": \"x\" }", 3, 3),
      ("{\"entities\":[]} x", 1, 17), ("{\"entities\": [],}", 1, 17), ("// c\n{}", 1, 1),
      ("{\"é\": tru}", 1, 7), ("", 1, 1), ("{\"a\": 01}", 1, 7), ("{\"a\": \"\u{1}\"}", 1, 8),
      ("{\"a\": \"\\x\"}", 1, 8), ("{\"a\": \"\\ud800\"}", 1, 8), ("[1, 2", 1, 6), ("{\"a\": \"b", 1, 7),
    ])
  func syntax(text: String, line: Int, column: Int) throws {
    let found = problems(text)
    #expect(found.count == 1)
    let problem = try #require(found.first)
    #expect(problem.code == .syntax)
    #expect(problem.line == line && problem.column == column, "\(problem)")
  }

  @Test("MDL-405: a file that is longer than a model can be is refused, and so is one without end")
  func tooLong() throws {
    let large = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    try Data().write(to: large)
    defer { try? FileManager.default.removeItem(at: large) }
    // A sparse file, longer than a model can be.
    try #require(truncate(large.path, 128 << 20) == 0, "errno \(errno)")
    for path in [large.path, "/dev/zero"] {
      for read in [
        { () throws in _ = try ManagedObjectModel(contentsOf: path) },
        { () throws in _ = try MappingFile(contentsOf: path) },
      ] {
        let error = try #require(throws: ModelError.self) { try read() }
        #expect(error.code.hasSuffix("-syntax") && error.description.contains("100 MB"), "\(error)")
      }
    }
  }

  @Test("MDL-025: bytes that are not UTF-8 are a problem with their place")
  func invalidUTF8() throws {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(json: Array("{\n\"a".utf8) + [0xFF] + Array("\":1}".utf8))
    }
    #expect(error?.problems.first?.code == .syntax)
    #expect(error?.problems.first?.line == 2)
    #expect(error?.problems.first?.column == 3)
  }

  @Test("MDL-384: deep nesting is refused, not followed", arguments: ["[", "{\"a\":"])
  func deepNesting(open: String) {
    let found = problems(String(repeating: open, count: 100_000))
    #expect(found.map(\.code) == [.syntax])
  }

  @Test("MDL-023: an unknown key names its path and the key that was meant")
  func unknownKey() throws {
    let found = problems(
      """
      {"entities":[{"name":"A"},{"name":"B"},
        {"name":"C","attributes":[{"name":"a","type":"string","optionl":false}]}]}
      """)
    let problem = try #require(found.first)
    #expect(found.count == 1)
    #expect(problem.code == .unknownKey)
    #expect(problem.path.description == "entities[2].attributes[0].optionl")
    #expect(problem.suggestion == "optional")
    #expect(problem.line == 2 && problem.column == 57)
  }

  @Test("MDL-023: short keys get a suggestion within one edit, far keys none")
  func suggestions() {
    #expect(problems(#"{"entities":[],"nam":"x"}"#).first?.suggestion == "name")
    #expect(problems(#"{"entities":[],"nmae":"x"}"#).first?.suggestion == nil)
    #expect(problems(#"{"entities":[],"colour":"x"}"#).first?.suggestion == nil)
  }

  @Test("MDL-289: the key indexed points to indexes")
  func indexed() {
    let found = problems(thing(attributes: #"{"name":"a","type":"string","indexed":true}"#))
    #expect(found.map(\.code) == [.unknownKey])
    #expect(found.first?.remedy?.contains("\"indexes\"") == true)
  }

  @Test("MDL-024: a key that occurs twice is a problem, also inside user info")
  func duplicateKeys() {
    #expect(
      problemSummaries(#"{"entities":[],"entities":[],"userInfo":{"a":{"b":1,"b":2}}}"#) == [
        "model-duplicate-key entities", "model-duplicate-key userInfo.a.b",
      ])
  }

  @Test(
    "MDL-026: a value of another JSON type is a problem without coercion",
    arguments: [
      (#"{"name":"a","type":"string","optional":"no"}"#, "optional"),
      (#"{"name":"a","type":"string","optional":0}"#, "optional"),
      (#"{"name":"a","type":"string","optional":null}"#, "optional"),
      (#"{"name":"a","type":"string","minLength":"3"}"#, "minLength"),
      (#"{"name":"a","type":3}"#, "type"), (#"{"name":"a","type":"string","pattern":[]}"#, "pattern"),
      (#"{"name":"a","type":"string","userInfo":[]}"#, "userInfo"),
    ])
  func wrongType(attribute: String, key: String) {
    #expect(
      problemSummaries(thing(attributes: attribute)) == ["model-wrong-type entities[0].attributes[0].\(key)"])
  }

  @Test("MDL-026: the top and members of lists have types too")
  func wrongTypeOfItems() {
    #expect(problemSummaries("[]") == ["model-wrong-type "])
    #expect(
      problemSummaries(#"{"entities":[3,{"name":"A","uniquenessConstraints":["a"]}]}"#) == [
        "model-wrong-type entities[0]", "model-wrong-type entities[1].uniquenessConstraints[0]",
      ])
  }

  @Test(
    "MDL-027: a missing key is a problem with the path of the object",
    arguments: [
      ("{}", ""), (#"{"entities":[{}]}"#, "entities[0]"),
      (thing(attributes: #"{"type":"string"}"#), "entities[0].attributes[0]"),
      (thing(attributes: #"{"name":"a"}"#), "entities[0].attributes[0]"),
      (#"{"entities":[{"name":"A","relationships":[{"name":"r"}]}]}"#, "entities[0].relationships[0]"),
      (
        #"{"entities":[{"name":"A","fetchedProperties":[{"name":"r"}]}]}"#, "entities[0].fetchedProperties[0]"
      ),
      (#"{"entities":[{"name":"A","indexes":[{"name":"r"}]}]}"#, "entities[0].indexes[0]"),
      (#"{"entities":[],"fetchRequests":[{"name":"r"}]}"#, "fetchRequests[0]"),
      (#"{"entities":[],"configurations":[{"name":"r"}]}"#, "configurations[0]"),
      (
        thing(attributes: #"{"name":"a","type":"string","validations":[{"message":"m"}]}"#),
        "entities[0].attributes[0].validations[0]"
      ),
    ])
  func missingKey(json: String, path: String) {
    #expect(problemSummaries(json) == ["model-missing-key \(path)"])
  }

  @Test("MDL-028: problems of form and of meaning come together, in document order, with their places")
  func allProblems() {
    let found = problems(
      """
      {"entities":[
        {"name":"A","parent":"Nobody","colour":"red","attributes":[
          {"name":"x","type":"strnig"},
          {"name":"y","type":"int16","default":70000}]},
        {"name":"A","relationships":[{"name":"r","destination":"C","deleteRule":"explode"}]}],
       "fetchRequests":[{"name":"f","entity":"B"}]}
      """)
    #expect(
      found.map { "\($0.line ?? 0) \($0.code.rawValue) \($0.path)" } == [
        "2 model-unknown-entity entities[0].parent", "2 model-unknown-key entities[0].colour",
        "3 model-bad-value entities[0].attributes[0].type",
        "4 model-bad-value entities[0].attributes[1].default",
        "5 model-duplicate-name entities[1].name",
        "5 model-unknown-entity entities[1].relationships[0].destination",
        "5 model-bad-value entities[1].relationships[0].deleteRule",
        "6 model-unknown-entity fetchRequests[0].entity",
      ])
  }

  @Test("MDL-029: a model that is not there differs from one that cannot be read")
  func missingFile() {
    let missing = #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: "/nowhere/a.json") }
    #expect(missing?.code == "model-not-found")
    #expect(missing?.number == 260)
    let folder = #expect(throws: ModelError.self) {
      try ManagedObjectModel(contentsOf: Repository.models.path)
    }
    #expect(folder?.code == "model-unreadable")
  }

  @Test("MDL-383: the description is one line a problem, with file, place, code and suggestion")
  func errorDescription() throws {
    let path = NSTemporaryDirectory() + "model-\(UUID().uuidString).json"
    try Data("{\"entities\":[{\"name\":\"A\",\"parnt\":\"B\"},\n{\"name\":\"1\"}]}".utf8)
      .write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: path) }
    let lines = (error?.description ?? "").split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    let expected =
      path + ":1:26: model-unknown-key: entities[0].parnt: There is no key \"parnt\" here. "
      + "Did you mean \"parent\"?"
    #expect(lines.first == expected)
  }

  @Test("MDL-384, DGN-122: damaged files are problems, never a trap", arguments: TestSeed.sequence(400))
  func damagedFiles(seed: TestSeed) throws {
    var generator = seed.generator
    var bytes = try [UInt8](Data(contentsOf: Repository.models.appendingPathComponent("company.json")))
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(Array("{}[\",9".utf8)[place % 6], at: place)
      default: bytes.removeLast(min(bytes.count - 1, Int.random(in: 1...40, using: &generator)))
      }
    }
    do {
      _ = try ManagedObjectModel(json: bytes)
    } catch {
      #expect(!error.problems.isEmpty, "\(seed)")
      #expect(error.problems.allSatisfy { $0.line != nil }, "\(seed)")
    }
  }
}
