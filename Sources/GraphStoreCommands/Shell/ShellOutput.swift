import Foundation

/// Where the shell's own words go. Results are printed by the commands.
struct ShellOutput {
  var write: (String) -> Void
  var writeError: (String) -> Void

  /// Standard output and standard error.
  static var standard: ShellOutput {
    ShellOutput(
      write: { put($0, to: STDOUT_FILENO) },
      writeError: { put($0, to: STDERR_FILENO) })
  }

  func line(_ text: String) { write(text + "\n") }
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
