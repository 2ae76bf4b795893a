import GraphStoreReports
import Testing

@testable import GraphStoreCommands

@Suite("What an import reads, and what it says")
struct ImportInputTests {
  let folder: TransferFolder

  init() throws { folder = try TransferFolder(model: TransferFolder.teams) }

  private func people(_ fields: String) throws -> String {
    try folder.export(["Person", "--fields", fields, "--format", "csv", "--no-header"])
  }

  @Test("Unknown columns are one error at the header, which proposes what they may be")
  func header() throws {
    let failure = folder.failure("Nam,Num-Br,what,wage\na,1,2,3\nb,1,2,3\n", ["Person"], as: "input.csv")
    #expect(failure?.code == "unknown-key")
    #expect(failure?.location?.line == 1)
    #expect(failure?.message.contains("\"Nam\", \"Num-Br\", \"what\"") == true)
    #expect(failure?.hints.contains("perhaps --map Nam=name --map Num-Br=number") == true)
    #expect(failure?.hints.contains { $0.contains("--ignore-unknown") } == true)
  }

  @Test("An empty table is checked as well")
  func emptyTable() throws {
    #expect(folder.failure("zork\n", ["Person"], as: "input.tsv")?.code == "unknown-key")
  }

  @Test("Unknown names are left out where that is asked for", arguments: ["input.csv", "input.ndjson"])
  func ignored(name: String) throws {
    let text = name == "input.csv" ? "name,zork\na,1\n" : "{\"name\":\"a\",\"zork\":1}\n"
    try folder.load(text, ["Person", "--ignore-unknown"], as: name)
    #expect(try people("name") == "a\n")
  }

  @Test("A column that takes no values is refused at the header")
  func unheldColumn() throws {
    let folder = try TransferFolder(
      model: """
        { "name": "M", "entities": [ { "name": "T", "attributes": [
          { "name": "a", "type": "int16" }, { "name": "tmp", "type": "string", "transient": true },
          { "name": "d", "type": "transformable", "transformer": "Color" } ] } ] }
        """)
    #expect(folder.failure("a,tmp\n1,\n", ["T"], as: "input.csv")?.location?.line == 1)
    let failure = folder.failure("a,d\n1,\n2,AAEC\n", ["T"], as: "input.csv")
    #expect(failure?.code == "transformer-missing" && failure?.location?.line == 3)
    #expect(folder.failure("a,tmp\n1,x\n", ["T"], as: "input.csv")?.code == "read-only-property")
    #expect(folder.failure("{\"tmp\":\"x\"}\n", ["T"])?.code == "read-only-property")
    #expect(throws: Diagnostic.self) { try folder.run(["insert", "T", "a=1", "tmp=x"]) }
    #expect(try folder.count("T") == 0)
  }

  @Test("Cells may be separated by another character, a tab too", arguments: [";", "|", "\\t"])
  func delimiter(text: String) throws {
    let separator = text == "\\t" ? "\t" : text
    let table = "name;number;wage\n\"a;b\";5;1.5\nc,d;;2\n".replacing(";", with: separator)
    try folder.load(table, ["Person", "--delimiter", text], as: "input.txt")
    let name = "a;b".replacing(";", with: separator)
    #expect(try people("number,wage,name") == "5,1.5,\(name)\n,2,\"c,d\"\n")
  }

  @Test(
    "A delimiter that nobody has said is found in the table",
    arguments: [
      ("\n\r\nname;number;wage\n\"a,b\";5;1\n", "5,1,\"a,b\"\n"),
      ("name\tnumber\twage\r\na;b\t5\t1\r\n", "5,1,a;b\n"),
      ("\"name\"|number|\"wage\"\na|5|1\n", "5,1,a\n"), ("\u{FEFF}name;number|wage;boss\na;5;\n", nil),
      ("name;number;boss, of all\na;5;\n", nil), ("name;number;wage\na;5;1,5\n", nil),
      ("name, or;number;wage\na;5;1\n", nil), ("name\na;b\n", ",0,a;b\n"),
      ("\"name\",number\na;b,5\n", "5,0,a;b\n"), ("name,number;x\na,5\n", nil),
    ] as [(String, String?)])
  func foundDelimiter(table: String, people expected: String?) throws {
    guard let expected else {
      #expect(throws: Diagnostic.self) { try folder.load(table, ["Person"], as: "input.csv") }
      return
    }
    try folder.load(table, ["Person"], as: "input.csv")
    #expect(try people("number,wage,name") == expected)
  }

  @Test(
    "Where a header has several that may divide it, the rows say which, and else what it has most often",
    arguments: [
      ("a;b, c;d\n1;2,5;3\n4;5,5;6\n", ";"), ("a,b (x;y;z)\n1,2\n", ","), ("a;b,c\n1;2\n", ";"),
      ("a;b,c\n1,2\n", ","),
      ("a;b,c\n", ","), ("a;b;c,d\n", ";"), ("a,b\n", ","), ("a\n1;2\n", nil), ("\"a;b\",c;d\n1;2\n", ";"),
      ("a|b;c\n\n\"1|\n;\"|2;3\n1|2;\"x\"\"|\"\n", ";"),
    ] as [(String, String?)])
  func severalDelimiters(table: String, expected: String?) {
    #expect(CSVDelimiter(dividing: table)?.text == expected)
  }

  @Test("What is put aside of a table is read again by the delimiter that was found")
  func spooledDelimiter() throws {
    try folder.load("id;name;boss\n1;a;2\n2;b;\n", ["Person", "--commit", "line"], as: "input.csv")
    #expect(try people("name,boss.name") == "b,\na,b\n")
  }

  @Test("A delimiter is one ASCII character", arguments: ["", "ab", "é", "\"", "x", "1"])
  func wrongDelimiter(text: String) throws {
    #expect(throws: (any Error).self) {
      try folder.load("name\na\n", ["Person", "--delimiter", text], as: "input.csv")
    }
  }

  @Test("Several files are one input: references cross them, and errors name the file")
  func severalFiles() throws {
    try folder.write("a.ndjson", "{\"entity\":\"Person\",\"id\":1,\"name\":\"a\",\"boss\":2}\n")
    try folder.write("b.csv", "entity,id,name\nPerson,2,b\n")
    try folder.run(["import", "--all", folder.path("a.ndjson"), folder.path("b.csv")])
    #expect(try people("name,boss.name") == "a,b\nb,\n")
    try folder.write("c.ndjson", "{\"name\":\"\"}\n")
    do {
      try folder.run([
        "import", "Person", folder.path("a.ndjson"), folder.path("c.ndjson"), "--commit", "all",
      ])
      Issue.record("the import is to fail")
    } catch {
      let diagnostic = DiagnosticMapper.diagnostic(for: error)
      #expect(
        diagnostic.details.contains { $0.contains("c.ndjson:1") }
          || diagnostic.location?.file.hasSuffix("ndjson") == true)
    }
    #expect(try folder.count("Person") == 2)
  }

  @Test("Ids may be numbers, and each tree of entities has its own")
  func numberedIDs() throws {
    try folder.load(
      """
      {"entity":"Team","id":1,"name":"T1"}
      {"entity":"Team","id":2,"name":"T2","people":[2]}
      {"entity":"Person","id":1,"name":"a","team":1,"boss":2}
      {"entity":"Person","id":2,"name":"b","tags":[1,2]}
      {"entity":"Tag","id":1,"name":"x"}
      {"entity":"Tag","id":2,"name":"y"}

      """, [])
    #expect(try people("name,team.name,boss.name") == "a,T1,b\nb,T2,\n")
    let failure = folder.failure("{\"name\":\"c\",\"boss\":5.5}\n", ["Person"])
    #expect(failure?.code == "value-type")
    #expect(failure?.message.contains("Person/p1") == true)
  }

  @Test("Numbers become keys with --keep-ids")
  func keptNumbers() throws {
    try folder.load(
      "{\"id\":41,\"name\":\"a\",\"boss\":50}\n{\"id\":50,\"name\":\"b\"}\n", ["Person", "--keep-ids"])
    #expect(try people("id,boss") == "Person/p41,Person/p50\nPerson/p50,\n")
  }

  @Test("A record of another entity is refused where one entity is named")
  func otherEntity() throws {
    let failure = folder.failure("{\"entity\":\"Team\",\"name\":\"a\"}\n", ["Tag"])
    #expect(failure?.code == "wrong-destination")
    #expect(folder.failure("{\"entity\":\"Nosuch\",\"name\":\"a\"}\n", ["Tag"])?.code == "unknown-entity")
  }

  @Test(
    "A conflict names the record that has the value, in the same batch and before", arguments: ["1", "1000"])
  func twin(size: String) throws {
    for key in [[], ["--key", "number"]] {
      let failure = folder.failure(
        "{\"name\":\"x\",\"number\":4}\n{\"name\":\"a\",\"number\":1}\n{\"name\":\"b\",\"number\":1}\n",
        ["Person", "--batch-size", size] + key)
      #expect(failure?.location?.line == 3)
      #expect(failure?.details == ["the record of line 2 has it"])
    }
  }

  @Test("An import by line that fails says what stays")
  func stays() throws {
    let text = "{\"name\":\"a\"}\n{\"name\":\"b\"}\n{\"name\":\"\"}\n"
    let failure = folder.failure(text, ["Person", "--commit", "line"])
    #expect(failure?.hints.contains("nothing was written") == false)
    #expect(failure?.hints.contains("2 records were committed before and stay") == true)
    #expect(try folder.count("Person") == 2)
  }

  @Test("By batch a record that refers to a later one is committed with the others that wait")
  func waiting() throws {
    let text =
      "{\"id\":1,\"name\":\"a\",\"boss\":2}\n{\"id\":2,\"name\":\"b\"}\n{\"id\":3,\"name\":\"c\",\"boss\":1}\n"
    try folder.load(text, ["Person", "--commit", "line"])
    #expect(try people("name,boss.name") == "b,\na,b\nc,a\n")
    let failure = folder.failure(text + "{\"name\":\"\"}\n", ["Person", "--commit", "line"])
    #expect(failure?.hints.contains("2 records waited for what they refer to and were not written") == true)
    #expect(try folder.count("Person") == 4)
  }

  @Test("A folder needs --all")
  func folderForOne() throws {
    let failure = #expect(throws: Diagnostic.self) { try folder.run(["import", "Person", folder.path("")]) }
    #expect(failure?.code == "is-directory")
  }

  @Test("Off a terminal the last line says what was done, or would be", arguments: [false, true])
  func summary(isDry: Bool) throws {
    let tool = try CommandLineTool.company()
    let input = "{\"name\":\"A\"}\n{\"name\":\"B\"}\n"
    let dry = isDry ? ["-n"] : []
    let outcome = try tool.run(
      CommandLineTool.executable.path, ["import", "Department", "-"] + dry, input: .init(input.utf8))
    #expect(outcome.code == 0)
    let wanted = isDry ? "2 read: 2 would be inserted" : "2 read: 2 inserted"
    #expect(outcome.errors.hasPrefix(wanted), "\(outcome.errors)")
    let quiet = try tool.run(
      CommandLineTool.executable.path, ["import", "Department", "-", "--quiet"] + dry,
      input: .init("{\"name\":\"C\"}\n".utf8))
    #expect(quiet.errors.isEmpty)
  }

  @Test("Counts that are wrong are told as such", arguments: ["--batch-size", "--stop-after"])
  func counts(option: String) throws {
    let tool = try CommandLineTool.company()
    let outcome = try tool.run("import", "Department", "x.csv", option, "-1")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("\(option) takes"))
  }

  @Test("A delimiter needs a file of CSV, which may stand beside others")
  func delimiterWithoutTable() throws {
    try folder.write("a.csv", "name;number\na;1\n")
    for options in [[folder.path("input.ndjson")], [folder.path("a.csv"), "--from", "tsv"]] {
      try folder.write("input.ndjson", "{\"name\":\"b\"}\n")
      do {
        try folder.run(["import", "Person", "--delimiter", ";"] + options)
        Issue.record("the import is to fail")
      } catch {
        let diagnostic = DiagnosticMapper.diagnostic(for: error)
        #expect(diagnostic.exitCode == .usage)
        #expect(diagnostic.message.hasPrefix("--delimiter is for CSV, and "))
        #expect(diagnostic.hints == ["leave --delimiter out, or say --from csv"])
      }
    }
    try folder.run([
      "import", "Person", "--delimiter", ";", folder.path("a.csv"), folder.path("input.ndjson"),
    ])
    #expect(try people("name,number") == "a,1\nb,\n")
  }
}
