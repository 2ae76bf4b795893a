import Foundation

/// Layout options of results, as far as the user decides on them.
package struct WriterOptions: Sendable {
  /// What stands for null; nil takes the format's own.
  package var nullText: String?
  /// Whether table, csv, tsv, markdown and html begin with the columns' names.
  package var showsHeader: Bool
  /// Columns to fit a table into; 0 never cuts; nil takes the terminal's width, and never cuts elsewhere.
  package var width: Int?
  /// The zone dates are shown in (not in JSON, which is always UTC); nil is UTC.
  package var timeZone: TimeZone?
  /// What the output goes to.
  package var terminal: TerminalInfo
  /// Whether every row reaches the reader at once.
  package var flushesEveryRow: Bool
  /// Whether an array of JSON has a line for each value.
  package var indentsJSON: Bool

  /// Options of an output that is not a terminal, but for what is given.
  package init(
    nullText: String? = nil, showsHeader: Bool = true, width: Int? = nil, timeZone: TimeZone? = nil,
    terminal: TerminalInfo = .plain, flushesEveryRow: Bool = false, indentsJSON: Bool = false
  ) {
    self.nullText = nullText
    self.showsHeader = showsHeader
    self.width = width
    self.timeZone = timeZone
    self.terminal = terminal
    self.flushesEveryRow = flushesEveryRow
    self.indentsJSON = indentsJSON
  }

  /// What stands for null in formats for people.
  var visibleNull: String { nullText ?? (terminal.isUTF8 ? "∅" : "NULL") }
}
