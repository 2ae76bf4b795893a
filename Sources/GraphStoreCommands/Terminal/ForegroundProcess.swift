import CGraphStoreShims
import Foundation

/// Command line of the system's shell that has the terminal until it ends: a pager, an editor, `.shell`.
///
/// It stays in the process's own group, so that it may read the keyboard. Ctrl-C is its own as long as it
/// runs.
final class ForegroundProcess {
  /// Thrown where the system cannot start a process.
  struct Unstarted: Error {
    /// The reason, in the system's words.
    let reason: String
  }

  private let identifier: Int32

  /// Starts a command line.
  ///
  /// - Parameter input: The descriptor of its standard input; nil for the process's own.
  init(_ command: String, input: Int32? = nil) throws(Unstarted) {
    fflush(nil)
    // The shell that waits for the command does not end before it, whoever else an interrupt reaches.
    identifier = unsafe gs_start_in_foreground("trap : INT\n" + command, input ?? -1)
    if identifier < 0 { throw Unstarted(reason: unsafe String(cString: strerror(-identifier))) }
  }

  /// Waits for the end.
  ///
  /// - Returns: The exit code; 128 and the number of the signal that ended it.
  @discardableResult
  func wait() -> Int32 { gs_wait_in_foreground(identifier) }

  /// Whether one has the terminal, so that Ctrl-C is none of this process's.
  static var isRunning: Bool { gs_foreground_processes() > 0 }
}
