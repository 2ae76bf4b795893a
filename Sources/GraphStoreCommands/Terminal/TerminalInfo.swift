import Foundation

/// When decoration such as colour is wanted.
enum When: String, Sendable, CaseIterable {
  case auto
  case always
  case never
}

/// Properties of the terminal behind a file descriptor; it is never asked anything by escape sequences.
struct TerminalInfo: Sendable {
  /// Whether the descriptor is a terminal.
  var isTerminal: Bool
  /// Columns, or nil where there is no terminal that says.
  var columns: Int?
  /// Lines, or nil where there is no terminal that says.
  var lines: Int?
  /// Whether colour and other styles are wanted.
  var usesColor: Bool
  /// Whether the locale's encoding is UTF-8.
  var isUTF8: Bool

  init(isTerminal: Bool, columns: Int? = nil, lines: Int? = nil, usesColor: Bool = false, isUTF8: Bool = true)
  {
    self.isTerminal = isTerminal
    self.columns = columns
    self.lines = lines
    self.usesColor = usesColor
    self.isUTF8 = isUTF8
  }

  /// What stands for the rest of a text that was cut.
  var cutMark: Character { isUTF8 ? "…" : "~" }

  /// Output that is not a terminal, in UTF-8.
  static let plain = TerminalInfo(isTerminal: false)

  /// Examines a file descriptor and the environment.
  ///
  /// The width is that of the terminal; without one, `COLUMNS` counts only if the descriptor is a terminal.
  init(
    descriptor: Int32, color: When = .auto,
    environment: [String: String] = ProcessEnvironment().variables
  ) {
    isTerminal = isatty(descriptor) == 1
    isUTF8 = Self.isUTF8(environment)
    usesColor = Self.usesColor(color, isTerminal: isTerminal, environment: environment)
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

/// Text style by an escape sequence (SGR).
enum Style: String, Sendable {
  case bold = "\u{1B}[1m"
  case dim = "\u{1B}[2m"
  case red = "\u{1B}[31m"
  case green = "\u{1B}[32m"
  case yellow = "\u{1B}[33m"
  case cyan = "\u{1B}[36m"
  case boldCyan = "\u{1B}[1;36m"
  case boldRed = "\u{1B}[1;31m"
  case boldYellow = "\u{1B}[1;33m"

  /// Ends every style.
  static let reset = "\u{1B}[0m"

  /// The text in this style, or unchanged where styles are off.
  func apply(_ text: String, if isOn: Bool) -> String {
    isOn ? rawValue + text + Style.reset : text
  }
}
