import Foundation
import Synchronization

/// Destination of diagnostic lines: a sink of the program, else a file, else standard error (DGN-008,
/// DGN-009).
enum DiagnosticLog {
  private struct State {
    var sink: (@Sendable (DiagnosticLine) -> Void)?
    var path: String?
    /// The open file of the path; nil where it was not opened yet, or could not be.
    var file: FileHandle?
    var isOpened = false
  }

  private static let state = Mutex(State())

  static var sink: (@Sendable (DiagnosticLine) -> Void)? {
    get { state.withLock { $0.sink } }
    set { state.withLock { $0.sink = newValue } }
  }

  static var path: String? {
    get { state.withLock { $0.path } }
    set {
      state.withLock { state in
        if state.path == newValue { return }
        (state.path, state.file, state.isOpened) = (newValue, nil, false)
      }
    }
  }

  /// Writes a line with one write, so that lines of several threads do not mix.
  static func write(_ line: DiagnosticLine) {
    if let sink { return sink(line) }
    writeWhole("\(line)")
  }

  /// Writes lines that belong together with one write.
  static func write(_ lines: [DiagnosticLine]) {
    guard let sink else { return writeWhole(lines.map(\.description).joined(separator: "\n")) }
    for line in lines { sink(line) }
  }

  /// Writes a line as it is, past any sink; to standard error where the file does not take it.
  static func writeWhole(_ line: String) {
    let (file, warning) = state.withLock { openFile(&$0) }
    if let warning { writeToStandardError("\(warning)") }
    guard let file else { return writeToStandardError(line) }
    do { try file.write(contentsOf: bytes(line)) } catch {
      if let warning = state.withLock({ closeAfterFailure(file, &$0, because: error) }) {
        writeToStandardError("\(warning)")
      }
      writeToStandardError(line)
    }
  }

  private static func writeToStandardError(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: bytes(line))
  }

  private static func bytes(_ line: String) -> Data { Data("\(line)\n".utf8) }

  /// Opens the file at the first line, and says once where that cannot be done.
  private static func openFile(_ state: inout State) -> (FileHandle?, DiagnosticLine?) {
    guard let path = state.path, !state.isOpened else { return (state.file, nil) }
    state.isOpened = true
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      return (nil, unwritable(path, reason))
    }
    state.file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return (state.file, nil)
  }

  /// Forgets the file once a write has failed; the first call to do so reports it.
  private static func closeAfterFailure(_ file: FileHandle, _ state: inout State, because error: any Error)
    -> DiagnosticLine?
  {
    guard let path = state.path, state.file === file else { return nil }
    state.file = nil
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    return unwritable(
      path, cause.map { unsafe String(cString: strerror(Int32($0.code))) } ?? "\(error)")
  }

  private static func unwritable(_ path: String, _ reason: String) -> DiagnosticLine {
    DiagnosticLine(.warning, "\(path) cannot be written: \(reason). Lines go to standard error.")
  }
}

/// A line of what the library reports beside what it throws.
///
/// ```swift
/// Diagnostics.sink = { line in
///   if line.category == .warning { print(line.date, line.text) }
/// }
/// ```
public struct DiagnosticLine: Hashable, Sendable {
  /// Subject of a line.
  public enum Category: String, Hashable, Sendable {
    /// A statement.
    case sql
    /// A remark on statements: a connection, times, a fault that was fulfilled.
    case annotation
    /// Values of statements, rows, and plans.
    case details
    /// A statement that has failed.
    case error
    /// An event of a trace.
    case trace
    /// Something that could not be done as it was asked for, and stops nothing.
    case warning
  }

  /// The subject of the line.
  public let category: Category
  /// The line without its head, in one line.
  public let text: String
  /// The least level of the SQL log at which the line is written; 0 for a line that is not of that log.
  public let level: Int
  /// The identifier of the store that the line is about, as its metadata have it; nil where that is not
  /// known.
  public let storeIdentifier: String?
  /// The time when it was reported.
  public let date: Date

  init(
    _ category: Category, _ text: String, level: Int = 0, storeIdentifier: String? = nil, date: Date = Date()
  ) {
    self.category = category
    self.text = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    self.level = level
    self.storeIdentifier = storeIdentifier
    self.date = date
  }
}

extension DiagnosticLine: CustomStringConvertible {
  /// The line as it is written.
  public var description: String { "GraphStore: \(category.rawValue): \(text)" }
}
