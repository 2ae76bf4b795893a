import Testing

@Suite("Fields and keys with the names of words, and upsert by what an object refers to")
struct ReservedWordFieldTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Shop", "entities": [
        {"name": "Order", "attributes": [
            {"name": "no", "type": "int32"}, {"name": "yes", "type": "int32"}, {"name": "any", "type": "int32"},
            {"name": "isDeleted", "type": "boolean"}],
          "relationships": [{"name": "lines", "destination": "Line", "inverse": "order", "toMany": true}]},
        {"name": "Line", "attributes": [{"name": "part", "type": "string"}, {"name": "pieces", "type": "int16"}],
          "relationships": [{"name": "order", "destination": "Order", "inverse": "lines"}],
          "uniquenessConstraints": [["order", "part"]]}]}
      """, to: "shop.json")
    #expect(try run("init", "shop.db", "--model", "shop.json").code == 0)
    #expect(try run("insert", "Order", "no=7", "yes=8", "any=9", "isDeleted=true").output == "Order/p1\n")
  }

  private func run(_ words: String...) throws -> CommandLineTool.Outcome {
    let store = words[0] == "init" ? [] : ["--store", "shop.db"]
    return try tool.run(CommandLineTool.executable.path, words + store, input: nil)
  }

  @Test(
    "A field is a key path in every command, whatever word it begins with",
    arguments: ["no", "yes", "any", "SELF.no", "isDeleted"])
  func fields(_ field: String) throws {
    let value = ["no": "7", "SELF.no": "7", "yes": "8", "any": "9", "isDeleted": "true"][field] ?? ""
    for words in [["fetch", "Order"], ["get", "Order/p1"]] {
      for fields in [field, "\(field),lines"] {
        let outcome = try tool.run(
          CommandLineTool.executable.path, words + ["--fields", fields, "--ndjson", "--store", "shop.db"],
          input: nil)
        #expect(outcome.output.contains("\"\(field)\":\(value)"), "\(words) \(fields): \(outcome)")
      }
    }
  }

  @Test("MDL-064: an attribute named like a member of every object is fetched by and exported")
  func reservedName() throws {
    #expect(try run("count", "Order", "--where", "isDeleted == YES").output == "1\n")
    #expect(try run("export", "Order", "--format", "ndjson").output.contains("\"isDeleted\":true"))
  }

  @Test("MDL-291: upsert finds by a constraint with a to-one, and a second object is refused")
  func upsert() throws {
    #expect(try run("upsert", "Line", "order=Order/p1", "part=x", "pieces=1").output == "Line/p1\n")
    #expect(try run("upsert", "Line", "order=Order/p1", "part=x", "pieces=2").output == "Line/p1\n")
    #expect(try run("get", "Line/p1", "--fields", "pieces", "--ndjson").output.contains("\"pieces\":2"))
    #expect(try run("upsert", "Line", "--key", "order", "order=Order/p1", "pieces=3").output == "Line/p1\n")
    let second = try run("insert", "Line", "order=Order/p1", "part=x")
    #expect(second.code == 65 && second.errors.contains("order Order/p1"), "\(second)")
    #expect(try run("count", "Line").output == "1\n")
  }
}
