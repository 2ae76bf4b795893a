import Foundation

/// Syntax of delimited text: what stands between cells, and how text is made safe.
protocol DelimitedSyntax {
  /// What stands between two cells.
  static var separator: UInt8 { get }
  /// What a cell without a value says, unless another text is asked for.
  static var nullText: String { get }

  /// Appends a text so that it reads back as it is, and not as null.
  static func append(_ utf8: UnsafeBufferPointer<UInt8>, to cells: OutputBuffer, nullText: [UInt8])
}

/// Writer of delimited text: one line a row, cells separated by one byte; ids of a to-many cell stand apart by a space.
final class DelimitedResultWriter<Syntax: DelimitedSyntax>: PlainResultWriter {
  let cells: OutputBuffer
  let timeZone: TimeZone?
  var references = ReferenceList.none
  private let nullText: [UInt8]
  private let options: ResultOptions
  /// Whether the next cell is the first of its row.
  private var isFirst = true

  init(_ output: OutputBuffer, _ options: ResultOptions) {
    cells = output
    self.options = options
    timeZone = options.timeZone
    nullText = Array((options.nullText ?? Syntax.nullText).utf8)
  }

  var referenceSeparator: StaticString { " " }

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
    if !isFirst { cells.append(byte: Syntax.separator) }
    isFirst = false
  }

  @inline(__always)
  func endCell() {}

  func null() {
    beginCell()
    cells.append(nullText)
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    if var repaired = unsafe UTF8Check.repaired(utf8) { return repaired.withUTF8 { unsafe text($0) } }
    beginCell()
    guard options.terminal.isTerminal else {
      return unsafe Syntax.append(utf8, to: cells, nullText: nullText)
    }
    // On a terminal nothing in it can do more than be read; line ends and tabs are kept.
    var shown = unsafe VisibleText.escape(String(decoding: utf8, as: UTF8.self), keeping: ["\n", "\r", "\t"])
    shown.withUTF8 { unsafe Syntax.append($0, to: cells, nullText: nullText) }
  }

  func data(_ bytes: UnsafeBufferPointer<UInt8>) {
    // An empty cell of CSV without quotes would be null.
    if bytes.isEmpty { return unsafe text(bytes) }
    beginCell()
    unsafe cells.append(base64: bytes)
  }

  func endRow() throws(OutputError) {
    cells.append(byte: 0x0A)
    if options.flushesEveryRow { try cells.flush() } else if let failure = cells.failure { throw failure }
  }

  func end() throws(OutputError) { try cells.flush() }
}

/// Comma-separated values (RFC 4180, lines end with LF): null is an unquoted empty cell, the empty string is `""`.
enum CSVSyntax: DelimitedSyntax {
  static let separator = UInt8(ascii: ",")
  static let nullText = ""

  static func append(_ utf8: UnsafeBufferPointer<UInt8>, to cells: OutputBuffer, nullText: [UInt8]) {
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
    if hasQuotes { unsafe appendDoubled(utf8, to: cells) } else { unsafe cells.append(utf8) }
    cells.append(byte: UInt8(ascii: "\""))
  }

  private static func appendDoubled(_ utf8: UnsafeBufferPointer<UInt8>, to cells: OutputBuffer) {
    var start = 0
    for index in utf8.indices where unsafe utf8[index] == UInt8(ascii: "\"") {
      unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start...index]))
      start = index
    }
    unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start...]))
  }
}

/// Tab-separated values: `\N` is null; tabs, line ends and backslashes are escaped.
enum TSVSyntax: DelimitedSyntax {
  static let separator = UInt8(0x09)
  static let nullText = "\\N"

  static func append(_ utf8: UnsafeBufferPointer<UInt8>, to cells: OutputBuffer, nullText: [UInt8]) {
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
