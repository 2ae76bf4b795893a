import Foundation
import Testing

/// Input that is wrong near its end, or does not fit the model.
struct BadInputTests {
  private static let numbers = """
    { "name": "Numbers", "entities": [ { "name": "Number", "attributes": [
      { "name": "note", "type": "string" }, { "name": "small", "type": "int16" },
      { "name": "medium", "type": "int32" }, { "name": "large", "type": "int64" },
      { "name": "single", "type": "float" }, { "name": "ratio", "type": "double" },
      { "name": "money", "type": "decimal" } ] } ] }
    """

  private static func store() throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try tool.write(numbers, to: "model.json")
    tool.environment["GRAPHSTORE_STORE"] = "numbers.db"
    let made = try tool.run("init", "numbers.db", "--model", "model.json")
    try #require(made.code == 0, "\(made.errors)")
    return tool
  }

  @Test(
    "STO-300, DGN-218: a broken line 9,999 of 10,000 is named, and nothing is written",
    arguments: [
      "{\"note\":\"x\"", "{\"note\":\"x\",\"small\":40000}", "{\"nte\":\"x\"}", "[]", "\u{1}",
      "{\"note\":\"\\ud800\"}",
    ])
  func brokenLine(_ broken: String) throws {
    let tool = try Self.store()
    var lines = (1...10_000).map { "{\"note\":\"n\($0)\"}" }
    lines[9998] = broken
    try tool.write(lines.joined(separator: "\n") + "\n", to: "input.ndjson")
    let outcome = try tool.run("import", "Number", "input.ndjson")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("input.ndjson:9999"), "\(outcome.errors)")
    #expect(try tool.run("count", "Number").output == "0\n")
    #expect(try tool.run("check").code == 0)
  }

  @Test("STO-300: a last line that is cut off in the middle is an error like any other")
  func cutOff() throws {
    let tool = try Self.store()
    let text = (1...2_000).map { "{\"note\":\"n\($0)\"}\n" }.joined()
    try tool.write(String(text.dropLast(4)), to: "input.ndjson")
    let outcome = try tool.run("import", "Number", "input.ndjson")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("input.ndjson:2000"), "\(outcome.errors)")
    #expect(try tool.run("count", "Number").output == "0\n")
  }

  private static let outside = [
    ("small", "32768"), ("small", "-32769"), ("medium", "2147483648"), ("medium", "-2147483649"),
    ("large", "9223372036854775808"), ("large", "-9223372036854775809"), ("single", "1e39"),
    ("ratio", "1e309"), ("money", "123456789012345678901234567890123456789"), ("money", "1e200"),
  ]

  @Test("DGN-218: a number that does not fit its width is refused, in every way in")
  func outOfRange() throws {
    let tool = try Self.store()
    for (key, number) in Self.outside {
      try tool.write("{\"note\":\"a\"}\n{\"note\":\"b\",\"\(key)\":\(number)}\n", to: "input.ndjson")
      try tool.write("note,\(key)\na,1\nb,\(number)\n", to: "input.csv")
      for (file, line) in [("input.ndjson", 2), ("input.csv", 3)] {
        let outcome = try tool.run("import", "Number", file)
        #expect(outcome.code == 65)
        #expect(outcome.errors.hasPrefix("\(file):\(line):"), "\(outcome.errors)")
        #expect(outcome.errors.contains("[value-out-of-range]"), "\(outcome.errors)")
      }
      let outcome = try tool.run("insert", "Number", "\(key)=\(number)")
      #expect(outcome.code == 65, "\(key): \(outcome.errors)")
      #expect(outcome.errors.contains("[value-out-of-range]"), "\(key): \(outcome.errors)")
    }
    #expect(try tool.run("insert", "Number", "small:=32768").code == 65)
    #expect(try tool.run("count", "Number").output == "0\n")
  }

  @Test("STO-243, MDL-132: the largest and smallest numbers of each width come back as they were")
  func limits() throws {
    let tool = try Self.store()
    let records = """
      {"small":-32768,"medium":-2147483648,"large":-9223372036854775808,"ratio":5e-324,"money":"-99999999999999999999999999999999999999"}
      {"small":32767,"medium":2147483647,"large":9223372036854775807,"ratio":1.7976931348623157e+308,"money":"0.00000000000000000000000000000000000001"}

      """
    try tool.write(records, to: "input.ndjson")
    #expect(try tool.run("import", "Number", "input.ndjson").code == 0)
    let outcome = try tool.run(
      "fetch", "Number", "--sort", "small", "--fields", "small,medium,large,ratio,money", "-f", "csv",
      "--no-header")
    #expect(
      outcome.lines == [
        "-32768,-2147483648,-9223372036854775808,5e-324,-99999999999999999999999999999999999999",
        "32767,2147483647,9223372036854775807,1.7976931348623157e+308,0.00000000000000000000000000000000000001",
      ])
  }
}
