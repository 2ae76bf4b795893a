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
}
