import Foundation
import GraphStorePredicates
import GraphStoreTestSupport
import Testing

@testable import GraphStoreModel

@Suite("The check of models")
struct ModelLintTests {
  @Test("MDL-341: every rule has a name of its own, and says what it finds, why, and what to do")
  func descriptions() {
    let rules = ModelLinter.rules
    #expect(Set(rules.map(\.id)).count == rules.count)
    for rule in rules {
      #expect(rule.id.allSatisfy { $0.isLowercase || $0 == "-" }, "\(rule.id)")
      for text in [rule.explanation, rule.reason, rule.remedy] {
        #expect(text.hasSuffix("."), "\(rule.id)")
        #expect(text.first.map { $0.isUppercase || $0.isNumber } == true, "\(rule.id)")
      }
      #expect(ModelLinter.rule(named: rule.id) == rule)
      #expect(rule.silencing == "\"checkIgnore\": [\"\(rule.id)\"]")
    }
  }

  private let many = RelationshipDefinition("many", to: "A", isToMany: true)

  @Test("MDL-354: a rule is silenced by the user info of the model, an entity or a property")
  func silenced() {
    let ignored: [String: JSONValue] = ["checkIgnore": ["one-way-to-many"]]
    func count(_ change: (inout ModelDefinition) -> Void) -> Int {
      var definition = ModelDefinition(entities: [
        EntityDefinition("A", relationships: [many]), EntityDefinition("B", relationships: [many]),
      ])
      change(&definition)
      return places("one-way-to-many", definition).count
    }
    #expect(count { _ in } == 2)
    #expect(count { $0.userInfo = ignored } == 0)
    #expect(count { $0.entities[0].userInfo = ignored } == 1)
    #expect(count { $0.entities[1].relationships[0].userInfo = ignored } == 1)
    #expect(count { $0.userInfo = ["checkIgnore": ["missing-inverse"]] } == 2)
    #expect(count { $0.userInfo = ["checkIgnore": "missing-inverse, one-way-to-many"] } == 0)
  }

  @Test("MDL-354: findings in attributes, their elements and requests are silenced where they belong")
  func silencedElsewhere() {
    let ignored: [String: JSONValue] = ["checkIgnore": ["inline-binary", "unindexed-search-key"]]
    let element = AttributeDefinition("photo", .binary)
    for silent in [AttributeDefinition("c", .composite, elements: [element], userInfo: ignored)] {
      #expect(places("inline-binary", attributes: silent) == [])
    }
    let inner = AttributeDefinition("photo", .binary, userInfo: ignored)
    #expect(places("inline-binary", attributes: .init("c", .composite, elements: [inner])) == [])
    let request = FetchRequestDefinition("f", entity: "A", predicate: "x == $X")
    let definition = ModelDefinition(
      entities: [EntityDefinition("A", attributes: [.init("x", .string)], userInfo: ignored)],
      fetchRequests: [request])
    #expect(places("unindexed-search-key", definition) == [])
  }

  @Test("MDL-354: a word that is no rule's name silences nothing and is found, with the nearest name")
  func unknownIgnored() {
    let found = ModelLinter().findings(
      in: ModelDefinition(entities: [
        EntityDefinition("A", userInfo: ["checkIgnore": ["missing-invers", "name-style"]]),
        EntityDefinition("B", userInfo: ["checkIgnore": 7]),
      ]))
    #expect(
      found.map(\.description) == [
        "warning: unknown-ignored: entities[0].userInfo.checkIgnore: There is no rule \"missing-invers\". "
          + "Write \"missing-inverse\".",
        "warning: unknown-ignored: entities[1].userInfo.checkIgnore: \"checkIgnore\" is no list of names of rules. "
          + "Write the names of rules as the list of rules has them.",
      ])
  }

  @Test("MDL-342: problems are findings of severity error and cannot be silenced")
  func errors() {
    let found = ModelLinter().findings(
      in: ModelDefinition(
        entities: [EntityDefinition("A", relationships: [.init("x", to: "B", inverse: "y")])],
        userInfo: ["checkIgnore": ["model-unknown-entity"]]))
    #expect(found.filter { $0.severity == .error }.map(\.code) == ["model-unknown-entity"])
  }

  @Test("MDL-355: errors and warnings come mixed, in the order of the document, the same on every run")
  func documentOrder() {
    let json = """
      {"fetchRequests": [{"name": "f", "entity": "Nothing"}],
       "entities": [
        {"name": "person", "relationships": [{"name": "x", "destination": "person"}]},
        {"name": "B", "abstract": true, "attributes": [{"name": "n", "type": "int16", "default": 99999}]}]}
      """
    let found = ModelLinter().findings(inJSON: Array(json.utf8))
    #expect(found.model == nil)
    #expect(
      found.findings.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.severity) \($0.code)" } == [
        "1:34 error model-unknown-entity", "3:4 warning name-style", "3:40 warning missing-inverse",
        "4:3 warning abstract-leaf", "4:81 error model-bad-value",
      ])
    for _ in 0..<3 { #expect(ModelLinter().findings(inJSON: Array(json.utf8)).findings == found.findings) }
  }

  @Test("MDL-361: text that is not JSON is a finding")
  func syntax() {
    let found = ModelLinter().findings(inJSON: Array("{".utf8)).findings
    #expect(found.map(\.code) == ["model-syntax"])
    #expect(found.map(\.severity) == [.error])
    #expect(found.first?.line == 1)
  }

  @Test("MDL-341: a rule that is disabled does not look, and without warnings only problems are found")
  func disabled() {
    let definition = ModelDefinition(entities: [EntityDefinition("A", relationships: [many])])
    var check = ModelLinter()
    check.disabledRules = ["one-way-to-many"]
    #expect(check.findings(in: definition) == [])
    check = ModelLinter()
    check.includesWarnings = false
    #expect(check.findings(in: definition) == [])
  }

  @Test("FET-154: stored requests of every result type are nothing to complain of")
  func resultTypes() throws {
    let definition = ModelDefinition(
      entities: [
        EntityDefinition(
          "A",
          attributes: [
            .init("n", .string), .init("lower", .string, derivation: "n:lowercase"),
          ])
      ],
      fetchRequests: [
        .init("objects", entity: "A", predicate: "n == 'a'"),
        .init("counts", entity: "A", resultType: .count),
        .init("some", entity: "A", properties: ["n"]),
        .init("derived", entity: "A", predicate: "lower == 'a'", sort: ["-lower"]),
        .init(
          "groups", entity: "A", sort: ["-rows"], resultType: .dictionaries,
          properties: ["n", .init("rows", expression: "count:(SELF)", type: .int32)], groupBy: ["n"],
          having: "$rows > 1"),
      ])
    var check = ModelLinter()
    check.includesWarnings = false
    #expect(check.findings(in: definition) == [])
  }

  @Test("An index whose expression or condition does not fit the types of its keys is found by every check")
  func badIndexes() {
    let definition = ModelDefinition(entities: [
      EntityDefinition(
        "A", attributes: [.init("n", .int32), .init("s", .string)],
        indexes: [
          .init("good", elements: [.init(expression: "lowercase:(s)")], predicate: "n > 3"),
          .init("bad", elements: [.init("s"), .init(expression: "lowercase:(n)")]),
          .init("worse", elements: [.init("s")], predicate: "n == 'x'"),
        ])
    ])
    var check = ModelLinter()
    check.includesWarnings = false
    #expect(
      check.findings(in: definition).map { "\($0.code) \($0.path)" } == [
        "index-cannot-be-made entities[0].indexes[1].elements[1].expression",
        "index-cannot-be-made entities[0].indexes[2].where",
      ])
  }

  @Test("No index is advised on a derived attribute, which nobody can search")
  func derivedIndex() {
    let requests = ["n == 'a'", "lower == 'a'"].map { FetchRequestDefinition($0, entity: "A", predicate: $0) }
    let definition = ModelDefinition(
      entities: [
        EntityDefinition(
          "A", attributes: [.init("n", .string), .init("lower", .string, derivation: "n:lowercase")])
      ],
      fetchRequests: zip(requests, ["one", "two"]).map { request, name in
        var request = request
        request.name = name
        return request
      })
    #expect(places("unindexed-search-key", definition) == ["fetchRequests[0].predicate"])
  }

  @Test("MDL-278: a strings file that cannot be parsed is an error of the check")
  func strings() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("Notes.json")
    try Data(#"{"entities":[{"name":"Note"}]}"#.utf8).write(to: file)
    let strings = folder.appendingPathComponent("NotesModel.strings")
    try Data(#""Entity/Note" = "Notiz";"#.utf8).write(to: strings)
    #expect(try ModelLinter().report(at: file.path).findings == [])
    try Data(#""Entity/Note" "Notiz";"#.utf8).write(to: strings)
    let found = try ModelLinter().report(at: file.path).findings
    #expect(found.map(\.code) == ["strings-unreadable"])
    #expect(found.map(\.severity) == [.error])
    #expect(found.first?.message.contains("NotesModel.strings:1:") == true)
  }

  @Test("PAT-001: the models of the repository leave nothing but what they silence themselves")
  func shippedModels() throws {
    for name in ["company", "packages"] {
      let bytes = try [UInt8](Data(contentsOf: Repository.models.appendingPathComponent("\(name).json")))
      let found = ModelLinter().findings(inJSON: bytes).findings
      #expect(found == [], "\(name): \(found.map(\.description).joined(separator: "\n"))")
    }
  }

  @Test("A model full of cascades is checked in time that grows with its size")
  func manyCascades() {
    let entities = (0..<1_500).map { number in
      EntityDefinition(
        "E\(number)",
        relationships: [
          .init("next", to: "E\((number + 1) % 1_500)", deleteRule: .cascade),
          .init("skip", to: "E\((number + 7) % 1_500)", isOptional: false, deleteRule: .deny),
        ])
    }
    let found = ModelLinter().findings(in: ModelDefinition(entities: entities))
    #expect(found.count { $0.code == "cascade-loop" } == 1)
    #expect(found.count { $0.code == "deny-ring" } == 1)
    #expect(found.count { $0.code == "missing-inverse" } == 3_000)
  }
}
