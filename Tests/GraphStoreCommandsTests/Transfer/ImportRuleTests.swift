import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Predicates of relationships hold for imports")
struct ImportRuleTests {
  private static let model = """
    { "name": "Team", "entities": [
      { "name": "Person", "attributes": [ { "name": "name", "type": "string" }, { "name": "age", "type": "int16" } ],
        "relationships": [
          { "name": "lead", "destination": "Person", "inverse": "team", "validations": [{ "predicate": "age >= 18" }] },
          { "name": "team", "destination": "Person", "inverse": "lead", "toMany": true,
            "validations": [{ "predicate": "SELF.@count != 3" }] } ] } ] }
    """

  /// What is rejected, by line, when a text is imported in batches of a size.
  private func rejected(_ text: String, batch size: String) throws -> (lines: [Int], people: Int) {
    let folder = try TransferFolder(model: Self.model)
    let rejects = folder.path("rejects")
    let status = try folder.load(
      text, ["--on-error", "skip", "--rejects", rejects, "--yes", "--batch-size", size])
    let rows = FileManager.default.fileExists(atPath: rejects) ? try folder.read("rejects") : ""
    let lines = try rows.split(separator: "\n").compactMap {
      (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["line"] as? Int
    }
    #expect(status == (lines.isEmpty ? .success : .partial))
    return (lines, try folder.count("Person"))
  }

  @Test(
    "REL-149, OBJ-330: a destination that the predicate of a to-one forbids, before its record and behind it",
    arguments: ["1", "1000"])
  func toOne(_ size: String) throws {
    let result = try rejected(
      """
      {"entity":"Person","id":"young","name":"Y","age":17}
      {"entity":"Person","id":"a","name":"A","age":30,"lead":"young"}
      {"entity":"Person","id":"b","name":"B","age":30,"lead":"old"}
      {"entity":"Person","id":"c","name":"C","age":30,"lead":"later"}
      {"entity":"Person","id":"old","name":"O","age":40}
      {"entity":"Person","id":"later","name":"L","age":16}

      """, batch: size)
    #expect(result.lines == [2, 4] && result.people == 4)
  }

  @Test(
    "REL-149, OBJ-330: members that the predicate of a to-many forbids, once all are there",
    arguments: ["1", "1000"])
  func toMany(_ size: String) throws {
    let two = """
      {"entity":"Person","id":"boss","name":"Boss","age":50}
      {"entity":"Person","id":"a","name":"A","age":30,"lead":"boss"}
      {"entity":"Person","id":"b","name":"B","age":30,"lead":"boss"}

      """
    #expect(try rejected(two, batch: size) == ([], 3))
    let third = #"{"entity":"Person","id":"c","name":"C","age":30,"lead":"boss"}"# + "\n"
    #expect(try rejected(two + third, batch: size) == ([4], 3))
    let fourth = third.replacingOccurrences(of: #""c""#, with: #""d""#)
    #expect(try rejected(two + third + fourth, batch: size) == ([], 5))
  }

  @Test("REL-149: without skipping nothing is imported")
  func refused() throws {
    let folder = try TransferFolder(model: Self.model)
    let text = """
      {"entity":"Person","id":"young","name":"Y","age":17}
      {"entity":"Person","id":"a","name":"A","age":30,"lead":"young"}

      """
    #expect(throws: (any Error).self) { try folder.load(text, ["--yes"]) }
    #expect(try folder.count("Person") == 0)
  }
}
