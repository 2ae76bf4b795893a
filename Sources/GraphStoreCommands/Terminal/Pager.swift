import Foundation
import GraphStoreReports

/// Pager that a result goes through where it has more lines than the screen.
///
/// It is started by the first write that does not fit; a result that fits is printed as ever.
final class Pager {
  /// Thrown once a person has left the pager before the result was printed to its end.
  struct Left: Error {}

  /// The command that is meant without a variable: it ends by itself where everything fits, keeps colours,
  /// does not fold lines, and leaves what it has shown.
  static let standard = "less -FRSX"

  private let command: String
  private let terminal: TerminalInfo
  private var process: ForegroundProcess?
  private var input: Int32 = -1

  /// - Parameters:
  ///   - command: Its command line.
  ///   - terminal: The terminal that is printed to.
  init(_ command: String, terminal: TerminalInfo) {
    (self.command, self.terminal) = (command, terminal)
  }

  /// Whether it has been started.
  var isRunning: Bool { process != nil }

  /// Starts it if a first piece of a result does not fit the screen.
  ///
  /// - Returns: The descriptor that the result goes to then; nil for standard output.
  func descriptor(for piece: UnsafeBufferPointer<UInt8>) -> Int32? {
    guard let height = terminal.lines, unsafe isLonger(piece, than: height - 1) else { return nil }
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    do {
      process = try ForegroundProcess(command, input: ends[0])
    } catch {
      for end in ends { close(end) }
      return nil
    }
    close(ends[0])
    input = ends[1]
    return input
  }

  /// Tells it that nothing more comes, and waits until the person has left it.
  func finish() {
    guard let process else { return }
    close(input)
    process.wait()
    self.process = nil
  }

  private func isLonger(_ piece: UnsafeBufferPointer<UInt8>, than height: Int) -> Bool {
    var lines = 0
    for index in piece.indices where unsafe piece[index] == UInt8(ascii: "\n") {
      lines += 1
      if lines > height { return true }
    }
    return false
  }
}

extension Pager {
  /// The command line of the pager that an environment names.
  ///
  /// - Returns: Nil for none: an empty name, `cat`, one that is not there, and on a terminal that cannot be
  ///   paged.
  static func command(_ environment: [String: String]) -> String? {
    if environment["TERM"] == "dumb" { return nil }
    guard let named = environment["GRAPHSTORE_PAGER"] ?? environment["PAGER"] else {
      return isProgram("less", environment) ? standard : nil
    }
    let command = named.trimmingCharacters(in: .whitespaces)
    guard !command.isEmpty, command != "cat" else { return nil }
    let first = command.split(separator: " ").first.map(String.init) ?? command
    // What the system's shell would not find would take the result with it.
    let isPlain = !first.contains { "'\"\\$`;|&(){}<>=".contains($0) }
    return !isPlain || isProgram(first, environment) ? command : nil
  }

  private static func isProgram(_ name: String, _ environment: [String: String]) -> Bool {
    name.contains("/") ? ExecutableFile.isThere(name) : ExecutableFile.path(of: name, in: environment) != nil
  }
}
