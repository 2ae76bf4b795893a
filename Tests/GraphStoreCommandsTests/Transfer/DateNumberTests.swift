import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Numbers for dates in records")
struct DateNumberTests {
  private static let model = """
    { "name": "Times", "entities": [
      { "name": "Event", "attributes": [
        { "name": "n", "type": "int64" }, { "name": "time", "type": "date" } ] } ] }
    """
  private let folder: TransferFolder

  init() throws { folder = try TransferFolder(model: Self.model) }

  private func times() throws -> [String] {
    try folder.export(["Event", "--sort", "n", "--fields", "time", "-f", "csv", "--no-header"])
      .split(separator: "\n").map(String.init)
  }

  @Test("They are refused, with what to write and how to read them on purpose")
  func refused() throws {
    let failure = try #require(folder.failure(#"{"n":1,"time":1704067200}"#, ["Event"]))
    #expect(failure.code == "value-type")
    #expect(failure.message.contains("1704067200 is a number"))
    let hints = failure.hints.joined(separator: "\n")
    #expect(hints.contains("ISO 8601") && hints.contains("--dates seconds-1970"))
    #expect(try folder.count("Event") == 0)
  }

  @Test("Dates beyond every text go out and come in as numbers", arguments: ["ndjson", "json", "csv"])
  func beyondText(format: String) throws {
    try folder.load(#"{"n":1,"time":-1e300}"# + "\n" + #"{"n":2,"time":4e18}"#, ["Event"])
    let text = try folder.export(["Event", "--sort", "n", "--fields", "n,time", "-f", format])
    let other = try TransferFolder(model: Self.model)
    try other.load(text, ["Event", "--from", format])
    #expect(try other.export(["Event", "--sort", "n", "--fields", "n,time", "-f", format]) == text)
    #expect(text.contains("e+300") && text.contains("4e+18"))
  }

  @Test("--dates seconds-1970 counts as Unix does, without losing a digit of the fraction")
  func unix() throws {
    let records = """
      {"n":1,"time":1704067200}
      {"n":2,"time":1704067200.123}
      {"n":3,"time":-1}
      {"n":4,"time":1.7040672e9}
      {"n":5,"time":"2024-01-31"}
      {"n":6,"time":null}
      """
    try folder.load(records, ["Event", "--dates", "seconds-1970"])
    #expect(
      try times() == [
        "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.123Z", "1969-12-31T23:59:59Z", "2024-01-01T00:00:00Z",
        "2024-01-31T00:00:00Z",
      ])
  }

  @Test("--dates seconds-2001 counts as stores do, in cells of tables as well")
  func reference() throws {
    let table = "n,time\n1,725760000.5\n2,2024-01-31\n"
    try folder.load(table, ["Event", "--dates", "seconds-2001"], as: "events.csv")
    #expect(try times() == ["2024-01-01T00:00:00.5Z", "2024-01-31T00:00:00Z"])
  }

  @Test("A date beyond the calendar is written as a number, which --dates seconds-2001 reads back")
  func beyondCalendar() throws {
    let records = "{\"n\":1,\"time\":1e300}\n{\"n\":2,\"time\":-4e18}\n"
    try folder.load(records, ["Event", "--dates", "seconds-2001"])
    let exported = try folder.export(["Event"])
    #expect(exported.contains("\"time\":1e+300}") && exported.contains("\"time\":-4e+18}"))
    try folder.makeStore("copy.db")
    try folder.load(exported, ["Event", "--dates", "seconds-2001", "--keep-ids"], store: "copy.db")
    #expect(try folder.export(["Event"], store: "copy.db") == exported)
  }

  @Test("A number beyond all doubles, and a string of digits, are refused even then")
  func beyond() {
    for value in ["1e999", "\"1704067200\""] {
      let failure = folder.failure("{\"time\":\(value)}", ["Event", "--dates", "seconds-1970"])
      #expect(failure?.code == "value-type", "\(value)")
    }
  }
}
