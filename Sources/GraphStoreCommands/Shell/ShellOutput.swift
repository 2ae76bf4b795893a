import Foundation

/// Where the shell's own words go. Results are printed by the commands.
struct ShellOutput {
  var write: (String) -> Void
  var writeError: (String) -> Void

  /// Standard output and standard error.
  static var standard: ShellOutput {
    ShellOutput(
      write: { text in
        fflush(nil)
        FileHandle.standardOutput.write(Data(text.utf8))
      },
      writeError: { text in
        fflush(nil)
        FileHandle.standardError.write(Data(text.utf8))
      })
  }

  func line(_ text: String) { write(text + "\n") }
  func errorLine(_ text: String) { writeError(text + "\n") }
}
