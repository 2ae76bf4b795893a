import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Mapping files of JSON")
struct MappingFileTests {
  private func problems(_ text: String) -> [String] {
    errors(text).map { "\($0.code) \($0.path)" }
  }

  private func errors(_ text: String) -> [ModelProblem] {
    do {
      _ = try MappingFile(Array(text.utf8))
      return []
    } catch {
      return error.problems
    }
  }

  private static let full = """
    {
      "$schema": "x", "source": "1", "destination": "2", "complete": true,
      "entityMappings": [
        {
          "name": "All", "source": "A", "destination": "B", "type": "custom", "where": "n > 1", "policy": "P",
          "complete": true,
          "attributes": [
            { "name": "x", "value": "$source.y + 1", "userInfo": { "k": [1] } },
            { "name": "z", "value": null }, { "name": "w" }
          ],
          "relationships": [
            { "name": "r", "mapping": "All", "from": "$source.q" }, { "name": "s", "value": "$destination.r" }
          ],
          "userInfo": { "u": "v" }
        },
        { "source": "C", "destination": null }, { "source": null, "destination": "D" }, { "destination": "E" }
      ],
      "sourceHashes": { "A": "AAEC" }, "destinationHashes": { "B": "" }, "userInfo": { "note": "n" }
    }
    """

  @Test("MIG-132, MIG-133: every key is read")
  func keys() throws {
    let mapping = try MappingModel(json: Self.full.utf8)
    #expect(mapping.source == "1" && mapping.destination == "2" && mapping.isComplete)
    #expect(mapping.userInfo == ["note": "n"])
    #expect(mapping.sourceHashes == ["A": [0, 1, 2]] && mapping.destinationHashes == ["B": []])
    #expect(mapping.entityMappings.map(\.name) == ["All", "CTo", "ToD", "ToE"])
    let first = mapping.entityMappings[0]
    #expect(first.sourceEntityName == "A" && first.destinationEntityName == "B" && first.isComplete)
    #expect(first.kind == .custom && first.policyName == "P" && first.userInfo == ["u": "v"])
    #expect(first.filter == (try QueryPredicate(parsing: "n > 1")))
    #expect(
      first.attributeMappings == [
        PropertyMapping(
          "x", .expression(try QueryExpression(parsing: "$source.y + 1")), userInfo: ["k": [1]]),
        PropertyMapping("z", .none), PropertyMapping("w", .inferred),
      ])
    #expect(
      first.relationshipMappings == [
        PropertyMapping("r", .objects(ofMapping: "All", from: try QueryExpression(parsing: "$source.q"))),
        PropertyMapping("s", .expression(try QueryExpression(parsing: "$destination.r"))),
      ])
  }

  @Test("MIG-143: what was read is written so that it reads back to the same")
  func writing() throws {
    let mapping = try MappingModel(json: Self.full.utf8)
    let text = mapping.jsonData()
    #expect(try MappingModel(json: text) == mapping)
    #expect(try MappingModel(json: text).jsonData() == text)
    let empty = MappingModel(source: "1", destination: "2", entityMappings: [])
    #expect(
      String(decoding: empty.jsonData(), as: UTF8.self)
        == "{ \"source\": \"1\", \"destination\": \"2\", \"entityMappings\": [] }\n")
  }

  @Test(
    "MIG-134: what is wrong with the form has a code, a path and a place",
    arguments: [
      ("{", "mapping-syntax "), ("[]", "mapping-wrong-type "),
      (#"{"source":"1","destination":"2"}"#, "mapping-missing-key "),
      (
        #"{"source":"1","destination":"2","entityMapings":[],"entityMappings":[]}"#,
        "mapping-unknown-key entityMapings"
      ),
      (#"{"source":"1","source":"1","destination":"2","entityMappings":[]}"#, "mapping-duplicate-key source"),
      (#"{"source":1,"destination":"2","entityMappings":[]}"#, "mapping-wrong-type source"),
      (
        MappingSamples.file(#"{"source":"A"}"#), "mapping-missing-key entityMappings[0]"
      ),
      (
        MappingSamples.file(#"{"destination":"A","polcy":"x"}"#),
        "mapping-unknown-key entityMappings[0].polcy"
      ),
      (
        MappingSamples.file(#"{"destination":"A","type":"copied"}"#),
        "mapping-bad-value entityMappings[0].type"
      ),
      (
        MappingSamples.file(#"{"destination":"A","complete":"yes"}"#),
        "mapping-wrong-type entityMappings[0].complete"
      ),
      (
        MappingSamples.file(#"{"destination":"A","where":"a =="}"#),
        "mapping-bad-expression entityMappings[0].where"
      ),
      (
        MappingSamples.file(#"{"destination":"A","attributes":[{"name":"x","value":1}]}"#),
        "mapping-wrong-type entityMappings[0].attributes[0].value"
      ),
      (
        MappingSamples.file(#"{"destination":"A","attributes":[{"value":"1"}]}"#),
        "mapping-missing-key entityMappings[0].attributes[0]"
      ),
      (
        MappingSamples.file(#"{"destination":"A","attributes":[{"name":"x","mapping":"M","from":"1"}]}"#),
        "mapping-unknown-key entityMappings[0].attributes[0].mapping"
      ),
      (
        MappingSamples.file(#"{"destination":"A","relationships":[{"name":"x","value":"1 +"}]}"#),
        "mapping-bad-expression entityMappings[0].relationships[0].value"
      ),
      (
        MappingSamples.file(#"{"destination":"A","relationships":[{"name":"x","mapping":"M"}]}"#),
        "mapping-missing-key entityMappings[0].relationships[0]"
      ),
      (
        MappingSamples.file(
          #"{"destination":"A","relationships":[{"name":"x","value":null,"mapping":"M","from":"1"}]}"#),
        "mapping-not-applicable entityMappings[0].relationships[0].value"
      ),
      (
        MappingSamples.file(rest: #","sourceHashes":{"A":"?"}"#), "mapping-bad-value sourceHashes.A"
      ),
    ])
  func form(text: String, expected: String) {
    let found = errors(text)
    #expect(found.map { "\($0.code) \($0.path)" }.contains(expected), "\(found)")
    #expect(found.allSatisfy { $0.line == 1 && ($0.column ?? 0) > 0 })
  }

  @Test("MIG-134: all problems come at once, in the order of the file, with nearest names")
  func order() throws {
    let text = """
      {
        "source": "1",
        "destination": "2",
        "entityMappings": [
          { "destination": "A", "atributes": [] },
          { "destination": "B", "where": "x = = 1" }
        ],
        "complete": 1
      }
      """
    let found = errors(text)
    #expect(
      found.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.code)" } == [
        "5:27 mapping-unknown-key", "6:27 mapping-bad-expression", "8:3 mapping-wrong-type",
      ])
    #expect(found[0].suggestion == "attributes")
    #expect(found[1].offset == 4)
  }

  @Test("MIG-134: a file that is not there, a folder and a store are told apart")
  func places() throws {
    let folder = try TemporaryFolder()
    func code(_ path: String) -> String? {
      do {
        _ = try MappingModel(contentsOf: path)
        return nil
      } catch {
        return "\(error.code) \(error.number)"
      }
    }
    #expect(code(folder.path + "/none.json") == "mapping-not-found 260")
    #expect(code(folder.path) == "mapping-unreadable 136002")
    try folder.write("SQLite format 3\u{0}" + "\u{1}", to: "a.json")
    #expect(code(folder.path + "/a.json") == "mapping-syntax 136002")
    try folder.write(Data([0x62, 0x70, 0x6C, 0x69, 0x73, 0x74, 0x30, 0x30]), to: "a.cdm")
    #expect(code(folder.path + "/a.cdm") == "mapping-unreadable 136002")
    let path = try folder.write(MappingSamples.file(), to: "b.json")
    #expect(try MappingModel(contentsOf: path).source == "1")
    #expect(code(path) == nil)
  }

  @Test("MIG-134: every code of mappings is one of the list, and of no model")
  func codes() {
    let codes = ModelProblem.Code.mappingErrors
    #expect(Set(codes).count == codes.count && Set(codes).isDisjoint(with: ModelProblem.Code.errors))
    #expect(codes.allSatisfy { $0.rawValue.hasPrefix("mapping-") })
  }

  @Test("MIG-134: no text makes the reader trap", arguments: TestSeed.sequence(40))
  func mutations(_ seed: TestSeed) {
    var generator = seed.generator
    for _ in 0..<50 {
      var bytes = Array(Self.full.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        default: bytes.insert(contentsOf: "\"{[,:]}".utf8.shuffled(using: &generator).prefix(2), at: place)
        }
      }
      do throws(ModelError) {
        let mapping = try MappingFile(bytes).mapping
        #expect(try MappingFile(mapping.jsonData()).mapping == mapping, "\(seed)")
      } catch {
        #expect(
          !error.problems.isEmpty && error.problems.allSatisfy { $0.code.rawValue.hasPrefix("mapping-") })
      }
    }
  }
}
