import GraphStore
import GraphStoreReports
import Testing

@Suite("Queries made of plain values, without a command")
struct QueryTests {
  private let staff: Staff

  init() throws { staff = try Staff() }

  /// The result of a query for employees, as text.
  private func result(
    of text: QueryText, fields: String? = nil, as format: OutputFormat = .ndjson,
    options: WriterOptions = WriterOptions()
  ) throws -> String {
    let entity = try staff.entity("Employee")
    let query = try EntityQuery(entity, text, in: staff.context.coordinator)
    let columns = try ResultColumns(
      entity, in: staff.context.coordinator, fields: fields, variables: query.request.variables,
      format: format)
    let output = OutputBuffer.memory()
    let task = FieldsTask(
      context: staff.context, query: query, columns: columns, interruption: StatementInterruption(),
      decodes: false)
    let count = try task.write(as: format, to: output, options: options)
    #expect(try count == staff.context.count(for: query.request))
    return output.consumeString()
  }

  @Test("Conditions, order, window and variables select and order objects")
  func objects() throws {
    var text = QueryText(predicates: ["salary > $least", "department.name == 'Research'"])
    text.variables = ["least": .int(70_000)]
    text.requiredVariables = ["least"]
    text.sort = "-salary"
    #expect(
      try result(of: text, fields: "name,salary")
        == #"{"id":"Employee/p2","name":"Grace","salary":81000}"# + "\n"
        + #"{"id":"Employee/p1","name":"Ada","salary":72000}"# + "\n")
    text.limit = 1
    text.offset = 1
    #expect(
      try result(of: text, fields: "name") == #"{"id":"Employee/p1","name":"Ada"}"# + "\n")
  }

  @Test("A query begins with a fetch request of the model")
  func template() throws {
    var text = QueryText()
    text.template = "wellPaid"
    text.variables = ["MIN": .string("71000")]
    #expect(
      try result(of: text, fields: "name") == #"{"id":"Employee/p1","name":"Ada"}"# + "\n"
        + #"{"id":"Employee/p2","name":"Grace"}"# + "\n")
  }

  @Test("Each format is written into memory", arguments: OutputFormat.allCases)
  func formats(_ format: OutputFormat) throws {
    var text = QueryText(predicates: ["salary < 80000"])
    text.sort = "name"
    let expected =
      switch format {
      case .table: "name  salary\nAda    72000\nHedy   65000\n"
      case .json:
        """
        [
          {"id":"Employee/p1","name":"Ada","salary":72000},
          {"id":"Employee/p3","name":"Hedy","salary":65000}
        ]

        """
      case .ndjson:
        """
        {"id":"Employee/p1","name":"Ada","salary":72000}
        {"id":"Employee/p3","name":"Hedy","salary":65000}

        """
      case .csv: "name,salary\nAda,72000\nHedy,65000\n"
      case .tsv: "name\tsalary\nAda\t72000\nHedy\t65000\n"
      case .markdown: "| name | salary |\n| --- | ---: |\n| Ada | 72000 |\n| Hedy | 65000 |\n"
      case .html:
        """
        <table>
        <thead>
        <tr><th scope="col">name</th><th scope="col" style="text-align:right">salary</th></tr>
        </thead>
        <tbody>
        <tr><td>Ada</td><td style="text-align:right">72000</td></tr>
        <tr><td>Hedy</td><td style="text-align:right">65000</td></tr>
        </tbody>
        </table>

        """
      case .line: "name    Ada\nsalary  72000\n\nname    Hedy\nsalary  65000\n"
      case .ids: "Employee/p1\nEmployee/p3\n"
      }
    #expect(try result(of: text, fields: "name,salary", as: format) == expected)
  }

  @Test("What the output goes to decides on frames")
  func terminal() throws {
    var text = QueryText()
    text.limit = 1
    text.sort = "name"
    let options = WriterOptions(terminal: TerminalInfo(isTerminal: true, columns: 40))
    #expect(
      try result(of: text, fields: "name", as: .table, options: options) == """
        ┌──────┐
        │ name │
        │ text │
        ├──────┤
        │ Ada  │
        └──────┘

        """)
  }

  @Test("Groups and aggregates are rows without ids")
  func groups() throws {
    var text = QueryText()
    text.groups = GroupText(keys: ["department.name"], aggregates: ["count", "sum:salary as total"])
    text.sort = "-total"
    let query = try EntityQuery(try staff.entity("Employee"), text, in: staff.context.coordinator)
    let task = try ResultsTask(query, staff.context, interruption: StatementInterruption(), decodes: false)
    let output = OutputBuffer.memory()
    #expect(try task.write(as: .csv, to: output, options: WriterOptions()) == 2)
    #expect(output.consumeString() == "department.name,count,total\nResearch,2,153000\nSales,1,65000\n")
  }

  @Test("A statement that is to stop ends with what its session says")
  func interruption() throws {
    struct Stopped: Error {}
    let interruption = StatementInterruption { Stopped() }
    interruption.ask()
    let entity = try staff.entity("Employee")
    let task = FieldsTask(
      context: staff.context,
      query: try EntityQuery(entity, QueryText(), in: staff.context.coordinator),
      columns: try ResultColumns(entity, in: staff.context.coordinator, fields: nil, format: .csv),
      interruption: interruption, decodes: false)
    #expect(throws: Stopped.self) {
      _ = try task.write(as: .csv, to: .memory(), options: WriterOptions())
    }
  }

  @Test("An error says where in which text it lies, and what was probably meant")
  func misspelled() throws {
    let error = try #require(throws: LocatedPredicateError.self) {
      _ = try result(of: QueryText(predicates: ["salry > 1"]))
    }
    let diagnostic = try #require(DiagnosticMapper.knownDiagnostic(for: error))
    #expect(diagnostic.code == "unknown-key" && diagnostic.suggestions == ["salary"])
    #expect(diagnostic.source?.label == "--where" && diagnostic.source?.offset == 0)
    let shown = DiagnosticPrinter(format: .text).describe(diagnostic)
    #expect(shown.hasPrefix("error: Employee has no attribute or relationship \"salry\"   [unknown-key]\n"))
  }

  @Test("A variable that nothing asks for is refused only where it has to be asked for")
  func variables() throws {
    var text = QueryText(predicates: ["name == 'Ada'"])
    text.variables = ["least": .int(1)]
    #expect(try !result(of: text).isEmpty)
    text.requiredVariables = ["least"]
    let refused = try #require(throws: Diagnostic.self) { _ = try result(of: text) }
    #expect(refused.code == "unknown-variable" && refused.hints == ["there is none"])
  }
}
