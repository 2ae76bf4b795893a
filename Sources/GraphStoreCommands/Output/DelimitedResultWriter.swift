import Foundation

/// Writer of delimited text: one line a row, cells separated by one byte.
///
/// A conforming class says how text is made safe.
protocol DelimitedResultWriter: PlainResultWriter {
  /// What stands between two cells.
  var separator: UInt8 { get }
  /// What a cell without a value says.
  var nullText: [UInt8] { get }
  var options: ResultOptions { get }
  /// Whether the next cell is the first of its row.
  var isFirst: Bool { get set }
}

extension DelimitedResultWriter {
  var referenceSeparator: StaticString { " " }

  /// Hands on text as it is to be written: on a terminal nothing in it can do more than be read, line ends and tabs kept.
  func withShown(_ utf8: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    guard options.terminal.isTerminal else { return unsafe body(utf8) }
    var shown = unsafe VisibleText.escape(String(decoding: utf8, as: UTF8.self), keeping: ["\n", "\r", "\t"])
    shown.withUTF8 { unsafe body($0) }
  }

  func begin(columns: [OutputColumn]) {
    guard options.showsHeader else { return }
    isFirst = true
    for column in columns { text(column.name) }
    cells.append(byte: 0x0A)
  }

  func beginRow() {
    isFirst = true
  }

  @inline(__always)
  func beginCell() {
    if !isFirst { cells.append(byte: separator) }
    isFirst = false
  }

  @inline(__always)
  func endCell() {}

  func null() {
    beginCell()
    cells.append(nullText)
  }

  func endRow() throws(OutputError) {
    cells.append(byte: 0x0A)
    if options.flushesEveryRow { try cells.flush() } else if let failure = cells.failure { throw failure }
  }

  func end() throws(OutputError) { try cells.flush() }
}

/// Writer of comma-separated values (RFC 4180, lines end with LF).
///
/// Null is an unquoted empty cell, the empty string is `""`; ids of a to-many cell stand apart by a space.
final class CSVResultWriter: DelimitedResultWriter {
  let cells: OutputBuffer
  let timeZone: TimeZone?
  let separator = UInt8(ascii: ",")
  var references = ReferenceList.none
  let nullText: [UInt8]
  let options: ResultOptions
  var isFirst = true

  init(_ output: OutputBuffer, _ options: ResultOptions) {
    cells = output
    self.options = options
    timeZone = options.timeZone
    nullText = Array((options.nullText ?? "").utf8)
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    if var repaired = unsafe UTF8Check.repaired(utf8) { return repaired.withUTF8 { unsafe text($0) } }
    beginCell()
    unsafe withShown(utf8) { unsafe append($0) }
  }

  private func append(_ utf8: UnsafeBufferPointer<UInt8>) {
    var needsQuotes = unsafe utf8.isEmpty || utf8.elementsEqual(nullText)
    var hasQuotes = false
    for index in utf8.indices {
      let byte = unsafe utf8[index]
      guard byte <= UInt8(ascii: ",") else { continue }
      if byte == UInt8(ascii: "\"") { hasQuotes = true }
      needsQuotes = needsQuotes || byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
    }
    guard needsQuotes || hasQuotes else { return unsafe cells.append(utf8) }
    cells.append(byte: UInt8(ascii: "\""))
    if hasQuotes { unsafe appendDoubled(utf8) } else { unsafe cells.append(utf8) }
    cells.append(byte: UInt8(ascii: "\""))
  }

  private func appendDoubled(_ utf8: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for index in utf8.indices where unsafe utf8[index] == UInt8(ascii: "\"") {
      unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start...index]))
      start = index
    }
    unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start...]))
  }

  func data(_ bytes: UnsafeBufferPointer<UInt8>) {
    // An empty cell without quotes would be null.
    if bytes.isEmpty { return unsafe text(bytes) }
    beginCell()
    unsafe cells.append(base64: bytes)
    endCell()
  }
}

/// Writer of tab-separated values: `\N` is null, tabs, line ends and backslashes are escaped.
final class TSVResultWriter: DelimitedResultWriter {
  let cells: OutputBuffer
  let timeZone: TimeZone?
  let separator = UInt8(0x09)
  var references = ReferenceList.none
  let nullText: [UInt8]
  let options: ResultOptions
  var isFirst = true

  init(_ output: OutputBuffer, _ options: ResultOptions) {
    cells = output
    self.options = options
    timeZone = options.timeZone
    nullText = Array((options.nullText ?? "\\N").utf8)
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    if var repaired = unsafe UTF8Check.repaired(utf8) { return repaired.withUTF8 { unsafe text($0) } }
    beginCell()
    unsafe withShown(utf8) { unsafe append($0) }
  }

  private func append(_ utf8: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for index in utf8.indices {
      let letter: UInt8
      switch unsafe utf8[index] {
      case 0x09: letter = UInt8(ascii: "t")
      case 0x0A: letter = UInt8(ascii: "n")
      case 0x0D: letter = UInt8(ascii: "r")
      case UInt8(ascii: "\\"): letter = UInt8(ascii: "\\")
      default: continue
      }
      unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
      cells.append(byte: UInt8(ascii: "\\"))
      cells.append(byte: letter)
      start = index + 1
    }
    unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start...]))
  }
}
