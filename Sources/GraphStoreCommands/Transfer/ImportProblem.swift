import GraphStore
import GraphStoreReports

/// Problem of a record that is not imported, with its place in the input and its text.
struct ImportProblem: Error {
  /// The record's place among those of all sources.
  var record = 0
  /// The file, where there are several.
  var file: String?
  var line: Int?
  /// In characters, from 1.
  var column: Int?
  var code: String
  /// The number of the rule that is broken, where the code has several.
  var number: Int?
  var message: String
  var entity: String?
  var key: String?
  /// The refused value as text.
  var value: String?
  var details: [String] = []
  var hints: [String] = []
  var suggestions: [String] = []
  var exitCode = ExitCode.dataError
  /// The record as JSON on one line, or, where it cannot be read, its text as a JSON string.
  var row: [UInt8] = []

  init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  /// The problem of a record that a rule of the model or of the store refuses.
  init(_ error: GraphStoreError, record: Int, line: Int) {
    let diagnostic = DiagnosticMapper.diagnostic(error)
    self.record = record
    self.line = line
    code = diagnostic.code
    number = diagnostic.number
    message = diagnostic.message
    entity = error.entity
    key = error.property
    value = error.value.flatMap { $0.isNull ? nil : Self.text($0) }
    details = diagnostic.details
    // Only the end of the import tells what was written.
    hints = diagnostic.hints.map { $0.replacing("; nothing was written", with: "") }
    suggestions = diagnostic.suggestions
    exitCode = diagnostic.exitCode == .refused ? .refused : .dataError
  }

  /// The problem of a field that cannot be mapped, without its place.
  init(_ problem: FieldProblem) {
    self.init(code: problem.code, message: problem.message)
    key = problem.key
    value = problem.value
    suggestions = problem.suggestions
    hints = problem.hints
  }

  /// The first of several problems of one record, which says what all of them say.
  init(joining problems: [ImportProblem]) {
    self = problems[0]
    message = problems.map(\.message).joined(separator: "; ")
  }

  /// The problem of a record that cannot be read.
  init(_ error: InputError) {
    line = error.line
    column = error.column
    code = error.code.rawValue
    message = error.message
    key = error.field
    exitCode = error.exitCode
  }

  /// At most 80 characters of a value.
  static func text(_ value: Value) -> String {
    let text: String
    switch value {
    case .string(let string): text = string
    case .int(let number): text = "\(number)"
    case .double(let number): text = "\(number)"
    case .decimal(let number): text = "\(number)"
    case .bool(let flag): text = flag ? "true" : "false"
    case .date(let date): text = DateText.text(of: date.timeIntervalSinceReferenceDate) ?? "\(date)"
    case .uuid(let uuid): text = uuid.uuidString
    case .uri(let uri): text = uri.absoluteString
    case .null: text = "null"
    case .data(let data): text = "\(data.count) bytes"
    case .object, .list, .dictionary: text = "…"
    }
    return text.count > 80 ? text.prefix(80) + "…" : text
  }
}

extension Diagnostic {
  /// What ends an import.
  init(_ problem: ImportProblem, file: String) {
    self.init(
      code: problem.code, message: problem.message,
      location: Location(file: file, line: problem.line, column: problem.column), details: problem.details,
      hints: problem.hints, suggestions: problem.suggestions, entity: problem.entity,
      property: problem.key, exitCode: problem.exitCode)
    value = problem.value.map { .string($0) }
    number = problem.number ?? number
  }

  /// The problems of one batch, which end an import together.
  init(_ problems: [ImportProblem], file: String) {
    let sorted = problems.sorted {
      ($0.record, $0.line ?? 0, $0.column ?? 0) < ($1.record, $1.line ?? 0, $1.column ?? 0)
    }
    if sorted.count == 1, let only = sorted.first {
      self.init(only, file: file)
      return
    }
    let shown = 20
    var lines: [String] = []
    for problem in sorted.prefix(shown) {
      let place = [problem.line, problem.column].compactMap { $0.map { ":\($0)" } }.joined()
      let details = problem.details.isEmpty ? "" : " (\(problem.details.joined(separator: "; ")))"
      lines.append("\(problem.file ?? file)\(place): \(problem.message)\(details)   [\(problem.code)]")
    }
    if sorted.count > shown { lines.append("… (\(sorted.count - shown) more)") }
    let isData = sorted.contains { $0.exitCode == .dataError }
    self.init(
      code: Set(sorted.map(\.code)).count == 1 ? sorted[0].code : "multiple-validation-errors",
      message: Self.summary(sorted),
      location: Location(file: file, line: sorted.first?.line, column: sorted.first?.column), details: lines,
      hints: ["correct them, or leave them out with --on-error skip"] + Self.hintsOfConflicts(sorted)
        + Self.hintsOfOptions(sorted),
      exitCode: isData ? .dataError : .refused)
    errors = sorted.map { Diagnostic($0, file: $0.file ?? file) }
  }

  /// What to do about unique values that are taken, where nothing else is wrong.
  private static func hintsOfConflicts(_ problems: [ImportProblem]) -> [String] {
    let code = GraphStoreError.Code.constraintConflict.rawValue
    guard problems.allSatisfy({ $0.code == code }), let hint = problems[0].hints.last,
      problems.allSatisfy({ $0.hints.last == hint })
    else { return [] }
    return [hint.replacing("take it for the object that is", with: "take them for the objects that are")]
  }

  /// The options by which values can be read, or links be made, each once.
  private static func hintsOfOptions(_ problems: [ImportProblem]) -> [String] {
    let code = GraphStoreError.Code.constraintConflict.rawValue
    var seen: Set<String> = []
    let hints = problems.filter { $0.code != code }.flatMap(\.hints).filter { $0.contains("--") }
    return Array(hints.filter { seen.insert($0).inserted }.prefix(3))
  }

  private static func summary(_ problems: [ImportProblem]) -> String {
    let records = Set(problems.map(\.record)).count
    return records == 1 ? "the record cannot be imported" : "\(records) records cannot be imported"
  }
}
