import Foundation
import Testing

@Suite("filter: what it prints")
struct FilterCommandTests {
  private let tool: CommandLineTool
  private let people = """
    {"name":"Ada","age":36, "tags":["a","b"]}
    { "name": "Bob", "age": 17 }
    {"name":"Cyd","age":52,"address":{"city":"Oslo"}}

    """

  init() throws { tool = try CommandLineTool() }

  @Test("Lines that match come out byte for byte, those without the key do not match")
  func lines() throws {
    let outcome = try tool.filter("age > 30", input: people)
    #expect(outcome.code == 0 && outcome.errors == "")
    #expect(
      outcome.output == """
        {"name":"Ada","age":36, "tags":["a","b"]}
        {"name":"Cyd","age":52,"address":{"city":"Oslo"}}

        """)
    #expect(try tool.filter("address.city == 'Oslo'", input: people).lines.count == 1)
    #expect(try tool.filter("address == nil", input: people).lines.count == 2)
  }

  @Test("TRUEPREDICATE gives every line as it was: carriage returns, spaces, a last line without its end")
  func identity() throws {
    let text = "{\"a\" :1}\r\n  [1,2]  \n\"x\\u0041\"\n1.50\n\nnull"
    #expect(
      try tool.filter("TRUEPREDICATE", input: text).output
        == "{\"a\" :1}\r\n  [1,2]  \n\"x\\u0041\"\n1.50\nnull\n")
  }

  @Test(
    "An array stays an array, with its white space",
    arguments: [
      ("[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]\n", "a > 0", nil),
      (
        "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]\n", "a == 2",
        "[\n  {\n    \"a\": 2\n  }\n]\n"
      ),
      ("[1, 2, 3]\n", "SELF > 1", "[2, 3]\n"), ("[1, 2, 3]\n", "SELF > 7", "[]\n"),
      ("  [ ]", "TRUEPREDICATE", "[]\n"), ("[1,\"a\",null,[2],{}]\n", "TRUEPREDICATE", nil),
    ] as [(String, String, String?)])
  func arrays(_ input: String, _ expression: String, _ expected: String?) throws {
    #expect(try tool.filter(expression, input: input).output == expected ?? input)
  }

  @Test("--ndjson and --json choose the form of the output")
  func forms() throws {
    let array = "[\n  {\"a\": 1,\n   \"b\": \"x  y\\\"\\n\"},\n  2\n]"
    #expect(
      try tool.filter("TRUEPREDICATE", "--ndjson", input: array).output
        == "{\"a\":1,\"b\":\"x  y\\\"\\n\"}\n2\n")
    #expect(try tool.filter("SELF > 1", "--json", input: "1\n2\n3\n").output == "[\n  2,\n  3\n]\n")
    #expect(try tool.filter("SELF > 9", "--json", input: "1\n").output == "[]\n")
    let windows = "{\"a\":1}\r\n  {\"a\":2} \r\n"
    let lines = "[\n  {\"a\":1},\n  {\"a\":2}\n]\n"
    #expect(try tool.filter("YES", "--json", input: windows).output == lines)
    #expect(try tool.filter("YES", "--json", "--sort", "a", input: windows).output == lines)
    #expect(try tool.filter("SELF > 1", "--json", "--ndjson", input: "1\n").code == 64)
  }

  @Test("--from says what the bytes do not: one value over lines, one array a line")
  func from() throws {
    #expect(
      try tool.filter("a == 1", "--from", "json", input: "{\n\"a\": 1\n}\n").output == "{\n\"a\": 1\n}\n")
    #expect(
      try tool.filter("SELF[FIRST] == 3", "--from", "ndjson", input: "[1,2]\n[3,4]\n").output == "[3,4]\n")
    try tool.write("[1,2]\n[3,4]\n", to: "pairs.ndjson")
    #expect(try tool.filter("SELF[LAST] == 2", "pairs.ndjson").output == "[1,2]\n")
    #expect(try tool.filter("a == 1", "--from", "csv").code == 64)
  }

  @Test("--count, --invert, --limit and --sort, alone and together")
  func options() throws {
    let numbers = "3\n1\n2\n5\n4\n"
    #expect(try tool.filter("SELF > 2", "--count", input: numbers).output == "3\n")
    #expect(try tool.filter("SELF > 2", "--invert", input: numbers).output == "1\n2\n")
    #expect(try tool.filter("SELF > 2", "--limit", "2", input: numbers).output == "3\n5\n")
    #expect(try tool.filter("SELF > 2", "--limit", "0", input: numbers).output == "")
    #expect(try tool.filter("SELF > 2", "--sort", "-SELF", input: numbers).output == "5\n4\n3\n")
    #expect(try tool.filter("SELF > 2", "--sort", "-SELF", "--limit", "1", input: numbers).output == "5\n")
    #expect(
      try tool.filter("SELF > 2", "--invert", "--count", "--exit-code", input: numbers).output == "2\n")
    #expect(try tool.filter("SELF > 2", "--count", "--limit", "2", input: numbers).output == "2\n")
    #expect(try tool.filter("SELF > 2", "--limit", "-1").code == 64)
    #expect(try tool.filter("SELF > 2", "--count", "--json").code == 64)
  }

  @Test("--sort takes key paths and comparators, is stable, and puts kinds one behind the other")
  func sort() throws {
    let outcome = try tool.filter("TRUEPREDICATE", "--sort", "address.city,-age", input: people)
    #expect(
      outcome.lines.map { $0.contains("Ada") ? "A" : $0.contains("Bob") ? "B" : "C" } == ["A", "B", "C"])
    let mixed = "\"b\"\n2\nnull\n\"a\"\n[]\n1.5\n{\"x\":1}\ntrue\n"
    #expect(
      try tool.filter("TRUEPREDICATE", "--sort", "SELF", input: mixed).output
        == "null\ntrue\n1.5\n2\n\"a\"\n\"b\"\n[]\n{\"x\":1}\n")
    let words = "\"b\"\n\"A\"\n\"a\"\n\"B\"\n"
    #expect(
      try tool.filter("TRUEPREDICATE", "--sort", "SELF:caseInsensitive", input: words).output
        == "\"A\"\n\"a\"\n\"b\"\n\"B\"\n")
    #expect(try tool.filter("SELF < 9", "--sort", "-SELF", input: "[1, 3,\n2]").output == "[3,\n2,\n1]\n")
  }

  @Test("--exit-code answers 2 when nothing matched; with --quiet it prints nothing")
  func exitCode() throws {
    #expect(try tool.filter("SELF > 9", input: "1\n").code == 0)
    #expect(try tool.filter("SELF > 9", "--exit-code", input: "1\n").code == 2)
    #expect(try tool.filter("SELF > 0", "--exit-code", input: "1\n").code == 0)
    let quiet = try tool.filter("SELF > 0", "--exit-code", "--quiet", input: "1\nbroken\n")
    #expect(quiet.code == 0 && quiet.output == "" && quiet.errors == "")
  }

  @Test("--output writes a file that appears when it is whole; --time says how it went")
  func output() throws {
    let outcome = try tool.filter("SELF > 1", "-o", "out.ndjson", "--time", input: "1\n2\n3\n")
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("2 of 3 records, "))
    #expect(try tool.runShell("cat out.ndjson").output == "2\n3\n")
    #expect(try tool.filter("SELF > 1", "-o", "out.ndjson", "-y", input: "9\nx\n").code == 65)
    #expect(try tool.runShell("cat out.ndjson; ls -A").lines == ["2", "3", "out.ndjson"])
  }

  @Test("No store, no model, and no configuration for one is needed")
  func storeless() throws {
    tool.environment["GRAPHSTORE_STORE"] = "nowhere.db"
    #expect(try tool.filter("SELF == 1", input: "1\n").output == "1\n")
  }

  @Test("Records come out as they come in, before the input ends")
  func streaming() throws {
    let line = """
      { echo 1; for i in $(seq 500); do grep -q 1 out && break; sleep 0.02; done; \
      grep -q 1 out && echo 2 || echo 3; } | graphstore filter 'SELF > 0' > out; cat out
      """
    #expect(try tool.runShell(line).output == "1\n2\n")
  }

  @Test("A reader that goes away ends the command with 141, and a full disk with 74")
  func closedPipe() throws {
    let pipe = try tool.runShell(
      "{ yes 1 2>/dev/null | graphstore filter 'SELF == 1'; echo $? > code; } | head -1; cat code")
    #expect(pipe.output == "1\n141\n")
    #expect(pipe.errors == "")
    #expect(try tool.runShell("echo 1 | graphstore filter 'SELF == 1' > /dev/full").code == 74)
  }

  @Test("In a script and in a session filter works as outside")
  func script() throws {
    let tool = try CommandLineTool.company()
    try tool.write("1\n2\n", to: "numbers.ndjson")
    let outcome = try tool.run("run", "-c", "filter 'SELF > 1' numbers.ndjson")
    #expect(outcome.output == "2\n" && outcome.code == 0)
    let failed = try tool.run("run", "-c", "filter 'SELF >' numbers.ndjson")
    #expect(failed.code == 65)
    #expect(failed.errors.contains("[predicate-syntax]"))
  }
}
