import Foundation
import Synchronization

/// Where diagnostic lines go: a sink of the program, else a file, else standard error (DGN-008, DGN-009).
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

  /// Writes a line as it is, past any sink.
  static func writeWhole(_ line: String) {
    let (file, warning) = state.withLock { openFile(&$0) }
    if let warning { write("\(warning)", to: .standardError) }
    write(line, to: file ?? .standardError)
  }

  private static func write(_ text: String, to file: FileHandle) {
    try? file.write(contentsOf: Data("\(text)\n".utf8))
  }

  /// Opens the file at the first line, and says once where that cannot be done.
  private static func openFile(_ state: inout State) -> (FileHandle?, DiagnosticLine?) {
    guard let path = state.path, !state.isOpened else { return (state.file, nil) }
    state.isOpened = true
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      return (
        nil, DiagnosticLine(.warning, "\(path) cannot be written: \(reason). Lines go to standard error.")
      )
    }
    state.file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return (state.file, nil)
  }
}
