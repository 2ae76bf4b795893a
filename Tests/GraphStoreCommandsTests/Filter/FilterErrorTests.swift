import Foundation
import Testing

@Suite("filter: errors, their places and exit codes")
struct FilterErrorTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool() }

  @Test("PRD-213: problems of the predicate are shown in its text, exit 64")
  func expression() throws {
    #expect(
      try tool.filter("age >", input: "x").errors == """
        error: expected a value after >, but the text ends   [predicate-syntax]
          age >
               ^

        """)
    for (text, code) in [
      ("", "predicate-syntax"), ("foo:(a) == 1", "unknown-function"),
      ("a MATCHES '('", "bad-regular-expression"),
      ("a == $x", "unbound-variable"), ("a BETWEEN $three", "type-mismatch"),
      ("FUNCTION(a, 'f') == 1", "unknown-function"),
      ("a UTI-EQUALS 'x'", "unsupported-function"), ("CAST(a, 'Foo') == 1", "unknown-type"),
      (String(repeating: "(", count: 2000) + "a", "predicate-too-deep"),
    ] {
      let outcome =
        text.contains("$three")
        ? try tool.filter(text, "--var", "three=[1,2,3]", input: "{}\n")
        : try tool.filter(text, input: "{}\n")
      #expect(outcome.code == 64, "\(text): \(outcome.errors)")
      #expect(outcome.errors.contains("[\(code)]"), "\(text): \(outcome.errors)")
      #expect(outcome.output == "")
    }
  }

  @Test("PRD-054, PRD-056: placeholders and arguments must agree")
  func argumentCount() throws {
    let none = try tool.filter("a == %@", input: "{}")
    #expect(none.code == 64 && none.errors.contains("[predicate-syntax]"))
    #expect(none.errors.contains("--arg"))
    let more = try tool.filter("a == %@", "--arg", "1", "--arg", "2")
    #expect(more.code == 64 && more.errors.contains("[argument-count]"))
    let type = try tool.filter("a == %d", "--arg", "\"x\"")
    #expect(type.code == 64 && type.errors.contains("[argument-type]"))
    #expect(try tool.filter("a == %@", "--arg", "{\"x\":1}").errors.contains("[argument-type]"))
  }

  @Test("A predicate that looks like an option is told how to be none")
  func leadingSign() throws {
    for arguments in [["filter", "-a > 3"], ["predicate", "print", "-a > 3"]] {
      let outcome = try tool.run(CommandLineTool.executable.path, arguments, input: nil)
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains("stands behind --, or in parentheses"), "\(outcome.errors)")
    }
    #expect(try tool.filter("--", "-a > 3", input: "{\"a\":-4}\n").output == "{\"a\":-4}\n")
    #expect(try tool.filter("(-a > 3)", input: "{\"a\":-4}\n").output == "{\"a\":-4}\n")
  }

  @Test("A value that is no JSON is shown with the way to write it")
  func values() throws {
    #expect(
      try tool.filter("a == $n", "--var", "n=Ada").errors == """
        error: --var n: expected a value, found "A"   [json-syntax]
          Ada
          ^
        hint: the value is JSON: write a text as '"Ada"'

        """)
    let argument = try tool.filter("a == %@", "--arg", "{\"$date\":\"tomorrow\"}")
    #expect(argument.code == 64)
    #expect(
      argument.errors == """
        error: --arg: $date holds a date in ISO 8601, such as "2024-05-01" or "2024-05-01T12:00:00Z"   [bad-tag]
          {"$date":"tomorrow"}
                   ^

        """)
    #expect(try tool.filter("a == $n", "--var", "n").code == 64)
    #expect(try tool.filter("a == $n", "--var", "n=").code == 64)
    #expect(try tool.filter("a == $n", "--var", "n=1 2").errors.contains("[json-syntax]"))
  }

  @Test("Problems of --sort are shown in its text")
  func sort() throws {
    let outcome = try tool.filter("a == 1", "--sort", "name:upwards", input: "{}\n")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("  name:upwards\n       ^^^^^^^\n"))
  }

  @Test(
    "DGN-218: broken JSON is named with line and column, exit 65; what matched before is printed",
    arguments: [
      ("1\n2\n{\"a\":}\n", "<stdin>:3:6: error: expected a value, found \"}\"   [json-syntax]"),
      ("1\n\n[1,\n", "<stdin>:3:4: error: the text ends where a value was expected   [json-syntax]"),
      ("1\n\"a\n", "<stdin>:2:3: error: the text ends inside of a string   [json-syntax]"),
      ("1\n01\n", "<stdin>:2:1: error: a number must not begin with 0   [json-syntax]"),
      ("1\n2 3\n", "<stdin>:2:3: error: there is text after the end of the value   [json-syntax]"),
      ("1\n\"é\" x\n", "<stdin>:2:5: error: there is text after the end of the value   [json-syntax]"),
      ("\u{FEFF}1\n\u{FEFF}1\n", "<stdin>:2:1: error: expected a value, found \"\u{FEFF}\"   [json-syntax]"),
    ])
  func brokenLines(_ input: String, _ expected: String) throws {
    let outcome = try tool.filter("SELF == 1", input: input)
    #expect(outcome.code == 65)
    #expect(outcome.errors.split(separator: "\n").first.map(String.init) == expected)
    #expect(outcome.output == "1\n")
  }

  @Test(
    "The same in an array",
    arguments: [
      ("[1,\n 2,\n x]", "<stdin>:3:2: error: expected a value, found \"x\""),
      ("[1,\n", "<stdin>:2:1: error: the text ends"),
      ("[1 2]", "<stdin>:1:4: error: expected \",\" or \"]\""),
      ("[1,]", "<stdin>:1:4: error: there is a comma"),
      ("[1]\n[2]", "<stdin>:2:1: error: there is text after the end of the JSON value"),
      ("[{\"a\":1,\n\"b\"}]", "<stdin>:2:4: error: expected \":\" after the key"),
      ("[\n", "<stdin>:2:1: error: the text ends"),
      ("[\"a", "<stdin>:1:4: error: the text ends inside of a string"),
    ])
  func brokenArrays(_ input: String, _ expected: String) throws {
    let outcome = try tool.filter("SELF == 1", input: input)
    #expect(outcome.code == 65)
    #expect(outcome.errors.hasPrefix(expected), "\(outcome.errors)")
  }

  @Test("Hints say how to read other forms")
  func hints() throws {
    #expect(
      try tool.filter("a == 1", input: "{\n\"a\": 1\n}").errors.contains("hint: each record stands on a line")
    )
    #expect(try tool.filter("SELF == 1", input: "[1]\n[2]").errors.contains("--from ndjson"))
  }

  @Test("Text that is not UTF-8 is refused with its place, UTF-16 read by its byte-order mark")
  func encoding() throws {
    let bytes = try tool.run(
      CommandLineTool.executable.path, ["filter", "SELF == 1"],
      input: Data("1\n\"a".utf8) + [0xFF] + Data("\"\n".utf8))
    #expect(bytes.code == 65)
    #expect(bytes.errors.hasPrefix("<stdin>:2:3: error: the string is not valid UTF-8   [not-utf8]"))
    let wide = try tool.run(
      CommandLineTool.executable.path, ["filter", "SELF == 1"], input: Data([0xFF, 0xFE, 0x31, 0]))
    #expect(wide.code == 0 && wide.output == "1\n", "\(wide)")
  }

  @Test("A file that is not there is 66, a folder too; the name stands in errors of its lines")
  func files() throws {
    let missing = try tool.filter("a == 1", "nowhere.ndjson")
    #expect(missing.code == 66)
    #expect(missing.errors == "error: there is no file \"nowhere.ndjson\"   [file-not-found]\n")
    #expect(try tool.filter("a == 1", ".").code == 66)
    try tool.write("{}\n{", to: "broken.ndjson")
    #expect(try tool.filter("a == 1", "broken.ndjson").errors.hasPrefix("broken.ndjson:2:2: error:"))
  }

  @Test(
    "Empty input has no records: exit 0, or 2 with --exit-code",
    arguments: ["", "\n\n", "\u{FEFF}", "[]", " [ ] \n"])
  func empty(_ input: String) throws {
    let outcome = try tool.filter("a == 1", "--exit-code", input: input)
    #expect(outcome.code == 2 && outcome.errors == "")
    #expect(try tool.filter("a == 1", "--count", input: input).output == "0\n")
  }

  @Test(
    "What a predicate cannot do with a record is an error of the data: its line, and the part of the predicate"
  )
  func evaluation() throws {
    let outcome = try tool.filter(
      "name.first == 'x'", input: "{}\n{\"name\":{\"first\":\"x\"}}\n{\"name\":\"Ada\"}\n")
    #expect(outcome.code == 65)
    #expect(outcome.output == "{\"name\":{\"first\":\"x\"}}\n")
    #expect(
      outcome.errors.hasPrefix("<stdin>:3: error: the value \"Ada\" has no key first   [unknown-key]\n"))
    #expect(outcome.errors.contains("\n  name.first == 'x'\n  ^^^^^^^^^^\n"))
    let sum = try tool.filter("SELF.@sum.self > 0", "--from", "ndjson", input: "[9223372036854775807,1]\n")
    #expect(sum.code == 0 && sum.output == "[9223372036854775807,1]\n")
  }

  @Test("A tag that holds something else is an error where its value is asked for, and nowhere else")
  func tags() throws {
    let record = "\n{\"a\":1, \"at\":{\"$date\":\"soon\"}}\n"
    let outcome = try tool.filter("at > CAST(0, 'NSDate')", input: record)
    #expect(outcome.code == 65)
    #expect(
      outcome.errors.hasPrefix("<stdin>:2:23: error: $date holds a date in ISO 8601"), "\(outcome.errors)")
    #expect(try tool.filter("a == 1", "--count", input: record).output == "1\n")
    for tag in ["$data", "$uuid", "$decimal", "$set", "$orderedset"] {
      let outcome = try tool.filter("at == 1", input: "{\"at\":{\"\(tag)\":\"?\"}}\n")
      #expect(outcome.code == 65 && outcome.errors.contains("[bad-tag]"), "\(tag)")
    }
    #expect(try tool.filter("SELF == 1", input: "1e999\n").errors.contains("[value-out-of-range]"))
  }

  @Test("DGN-112: errors as one line of JSON")
  func json() throws {
    let outcome = try tool.filter("a.b == 1", "--error-format", "json", input: "{\"a\":5}\n")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any]
    let error = try #require(object?["error"] as? [String: Any])
    #expect(error["code"] as? String == "unknown-key")
    #expect(error["file"] as? String == "<stdin>")
    #expect(error["line"] as? Int == 1)
    #expect(error["exit"] as? Int == 65)
  }
}
