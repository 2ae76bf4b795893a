import Foundation
import GraphStore
import GraphStoreReports

extension CommandSession {
  /// What is known of standard output, or of the file that takes its place.
  var outputTerminal: TerminalInfo {
    settings.outputPath == nil
      ? TerminalInfo(descriptor: STDOUT_FILENO, color: settings.color, environment: environment)
      : TerminalInfo(isTerminal: false, usesColor: settings.color == .always)
  }

  /// What is known of standard error.
  var errorTerminal: TerminalInfo {
    TerminalInfo(descriptor: STDERR_FILENO, color: settings.color, environment: environment)
  }

  /// How results look.
  var resultOptions: WriterOptions {
    WriterOptions(
      nullText: settings.nullText, showsHeader: settings.showsHeader, width: settings.width,
      timeZone: settings.timeZone, terminal: outputTerminal, indentsJSON: settings.indentsJSON)
  }

  /// Runs a body with the place that results go to, and writes out what it appended.
  ///
  /// A file appears only when all of it is written.
  func withOutput<Result>(_ body: (OutputBuffer) throws -> Result) throws -> Result {
    if sharedOutput == nil, let redirection, redirection.path == settings.outputPath {
      let result = try body(redirection.buffer)
      try redirection.buffer.flush()
      return result
    }
    guard sharedOutput == nil, let path = settings.outputPath else {
      if sharedOutput == nil, let pager { return try paged(by: pager, body) }
      let output = sharedOutput ?? OutputBuffer(descriptor: STDOUT_FILENO, path: nil)
      let result = try body(output)
      try output.flush()
      return result
    }
    // The command has asked before it began.
    let file = try file(at: path, replacing: true)
    let result = try body(file.output)
    try file.commit()
    return result
  }

  /// What a result goes through that is longer than the screen; nil where a result is only printed.
  private var pager: Pager? {
    guard settings.usesPager, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      let command = Pager.command(environment)
    else { return nil }
    return Pager(command, terminal: outputTerminal)
  }

  /// Runs a body that prints to the terminal, by a pager once that is longer than the screen.
  ///
  /// - Throws: ``Pager/Left`` where the person had seen enough.
  private func paged<Result>(by pager: Pager, _ body: (OutputBuffer) throws -> Result) throws -> Result {
    let output = OutputBuffer(descriptor: STDOUT_FILENO, path: nil)
    output.redirect = { unsafe pager.descriptor(for: $0) }
    do {
      let result = try body(output)
      try output.flush()
      wait(for: pager)
      return result
    } catch let error as OutputError where error.code == .brokenPipe && pager.isRunning {
      wait(for: pager)
      throw Pager.Left()
    } catch {
      // What failed is told below what was printed.
      wait(for: pager)
      throw error
    }
  }

  /// Waits until the person has left the pager, which is no time of the command's.
  private func wait(for pager: Pager) {
    let start = ContinuousClock.now
    pager.finish()
    timeAnswering += start.duration(to: .now)
  }

  /// Runs a body that prints several times, all of it to one place.
  ///
  /// A file appears only when all of it is written.
  func keepingOutput<Result>(_ body: () throws -> Result) throws -> Result {
    guard let path = settings.outputPath, path != redirection?.path else { return try body() }
    return try withOutput { output in
      sharedOutput = output
      defer { sharedOutput = nil }
      return try body()
    }
  }

  /// Runs a body that prints until somebody ends it, all of it to one place.
  ///
  /// A file is written in place: each row is in it at once.
  func followingOutput<Result>(_ body: () throws -> Result) throws -> Result {
    settings.usesPager = false
    guard let path = settings.outputPath, path != redirection?.path else { return try body() }
    try refuseStore(at: path, "the output")
    let file = try StreamedFile(path: path)
    sharedOutput = file.output
    defer { sharedOutput = nil }
    do {
      let result = try body()
      try file.finish()
      return result
    } catch {
      // What is written stays, and is whole.
      try? file.finish()
      throw error
    }
  }

  /// Runs a body that prints, and returns what it has printed instead.
  func capturingOutput(_ body: () throws -> Void) throws -> String {
    let captured = OutputBuffer.memory()
    let former = sharedOutput
    sharedOutput = captured
    defer { sharedOutput = former }
    try body()
    return captured.consumeString()
  }

  /// Writes a result in the format asked for.
  ///
  /// - Parameter flushesEveryRow: Whether every row reaches the reader at once.
  func write<Task: ResultTask>(
    default format: OutputFormat = .table, flushesEveryRow: Bool = false, _ task: Task
  ) throws -> Task.Outcome {
    let format = settings.format ?? format
    guard format != .ids || Task.showsObjects else {
      throw Diagnostic(
        code: "usage", message: "there are no ids to print: the result is not of objects",
        hints: ["choose another form with --format"], exitCode: .usage)
    }
    var options = resultOptions
    options.flushesEveryRow = flushesEveryRow
    if flushesEveryRow { settings.usesPager = false }
    return try withOutput { try task.write(as: format, to: $0, options: options) }
  }

  /// Prints lines to the place that results go to.
  func print(_ lines: [String]) throws {
    try withOutput { output in
      for line in lines {
        output.append(line)
        output.append(byte: UInt8(ascii: "\n"))
      }
    }
  }

  /// Empties the terminal, and goes on in its upper left corner.
  func clearScreen() throws {
    try withOutput { $0.append("\u{1B}[H\u{1B}[2J") }
  }

  /// Prints lines for people, which are broken between words where they are wider than the terminal.
  func print(report lines: [String]) throws {
    let columns = outputTerminal.columns
    try print(lines.flatMap { LineBreaking.lines($0, columns: columns) })
  }

  /// Prints a page for people, whose paragraphs fit the terminal.
  func print(page text: String) throws {
    try print([LineBreaking.page(text, columns: outputTerminal.columns)])
  }

  /// Prints text that may be anybody's: on a terminal nothing in it can do more than be read.
  func print(foreign text: String) throws {
    try print([outputTerminal.isTerminal ? VisibleText.escape(text, keeping: ["\n", "\t"]) : text])
  }

  /// Prints a whole document of JSON; on a terminal nothing in it can do more than be read.
  func print(json bytes: some Sequence<UInt8>) throws {
    let bytes = Array(bytes)
    let isShown = outputTerminal.isTerminal
    try withOutput { output in
      unsafe bytes.withUnsafeBufferPointer {
        if isShown { unsafe output.append(visibleJSON: $0) } else { unsafe output.append($0) }
      }
    }
  }

  /// Prints the document of JSON that `write` appends, as `print(json:)` does.
  func printJSON(_ write: (OutputBuffer) throws -> Void) throws {
    let document = OutputBuffer.memory()
    try write(document)
    try print(json: document.consumeString().utf8)
  }

  /// Prints the ids of objects that a command has changed, or fields of them; of one that has given way to
  /// another by a uniqueness constraint those of the other.
  ///
  /// When they cannot be printed, the error says whether they are saved all the same, so that nobody makes
  /// them again.
  func printObjects(_ objects: [ManagedObject], fields: String?) throws {
    let context = try context(.write)
    let objects = objects.map { context.replacement(of: $0) ?? $0 }
    let names = objects.map(\.objectID.shortForm)
    let isSaved = SaveProgress.current != .nothing && !names.isEmpty
    try telling(isSaved ? Self.deed(names) : nil) {
      guard fields != nil || settings.format != nil else { return try print(names) }
      try write(
        ObjectsTask(
          objects, context, fields: fields, format: settings.format ?? .table,
          decodes: settings.decodes, showsIdentifier: settings.showsIdentifier))
    }
  }

  /// `Project/p4, Project/p5 are saved`
  private static func deed(_ names: [String]) -> String {
    let rest = names.count > 10 ? " and \(names.count - 10) more" : ""
    return names.prefix(10).joined(separator: ", ") + rest + (names.count == 1 ? " is saved" : " are saved")
  }

  /// Runs a body that prints what the command has done, and what is not taken back any more.
  ///
  /// When it cannot be printed, the error says that it is done all the same, so that nobody does it again.
  ///
  /// - Parameter deed: What is done, as a clause; nil where nothing is.
  func telling(_ deed: @autoclosure () -> String?, _ body: () throws -> Void) throws {
    do { try body() } catch let error as OutputError where error.code != .brokenPipe {
      guard let deed = deed() else { throw error }
      throw Diagnostic(
        code: error.code.rawValue, message: "\(deed), though the output failed: \(error.message)",
        hints: ["do not repeat the command: what it was to do is done"], exitCode: error.exitCode)
    }
  }

  /// Tells a person something; a script is told nothing.
  func inform(_ text: @autoclosure () -> String) {
    guard !settings.isQuiet, isatty(STDERR_FILENO) == 1 else { return }
    writeError(lines: text())
  }

  /// Says beforehand what a command is going to do, unless silence is asked for; what it says as JSON, it
  /// says at its end.
  func announce(_ text: String) {
    guard !settings.isQuiet, settings.errorFormat != .json else { return }
    writeError(text + "\n")
  }

  /// Says on the last line of standard error what was done, unless silence is asked for.
  func summarize(_ text: String, json: (OutputBuffer) -> Void) {
    guard !settings.isQuiet else { return }
    guard settings.errorFormat == .json else { return writeError(lines: text) }
    let output = OutputBuffer.memory()
    json(output)
    unsafe writeError(String(decoding: output.bytes, as: UTF8.self) + "\n")
  }

  /// Says what a person should know before the summary, which tells programs themselves.
  func remark(_ text: String) {
    guard !settings.isQuiet, settings.errorFormat != .json else { return }
    writeError(lines: text)
  }

  /// Says what was found and how long it took, to a person or where `--time` asks for it.
  func reportResult(_ text: @autoclosure () -> String, since start: ContinuousClock.Instant) {
    guard !settings.isQuiet, settings.errorFormat != .json else { return }
    guard settings.showsTime || isatty(STDERR_FILENO) == 1 else { return }
    let duration = start.duration(to: .now) - timeAnswering
    writeError(lines: "\(text()), \(duration.millisecondsText) ms")
  }

  /// Says what the command took (DGN-110).
  func report(_ timing: CommandTiming) {
    let report = timing.report(answering: timeAnswering, coordinator: openContext?.coordinator)
    guard settings.errorFormat == .json else { return writeError(lines: report.text) }
    let output = OutputBuffer.memory()
    report.write(to: output)
    unsafe writeError(String(decoding: output.bytes, as: UTF8.self) + "\n")
  }

  /// Says on standard error what would do better.
  func say(hint: String) {
    guard !settings.isQuiet else { return }
    guard settings.errorFormat == .json else { return writeError(lines: "hint: \(hint)") }
    let output = OutputBuffer.memory()
    var json = JSONBuilder(output)
    json.beginObject()
    json.member("hint", hint)
    json.endObject()
    writeError(output.consumeString() + "\n")
  }

  /// Prints a diagnostic to standard error.
  func report(_ diagnostic: Diagnostic) {
    DiagnosticPrinter(format: settings.errorFormat, terminal: errorTerminal)
      .print(settings.errorFormat == .json ? diagnostic : diagnostic.withSuggestionsInHints)
  }

  /// Tells of readings that explain why so much was selected.
  func warn(of hints: PredicateHints, selected count: Int) {
    guard !settings.isQuiet else { return }
    hints.warnings(selected: count).forEach { report($0) }
  }

  /// Tells of conditions of a query that were probably meant otherwise.
  ///
  /// - Parameter count: How many objects they have selected.
  func warn(of query: EntityQuery, selected count: Int) {
    guard !settings.isQuiet else { return }
    query.warnings(selected: count).forEach { report($0) }
  }

  /// Says that rows of groups, and different rows, are made of what is saved, where something is not.
  func noteUnsavedChanges(in context: ManagedObjectContext) {
    guard context.hasChanges else { return }
    say(
      hint:
        "such rows are made of what is saved, without the unsaved changes of this session; .commit them first"
    )
  }

  /// Says on standard error how a fetch is going to run.
  func explain(_ explanation: FetchExplanation, isEmpty: Bool) {
    let report = ExplanationReport(
      explanation, isEmpty: isEmpty, usesColor: errorTerminal.usesColor)
    writeError(report.lines.joined(separator: "\n") + "\n\n")
  }

  /// Writes lines for people, broken between words where they are wider than the terminal.
  private func writeError(lines text: String) {
    let columns = errorTerminal.columns
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      writeError(LineBreaking.lines(String(line), columns: columns).joined(separator: "\n") + "\n")
    }
  }

  private func writeError(_ text: String) {
    let output = OutputBuffer(descriptor: STDERR_FILENO, path: nil)
    output.append(text)
    // There is nowhere else to tell it.
    try? output.flush()
  }
}
