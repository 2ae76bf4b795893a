import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("An ordered or limited export of a family")
struct ExportOrderTests {
  /// Cats and dogs have a `size` each, of different types; only birds have friends.
  private static let model = """
    { "name": "Zoo", "entities": [
      { "name": "Animal", "attributes": [ { "name": "name", "type": "string" } ] },
      { "name": "Cat", "parent": "Animal", "attributes": [ { "name": "size", "type": "int32" } ] },
      { "name": "Dog", "parent": "Animal", "attributes": [ { "name": "size", "type": "string" } ] },
      { "name": "Bird", "parent": "Animal", "attributes": [ { "name": "wings", "type": "decimal" } ],
        "relationships": [
          { "name": "friends", "destination": "Bird", "inverse": "friendOf", "toMany": true },
          { "name": "friendOf", "destination": "Bird", "inverse": "friends", "toMany": true } ] } ] }
    """
  private let folder: TransferFolder

  init() throws {
    folder = try TransferFolder(model: Self.model)
    try folder.load(
      """
      {"entity":"Cat","id":"c","name":"d","size":3}
      {"entity":"Dog","id":"d","name":"c","size":"big"}
      {"entity":"Bird","id":"b","name":"b","wings":"2.5"}
      {"entity":"Bird","id":"e","name":"e","wings":"2","friends":["b"]}
      {"entity":"Animal","id":"a","name":"a"}
      """, [])
  }

  @Test("Every object is written with all that its entity has")
  func order() throws {
    #expect(
      try folder.export(["Animal", "--sort", "name"]) == """
        {"id":"Animal/p5","name":"a"}
        {"id":"Bird/p3","name":"b","wings":"2.5","friends":[]}
        {"id":"Dog/p2","name":"c","size":"big"}
        {"id":"Cat/p1","name":"d","size":3}
        {"id":"Bird/p4","name":"e","wings":"2","friends":["Bird/p3"]}

        """)
    #expect(
      try folder.export(["Animal", "--sort", "-name", "--offset", "1", "--limit", "2"]) == """
        {"id":"Cat/p1","name":"d","size":3}
        {"id":"Dog/p2","name":"c","size":"big"}

        """)
  }

  @Test(
    "A window without an order leaves nothing out either",
    arguments: [["--limit", "100"], ["--offset", "0"]])
  func window(options: [String]) throws {
    let whole = try folder.export(["Animal"]).split(separator: "\n").sorted()
    let asked = try folder.export(["Animal"] + options).split(separator: "\n").sorted()
    #expect(asked == whole)
  }
}
