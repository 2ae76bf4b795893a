import Foundation
import Testing

@Suite("filter: values of records, arguments and variables")
struct FilterValueTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool() }

  private func matches(_ expression: String, _ record: String, options: [String] = []) throws -> Bool {
    let outcome = try tool.run(
      CommandLineTool.executable.path, ["filter", expression, "--count", "--from", "ndjson"] + options,
      input: Data(record.utf8))
    try #require(outcome.code == 0, "\(expression): \(outcome.errors)")
    return outcome.output == "1\n"
  }

  @Test(
    "Any JSON value may be a record",
    arguments: [
      ("SELF == 'a'", "\"a\""), ("SELF == nil", "null"), ("SELF == YES", "true"),
      ("SELF.length == 3", "\"a€b\""),
      ("SELF[1] == 20", "[10,20]"), ("SELF.@count == 2", "[10,20]"), ("SELF.@sum.self == 30", "[10,20]"),
      ("20 IN SELF", "[10,20]"), ("SELF.a.b == 1", "{\"a\":{\"b\":1}}"), ("SELF == {1, 2}", "[1,2]"),
    ])
  func scalars(_ expression: String, _ record: String) throws {
    #expect(try matches(expression, record))
  }

  @Test(
    "PRD-127: objects and lists inside of a record",
    arguments: [
      ("a.b.c == 'x'", "{\"a\":{\"b\":{\"c\":\"x\"}}}"), ("a.b.c == nil", "{\"a\":{}}"),
      ("a.b == nil", "{\"a\":null}"),
      ("tags.@count == 2", "{\"tags\":[1,2]}"), ("ANY tags == 'b'", "{\"tags\":[\"a\",\"b\"]}"),
      ("ALL items.price > 1", "{\"items\":[{\"price\":2},{\"price\":3}]}"),
      ("items.@max.price == 3", "{\"items\":[{\"price\":2},{\"price\":3}]}"),
      (
        "SUBQUERY(items, $i, $i.price > 2 AND $i.n == 1).@count == 1",
        "{\"items\":[{\"price\":3,\"n\":1},{\"price\":3}]}"
      ),
      ("items[FIRST].n == 1", "{\"items\":[{\"n\":1}]}"), ("a[\"b c\"] == 2", "{\"a\":{\"b c\":2}}"),
      ("a[SIZE] == 2", "{\"a\":{\"x\":1,\"y\":2}}"), ("SELF[\"b\"] == 2", "{\"b\":2}"),
      ("SELF[SIZE] == 1", "{\"b\":2}"),
      ("a == b", "{\"a\":{\"x\":[1,{}]},\"b\":{\"x\":[1.0,{}]}}"), ("a != b", "{\"a\":{\"x\":1},\"b\":{}}"),
      ("a IN list", "{\"a\":{\"x\":1},\"list\":[{\"x\":2},{\"x\":1}]}"),
      ("naïve == 1", "{\"na\\u00efve\":1}"), ("a == 2", "{\"a\":1,\"a\":2}"),
      ("a == 'x\"y'", "{\"a\":\"x\\\"y\"}"),
      ("a CONTAINS[cd] 'ELAN'", "{\"a\":\"\\u00e9lan vital\"}"), ("a BETWEEN {1, 3}", "{\"a\":2}"),
      ("a.@count == 0", "{\"a\":[]}"), ("#in == 1", "{\"in\":1}"),
    ])
  func nested(_ expression: String, _ record: String) throws {
    #expect(try matches(expression, record))
  }

  @Test(
    "PRD-060, PRD-062: numbers keep every digit",
    arguments: [
      ("SELF == 9007199254740993", "9007199254740993", true),
      ("SELF == 9007199254740992", "9007199254740993", false),
      ("SELF == 12345678901234567890", "12345678901234567890", true),
      ("SELF == 12345678901234567891", "12345678901234567890", false),
      ("SELF == 12345678901234567890.12", "12345678901234567890.12", true),
      ("SELF == 12345678901234567890.13", "12345678901234567890.12", false), ("SELF == 0.1", "0.1", true),
      ("SELF == 0.1", "0.10", true), ("SELF == 100", "1e2", true), ("SELF == 1", "1.0", true),
      ("SELF == 1", "true", true), ("SELF == -9223372036854775808", "-9223372036854775808", true),
      ("SELF > 1e200", "1.5e300", true),
      ("SELF == 0.1", "0.1000000000000000055511151231257827021181583404541", true),
      ("SELF == 0", "-0", true), ("SELF < 0.000001", "1e-30", true), ("SELF == '5'", "5", false),
      ("SELF == {1, 2}", "[1,2.0]", true), ("SELF > 1.5", "2", true), ("SELF > 1.5", "1.25", false),
    ])
  func numbers(_ expression: String, _ record: String, _ expected: Bool) throws {
    #expect(try matches(expression, record) == expected)
  }

  @Test(
    "Tagged objects are values, in records",
    arguments: [
      ("SELF > CAST('2024-05-01', 'NSDate')", "{\"$date\":\"2024-05-02\"}"),
      ("at > CAST('2024-05-01', 'NSDate')", "{\"at\": {\"$date\" : \"2024-05-01T00:00:01Z\"}}"),
      ("at == CAST('aGk=', 'NSData')", "{\"at\":{\"$data\":\"aGk=\"}}"),
      (
        "at == '6ba7b810-9dad-11d1-80b4-00c04fd430c8'",
        "{\"at\":{\"$uuid\":\"6BA7B810-9DAD-11D1-80B4-00C04FD430C8\"}}"
      ),
      ("at == 'https://a.b/'", "{\"at\":{\"$url\":\"https://a.b/\"}}"),
      ("at == 0.1", "{\"at\":{\"$decimal\":\"0.10\"}}"),
      ("at == {2, 1}", "{\"at\":{\"$set\":[1,2,1]}}"), ("at.@count == 2", "{\"at\":{\"$set\":[1,2,1.0]}}"),
      ("at[FIRST] == 2", "{\"at\":{\"$orderedset\":[2,1,2]}}"),
      ("at.@count == 2", "{\"at\":{\"$orderedset\":[2,1,2]}}"),
      ("at[\"$date\"] == 1", "{\"at\":{\"$date\":1,\"x\":2}}"),
      ("at[\"$oid\"] == 'f'", "{\"at\":{\"$oid\":\"f\"}}"),
      ("SELF[\"$oid\"] == 'f'", "{\"$oid\":\"f\"}"),
    ])
  func tags(_ expression: String, _ record: String) throws {
    #expect(try matches(expression, record))
  }

  @Test("PRD-050, PRD-051: --arg fills the placeholders in order, tags included")
  func arguments() throws {
    let record = "{\"name\":\"Ann\",\"age\":5,\"at\":{\"$date\":\"2024-05-02\"},\"in\":{\"x\":1}}"
    let cases: [(String, [String])] = [
      ("%K == %@ AND %K == %d", ["\"name\"", "\"Ann\"", "\"age\"", "5"]),
      ("at > %@", ["{\"$date\":\"2024-05-01\"}"]), ("age IN %@", ["[4,5]"]),
      ("age IN %@", ["{\"$set\":[5,4,5]}"]),
      ("age BETWEEN %@", ["[1,5]"]), ("missing == %@", ["null"]), ("%@", ["true"]),
      ("%K", ["\"name.length\""]),
      ("name LIKE %@", ["\"A*\""]), ("age == %f", ["5.0"]), ("%K.x == 1", ["\"in\""]),
      ("name == %@ AND age == 5", ["\"Ann\""]),
    ]
    for (expression, values) in cases {
      let matched = try matches(expression, record, options: values.flatMap { ["--arg", $0] })
      #expect(matched == (expression != "%K"), "\(expression)")
    }
  }

  @Test("PRD-154: --var fills $name, with or without the sign and the colon")
  func variables() throws {
    let record = "{\"name\":\"Ann\",\"age\":5,\"at\":{\"$date\":\"2024-05-02\"}}"
    let cases: [(String, String)] = [
      ("name == $n", "n=\"Ann\""), ("name == $n", "$n=\"Ann\""), ("age == $n", "n:=5"),
      ("at > $n", "n={\"$date\":\"2024-01-01\"}"),
      ("missing == $n", "n=null"), ("age == $n.min", "n={\"min\":5}"), ("age IN $n", "n={\"$set\":[5]}"),
      ("age == -$n", "n=-5"),
    ]
    for (expression, value) in cases {
      #expect(try matches(expression, record, options: ["--var", value]), "\(expression)")
    }
  }
}
