import Foundation

/// The reason of a migration that was cancelled by another signal than that of Ctrl-C, whose exit code is
/// another.
package struct TerminationSignal: Error, CustomStringConvertible {
  let exitCode: ExitCode
  /// What has happened, in words.
  package let description: String

  /// Nil for the signal of Ctrl-C, which is the person's own.
  package init?(number: Int32) {
    switch number {
    case SIGTERM: (exitCode, description) = (.terminated, "a termination signal came")
    case SIGHUP: (exitCode, description) = (.hungUp, "the terminal went away")
    default: return nil
    }
  }
}
