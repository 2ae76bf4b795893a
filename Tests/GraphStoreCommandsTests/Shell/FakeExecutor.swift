@testable import GraphStoreCommands

/// Keeps lists of words instead of objects: `insert X` adds, `delete X` removes, `fail` fails, `fetch` prints.
final class FakeExecutor: UndoingExecutor, LastResultExecutor {
  struct Failure: Error {
    var code = "validation"
    var exitCode: Int32 = 65
    var word: Int?
  }

  var saved: [String] = []
  var calls: [String] = []
  var settings: [ShellSettings] = []
  var onExecute: ((ShellStatement) throws -> Void)?
  private var atScript: [String] = []
  private var pending: [String]?
  private var undone: [(String, [String])] = []
  private var done: [(String, [String])] = []

  var status: ShellStatus {
    var status = ShellStatus(
      storeName: "hr", storeFile: "hr.db", modelName: "HR v1", objectCount: saved.count)
    status.isInTransaction = pending != nil
    status.inserted = pending?.count ?? 0
    return status
  }

  let formatNames = ["table", "json", "ids"]
  let commandNames = ["fetch", "insert", "delete"]

  func execute(_ statement: ShellStatement, settings: ShellSettings) throws {
    calls.append(statement.text)
    self.settings.append(settings)
    try onExecute?(statement)
    let arguments = statement.arguments
    switch arguments[0] {
    case "insert":
      done.append((statement.text, saved))
      if pending != nil { pending?.append(arguments[1]) } else { saved.append(arguments[1]) }
    case "fetch": break
    case "fail": throw Failure(word: arguments.count > 1 ? 1 : nil)
    default: throw Failure(code: "unknown-command", exitCode: 64, word: 0)
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

  func commit() throws {
    if pending?.contains("bad") == true { throw Failure() }
    saved += pending ?? []
    pending = nil
  }

  func rollback() throws { pending = nil }
  func pendingObjects() throws -> [String] { (pending ?? []).map { "+ \($0)" } }
  func printEntities(settings: ShellSettings) throws { calls.append("entities") }
  func printSchema(entity: String?, settings: ShellSettings) throws { calls.append("schema \(entity ?? "")") }
  func help(for topic: String) -> String? { topic == "fetch" ? "help on fetch" : nil }

  func failure(for error: any Error) -> StatementFailure {
    guard let error = error as? Failure else {
      return StatementFailure(code: "unclassified", message: "\(error)", exitCode: 1)
    }
    return StatementFailure(
      code: error.code, message: "it is wrong", exitCode: error.exitCode,
      place: error.word.map { StatementFailure.Place(word: $0) })
  }

  var interrupt: @Sendable () -> Void { {} }

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
