/// Properties of the terminal behind a file descriptor; it is never asked anything by escape sequences.
package struct TerminalInfo: Sendable {
  /// Whether the descriptor is a terminal.
  package var isTerminal: Bool
  /// Columns, or nil where there is no terminal that says.
  package var columns: Int?
  /// Lines, or nil where there is no terminal that says.
  package var lines: Int?
  /// Whether colour and other styles are wanted.
  package var usesColor: Bool
  /// Whether the locale's encoding is UTF-8.
  package var isUTF8: Bool

  /// The properties of a terminal, or of what is none.
  package init(
    isTerminal: Bool, columns: Int? = nil, lines: Int? = nil, usesColor: Bool = false, isUTF8: Bool = true
  ) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.lines = lines
    self.usesColor = usesColor
    self.isUTF8 = isUTF8
  }

  /// What stands for the rest of a text that was cut.
  var cutMark: Character { isUTF8 ? "…" : "~" }

  /// Output that is not a terminal, in UTF-8.
  package static let plain = TerminalInfo(isTerminal: false)
}
