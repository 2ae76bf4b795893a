import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Importing by a key")
struct ImportKeyTests {
  let folder: TransferFolder

  init() throws {
    folder = try TransferFolder(model: TransferFolder.teams)
    try folder.load("{\"name\":\"old\",\"number\":7,\"wage\":3}\n", ["Person"])
  }

  private func people() throws -> String {
    try folder.export([
      "Person", "--sort", "number", "--fields", "number,name,wage", "--format", "csv", "--no-header",
    ])
  }

  @Test("OBJ-490, STO-305: an object of that key takes the values that the record has")
  func update() throws {
    try folder.load(
      "number,name\n007,new\n8,next\n", ["Person", "--key", "number", "--on-conflict", "update"],
      as: "input.csv")
    #expect(try people() == "7,new,3\n8,next,0\n")
  }

  @Test("Values that the record lacks return to their defaults with replace")
  func replace() throws {
    try folder.load(
      "{\"number\":7,\"name\":\"new\"}", ["Person", "--key", "number", "--on-conflict", "replace"])
    #expect(try people() == "7,new,0\n")
  }

  @Test("A record whose key exists is left out with ignore")
  func ignore() throws {
    try folder.load(
      "{\"number\":7,\"name\":\"new\"}\n{\"number\":8,\"name\":\"b\"}",
      ["Person", "--key", "number", "--on-conflict", "ignore"])
    #expect(try people() == "7,old,3\n8,b,0\n")
  }

  @Test("A record whose key exists is a failure by default, named with its line")
  func error() throws {
    let failure = folder.failure(
      "{\"number\":9,\"name\":\"b\"}\n{\"number\":7,\"name\":\"new\"}", ["Person", "--key", "number"])
    #expect(failure?.code == "constraint-conflict")
    #expect(failure?.location?.line == 2)
    #expect(try people() == "7,old,3\n")
  }

  @Test(
    "STO-304: a key that comes twice makes one object, in a batch and across batches",
    arguments: ["1", "1000"])
  func twins(size: String) throws {
    try folder.load(
      "{\"number\":8,\"name\":\"a\",\"wage\":1}\n{\"number\":8,\"name\":\"b\"}\n",
      ["Person", "--key", "number", "--on-conflict", "update", "--batch-size", size])
    #expect(try people() == "7,old,3\n8,b,1\n")
  }

  @Test("Without --key the one uniqueness constraint is the key")
  func constraint() throws {
    try folder.load("{\"number\":7,\"name\":\"new\"}", ["Person", "--on-conflict", "update"])
    #expect(try people() == "7,new,3\n")
  }

  // MARK: Several objects of one key

  /// Rejects of an import by the name, which two persons have.
  private func rejects(_ text: String, policy: String, commit: String) throws -> [[String: Any]] {
    try folder.load("{\"name\":\"twin\",\"number\":1}\n{\"name\":\"twin\",\"number\":2}\n", ["Person"])
    let code = try folder.load(
      text,
      [
        "Person", "--key", "name", "--on-conflict", policy, "--commit", commit, "--on-error", "skip",
        "--rejects",
        folder.path("rejects"),
      ])
    let rejects = try folder.read("rejects").split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    #expect(code == (rejects.isEmpty ? .success : .partial))
    return rejects
  }

  @Test(
    "A record whose key several objects have changes none of them",
    arguments: ["update", "replace"], ["all", "batch", "line"])
  func several(policy: String, commit: String) throws {
    let rejects = try rejects(
      "{\"name\":\"twin\",\"wage\":9}\n{\"name\":\"old\",\"wage\":8}\n", policy: policy, commit: commit)
    #expect(rejects.count == 1)
    #expect(rejects.first?["code"] as? String == "not-unique")
    #expect(rejects.first?["line"] as? Int == 1)
    #expect(rejects.first?["key"] as? String == "name")
    #expect((rejects.first?["message"] as? String)?.hasPrefix("Person: 2 objects have name \"twin\"") == true)
    #expect(rejects.first?["details"] as? [String] == ["Person/p2, Person/p3 have it"])
    #expect((rejects.first?["hints"] as? [String])?.first?.hasPrefix("take attributes for the key") == true)
    #expect((rejects.first?["row"] as? [String: Any])?["wage"] as? Int == 9)
    #expect(
      try folder.export([
        "Person", "--sort", "name,number", "--fields", "name,wage", "--format", "csv", "--no-header",
      ])
        == "old,8\ntwin,0\ntwin,0\n")
  }

  @Test("With error such a record is a conflict that names the objects")
  func severalWithError() throws {
    let rejects = try rejects("{\"name\":\"twin\"}\n", policy: "error", commit: "all")
    #expect(rejects.first?["code"] as? String == "constraint-conflict")
    #expect(rejects.first?["details"] as? [String] == ["Person/p2, Person/p3 have it"])
  }

  @Test(
    "With ignore such a record is left out, and its id means none of the objects", arguments: ["all", "line"])
  func severalIgnored(commit: String) throws {
    let rejects = try rejects(
      """
      {"name":"twin","id":"t"}
      {"name":"twin"}
      {"name":"a","number":3,"boss":"t"}
      {"name":"b","number":4}

      """, policy: "ignore", commit: commit)
    #expect(rejects.map { $0["line"] as? Int } == [3])
    #expect(rejects.first?["code"] as? String == "not-unique")
    #expect(rejects.first?["key"] as? String == "boss")
    #expect(try folder.count("Person") == 4)
  }

  @Test("An import that is to stop at errors stops at such a record")
  func severalAbort() throws {
    try folder.load("{\"name\":\"old\",\"number\":1}\n", ["Person"])
    let failure = folder.failure(
      "{\"name\":\"new\"}\n{\"name\":\"old\",\"wage\":4}\n",
      ["Person", "--key", "name", "--on-conflict", "update"])
    #expect(failure?.code == "not-unique")
    #expect(failure?.location?.line == 2)
    #expect(failure?.details == ["Person/p1, Person/p2 have it"])
    #expect(try folder.count("Person") == 2)
  }
}
