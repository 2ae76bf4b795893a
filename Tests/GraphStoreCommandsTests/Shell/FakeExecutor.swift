import GraphStore
import GraphStoreReports
@testable import GraphStoreCommands

/// Keeps lists of words instead of objects: `insert X` adds, `delete X` removes, `fail` fails, `fetch`
/// prints, `ask` answers "no".
final class FakeExecutor: UndoingExecutor, LastResultExecutor {
  struct Failure: Error {
    var code = "validation"
    var exitCode = ExitCode.dataError
    var key: String?
    var source: Diagnostic.Source?
  }

  var saved: [String] = []
  var calls: [String] = []
  var settings: [ShellSettings] = []
  var onExecute: ((ShellStatement) throws -> Void)?
  private var atScript: [String] = []
  private var pending: [String]?
  private var savepoints: [String: [String]] = [:]
  private var undone: [(String, [String])] = []
  private var done: [(String, [String])] = []

  var status: ShellStatus {
    var status = ShellStatus(
      storeName: "hr", storeFile: "hr.db", modelName: "HR v1", objectCount: saved.count)
    status.present.keepsChanges = pending != nil
    status.present.inserted = pending?.count ?? 0
    return status
  }

  let formatNames = ["table", "json", "ids"]
  let commandNames = ["fetch", "insert", "delete"]

  let interruption = StatementInterruption()
  var timeAnswering = Duration.zero

  func execute(_ statement: ShellStatement, settings: ShellSettings) throws -> StatementOutcome {
    calls.append(statement.text)
    self.settings.append(settings)
    try onExecute?(statement)
    let arguments = statement.arguments
    switch arguments[0] {
    case "insert":
      done.append((statement.text, saved))
      if pending != nil { pending?.append(arguments[1]) } else { saved.append(arguments[1]) }
      return StatementOutcome(hasChanged: true)
    case "fetch": return StatementOutcome()
    case "ask": return StatementOutcome(exitCode: .negativeAnswer)
    case "fail": throw Failure(key: arguments.count > 1 ? "salary" : nil)
    default: throw Failure(code: "unknown-command", exitCode: .usage)
    }
  }

  func beginScript() throws {
    calls.append("<script")
    atScript = saved
  }

  func commitScript() throws { calls.append("script>") }

  func rollbackScript() throws {
    calls.append("script!")
    saved = atScript
    pending = nil
  }

  func begin() throws { pending = [] }

  var policy = SaveConflictPolicy.error
  let tracedKinds: Set<TraceKind> = []
  func refresh(_ ids: [String]) throws -> [String] { ids }

  func commit() throws -> CommitOutcome {
    if pending?.contains("bad") == true { throw Failure() }
    saved += pending ?? []
    defer { pending = nil }
    return CommitOutcome(summary: SaveSummary(saved: SaveSummary.Counts(inserted: pending?.count ?? 0)))
  }

  func rollback() throws { pending = nil }
  func savepoint(_ name: String) throws { savepoints[name] = pending }
  func rollback(to name: String) throws -> Bool {
    guard let words = savepoints[name] else { return false }
    pending = words
    return true
  }
  func pendingObjects() throws -> [String] { (pending ?? []).map { "+ \($0)" } }
  func failuresOfSave() throws -> [String] { (pending ?? []).filter { $0 == "bad" } }
  func printEntities(settings: ShellSettings) throws { calls.append("entities") }
  func printSchema(entity: String?, settings: ShellSettings) throws { calls.append("schema \(entity ?? "")") }
  func help(for topic: String) -> String? { topic == "fetch" ? "help on fetch" : nil }

  func diagnostic(for error: any Error) -> Diagnostic {
    guard let error = error as? Failure else { return Diagnostic(code: "unclassified", message: "\(error)") }
    return Diagnostic(
      code: error.code, message: "it is wrong", source: error.source, property: error.key,
      exitCode: error.exitCode
    )
  }

  func undo() throws -> String? {
    guard let last = done.popLast() else { return nil }
    undone.append((last.0, saved))
    saved = last.1
    return last.0
  }

  func redo() throws -> String? {
    guard let last = undone.popLast() else { return nil }
    saved = last.1
    return last.0
  }

  func printLastResult(settings: ShellSettings) throws -> Bool { false }
}

/// Collects what the shell writes.
final class OutputRecorder {
  var text = ""
  var errors = ""

  var output: ShellOutput {
    ShellOutput(write: { self.text += $0 }, writeError: { self.errors += $0 })
  }
}

/// Answers prompts from a list, and ends.
final class ScriptedLines: LineReading {
  var inputs: [LineInput]
  var prompts: [String] = []
  var remembered: [String] = []

  init(_ inputs: [LineInput]) {
    self.inputs = inputs
  }

  convenience init(_ lines: String...) {
    self.init(lines.map { .line($0) })
  }

  func readLine(prompt: ShellPrompt) -> LineInput {
    prompts.append(prompt.text)
    return inputs.isEmpty ? .endOfInput : inputs.removeFirst()
  }

  func remember(_ entry: String) { remembered.append(entry) }
}

extension FailureStyle {
  /// One line: `load.gs:4:8: error: it is wrong [validation] <salary=-5>`, the place in angle brackets.
  static let brief = FailureStyle { diagnostic in
    let location = diagnostic.location.map { "\($0.file):\($0.line ?? 0):\($0.column ?? 0): " } ?? ""
    let place = diagnostic.source.map { source in
      let bytes = Array(source.text.utf8)[source.offset..<source.offset + source.length]
      return " <\(String(decoding: bytes, as: UTF8.self))>"
    }
    let hints = diagnostic.hints.map { " hint: " + $0 }.joined()
    return "\(location)error: \(diagnostic.message) [\(diagnostic.code)]\(place ?? "")\(hints)\n"
  }
}
