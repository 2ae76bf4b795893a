import Foundation
import GraphStoreReports

/// When decoration such as colour is wanted.
enum When: String, Sendable, CaseIterable {
  case auto
  case always
  case never
}

extension TerminalInfo {
  /// Examines a file descriptor and the environment.
  ///
  /// The width is that of the terminal; without one, `COLUMNS` counts only if the descriptor is a terminal.
  init(
    descriptor: Int32, color: When = .auto,
    environment: [String: String] = ProcessEnvironment().variables
  ) {
    let isTerminal = isatty(descriptor) == 1
    self.init(
      isTerminal: isTerminal,
      usesColor: Self.usesColor(color, isTerminal: isTerminal, environment: environment),
      isUTF8: Self.isUTF8(environment))
    guard isTerminal else { return }
    var size = winsize()
    if unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      columns = Int(size.ws_col)
      lines = size.ws_row > 0 ? Int(size.ws_row) : nil
    } else if let text = environment["COLUMNS"], let number = Int(text), number > 0 {
      columns = number
    }
  }

  /// Decides on colour: the flag first, then `NO_COLOR`, `CLICOLOR_FORCE`, `TERM=dumb`, then whether it is a
  /// terminal.
  static func usesColor(_ when: When, isTerminal: Bool, environment: [String: String]) -> Bool {
    switch when {
    case .always: return true
    case .never: return false
    case .auto:
      if environment["NO_COLOR"].map({ !$0.isEmpty }) == true { return false }
      if environment["CLICOLOR_FORCE"].map({ !$0.isEmpty && $0 != "0" }) == true { return true }
      return isTerminal && environment["TERM"] != "dumb"
    }
  }

  /// Whether the locale of the environment is a UTF-8 one; the first variable that is set and not empty
  /// decides.
  static func isUTF8(_ environment: [String: String]) -> Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let value = environment[name], !value.isEmpty else { continue }
      let lower = value.lowercased()
      return lower.contains("utf-8") || lower.contains("utf8")
    }
    return false
  }
}
