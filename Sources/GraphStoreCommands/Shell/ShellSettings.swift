import Foundation
import GraphStore
import GraphStoreReports

/// Settings that dot commands change for the statements that follow.
struct ShellSettings: Hashable, Sendable {
  /// The name of an output format; nil means the command's own default.
  var format: String?
  /// How NULL prints; nil means the format's own way.
  var null: String?
  /// Columns to print; nil means the terminal's width.
  var width: Int?
  /// Values for `$name` in predicates, in the order they were given. They are typed by the attribute they
  /// meet.
  var variables: [PredicateVariable] = []
  /// True while a person types; output may then be decorated and questions asked.
  var isInteractive = false
  var showsTime = false
  var echoes = false
  /// Whether each fetch says first how it runs.
  var explains = false

  /// When results are coloured; nil means what the session was begun with.
  var color: When?
  /// The file that results go to; nil means standard output.
  var outputPath: String?
  /// The file that the next result goes to.
  var nextOutputPath: String?
  /// What is printed of the objects of an entity, by its name, where a statement does not say.
  var fields: [String: String] = [:]
  /// Whether an error ends a block of several statements.
  var bails = true
  /// Whether nothing may start a program or write a file of any name.
  var isSafe = false

  /// What is told on standard error; nil means what the session was begun with.
  var tracedKinds: Set<TraceKind>?

  /// Sets or replaces a variable.
  mutating func setVariable(_ variable: PredicateVariable) {
    if let index = variables.firstIndex(where: { $0.name == variable.name }) {
      variables[index] = variable
    } else {
      variables.append(variable)
    }
  }
}

/// Output streams of the shell's own words. Results are printed by the commands.
struct ShellOutput {
  var write: (String) -> Void
  var writeError: (String) -> Void
  /// The columns of the terminal that is written to; nil where there is none.
  var columns: () -> Int? = { nil }

  /// Standard output and standard error.
  static var standard: ShellOutput {
    ShellOutput(
      write: { put($0, to: STDOUT_FILENO) },
      writeError: { put($0, to: STDERR_FILENO) },
      columns: { TerminalInfo(descriptor: STDOUT_FILENO).columns })
  }

  /// Writes lines, broken between words where they are wider than the terminal.
  func line(_ text: String) {
    let columns = columns()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { LineBreaking.lines(String($0), columns: columns) }
    write(lines.joined(separator: "\n") + "\n")
  }

  /// Writes a page, whose paragraphs fit the terminal.
  func page(_ text: String) { write(LineBreaking.page(text, columns: columns())) }
  func errorLine(_ text: String) { writeError(text + "\n") }

  /// What cannot be written is lost: there is nowhere to say so.
  private static func put(_ text: String, to descriptor: Int32) {
    fflush(nil)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

extension CommandSession {
  /// How errors of statements are shown.
  var failureStyle: FailureStyle {
    let (format, color, environment) = (settings.errorFormat, settings.color, environment)
    return FailureStyle(isJSON: format == .json) { diagnostic in
      // The window may have another size by then.
      let terminal = TerminalInfo(descriptor: STDERR_FILENO, color: color, environment: environment)
      return DiagnosticPrinter(format: format, terminal: terminal).describe(diagnostic)
    }
  }

  /// Tells of variables that were given to a script and that none of its statements asked for.
  func reportUnused(_ variables: [PredicateVariable]) {
    for name in variables.map(\.name) where !askedVariables.contains(name) {
      report(
        Diagnostic(
          .warning, code: "unknown-variable", message: "no statement asks for the variable $\(name)",
          suggestions: NearestNames.names(near: name, among: askedVariables.sorted()), exitCode: .success))
    }
  }

  /// The settings that statements begin with.
  func shellSettings(variables: [String], echoes: Bool) throws -> ShellSettings {
    var shell = ShellSettings()
    shell.echoes = echoes
    shell.showsTime = settings.showsTime
    if let name = PredicateVariable.repeated(in: variables) {
      throw Diagnostic(
        code: "usage", message: "--var gives $\(name) two values; leave one out", exitCode: .usage)
    }
    for text in variables {
      guard let variable = PredicateVariable(text) else {
        throw Diagnostic(
          code: "usage", message: "--var takes name=value or name:=JSON, not \"\(text)\"", exitCode: .usage)
      }
      shell.setVariable(variable)
    }
    return shell
  }
}
