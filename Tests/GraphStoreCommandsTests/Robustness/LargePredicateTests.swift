import Testing

/// Predicates of a size that nobody types, from a script on standard input.
struct LargePredicateTests {
  private static let terms = 10_000

  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func run(_ predicate: String) throws -> CommandLineTool.Outcome {
    try tool.run("run", "-", input: "count Employee where \(predicate)\n")
  }

  @Test("PRD-237, PRD-029: an OR and an AND of 10,000 terms work")
  func wide() throws {
    let numbers = 0..<Self.terms
    let either = numbers.map { "name == 'a\($0)'" } + ["name == 'Ada'"]
    #expect(try run(either.joined(separator: " OR ")).output == "1\n")
    let all = numbers.map { "name != 'a\($0)'" } + ["name != 'Ada'"]
    #expect(try run(all.joined(separator: " AND ")).output == "2\n")
  }

  @Test("PRD-237: a list of 10,000 values works, also over a relationship")
  func list() throws {
    let values = (0..<Self.terms).map { "'a\($0)'" } + ["'Ada'", "'Sales'"]
    let list = "{\(values.joined(separator: ", "))}"
    #expect(try run("name IN \(list)").output == "1\n")
    #expect(try run("department.name IN \(list)").output == "1\n")
    #expect(try run("NOT name IN \(list)").output == "2\n")
  }

  @Test("PRD-029: what nests 5,000 deep is refused, and the process lives")
  func deep() throws {
    let depth = 5_000
    let parts = [
      ("(", "name == 'Ada'", ")"), ("NOT ", "name == 'Ada'", ""), ("NOT (", "name == 'Ada'", ")"),
      ("name == 'x' OR (name == 'y' AND (", "name == 'Ada'", "))"), ("badge + (", "1", ")"),
      ("-", "badge == 1", ""), ("SUBQUERY(reports, $x, ", "name == 'Ada'", ").@count > 0"),
      ("ANY reports.name IN {", "'x'", "}"),
    ]
    for (opening, middle, closing) in parts {
      let outcome = try run(
        String(repeating: opening, count: depth) + middle + String(repeating: closing, count: depth))
      #expect(outcome.code == 65, "\(opening): \(outcome.errors.prefix(300))")
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("<stdin>:1:"), "\(opening)")
    }
  }

  @Test("PRD-029: nesting of 400 levels works")
  func allowed() throws {
    let depth = 400
    let predicate =
      String(repeating: "(", count: depth) + "name == 'Ada'" + String(repeating: ")", count: depth)
    #expect(try run(predicate).output == "1\n")
    #expect(try run(String(repeating: "NOT ", count: depth) + "name == 'Ada'").output == "1\n")
  }

  @Test("PRD-206: brackets and quotes that do not match are refused with 65")
  func unbalanced() throws {
    let predicates = [
      "((name == 'x')", "(name == 'x'))", "name IN {'a'", "name == 'x", "name IN 'a'}", "())(", "",
    ]
    for predicate in predicates {
      let outcome = try run(predicate)
      #expect(outcome.code == 65, "\(predicate): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
  }
}
