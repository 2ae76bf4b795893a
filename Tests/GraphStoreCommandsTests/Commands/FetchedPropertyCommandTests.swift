import Testing

@Suite("Fetched properties in commands")
struct FetchedPropertyCommandTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Library", "entities": [
        {"name": "Shelf", "attributes": [{"name": "topic", "type": "string"}],
          "fetchedProperties": [{"name": "books", "entity": "Book", "sort": ["-title"],
            "predicate": "topic == $FETCH_SOURCE.topic"}]},
        {"name": "Book", "attributes": [
          {"name": "title", "type": "string"}, {"name": "topic", "type": "string"}]}]}
      """, to: "library.json")
    #expect(try tool.run("init", "library.db", "--model", "library.json").code == 0)
    for words in [
      ["Shelf", "topic=sea"], ["Shelf", "topic=air"], ["Book", "title=Whales", "topic=sea"],
      ["Book", "title=Ships", "topic=sea"],
    ] {
      #expect(try run(["insert"] + words).code == 0)
    }
  }

  private func run(_ words: [String]) throws -> (code: Int32, output: String, errors: String) {
    let outcome = try tool.run(
      CommandLineTool.executable.path, words + ["--store", "library.db"], input: nil)
    return (outcome.code, outcome.output, outcome.errors)
  }

  @Test("REL-360: --fields prints what a fetched property finds, and key paths through it, in its order")
  func fields() throws {
    let all = try run([
      "fetch", "Shelf", "--sort", "objectID", "--fields", "books,books.title,books.@count", "--ndjson",
    ])
    #expect(
      all.output == """
        {"id":"Shelf/p1","books":["Book/p1","Book/p2"],"books.title":["Whales","Ships"],"books.@count":2}
        {"id":"Shelf/p2","books":[],"books.title":[],"books.@count":0}

        """)
    let one = try run(["get", "Shelf/p1", "--fields", "books.title", "--json"])
    #expect(one.output.contains("\"books.title\":[\"Whales\",\"Ships\"]"), "\(one.output)")
    // Unasked it is not printed: it is a query.
    let plain = try run(["fetch", "Shelf", "--limit", "1", "--ndjson"])
    #expect(plain.output == "{\"id\":\"Shelf/p1\",\"topic\":\"sea\"}\n")
  }

  @Test("MDL-227, DGN-161, REL-356: conditions, orders and changes refuse it, each saying so")
  func refusals() throws {
    for words in [["--where", "books.@count > 1"], ["--sort", "books.@count"]] {
      let refused = try run(["fetch", "Shelf"] + words)
      #expect(refused.code == 64)
      #expect(refused.errors.contains("transient-in-fetch"), "\(refused.errors)")
      #expect(refused.errors.contains("books"))
    }
    let written = try run(["update", "Shelf/p1", "books=Book/p1"])
    #expect(written.code != 0)
    #expect(written.errors.contains("books"), "\(written.errors)")
  }
}
