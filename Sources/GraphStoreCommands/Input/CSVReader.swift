/// Reads records from comma-separated values (RFC 4180) with a header row; another ASCII character may stand for the comma.
///
/// An unquoted empty cell is null, `""` is the empty string. Quoted cells may hold commas, quotes (doubled) and line ends.
final class CSVReader: DelimitedReader {
  private let buffer: InputBuffer
  let record = Record()
  var hasHeader = false
  private var line = 1

  private let delimiter: UInt8

  init(_ file: InputFile, delimiter: UInt8 = UInt8(ascii: ",")) {
    self.delimiter = delimiter
    buffer = InputBuffer(file)
  }

  var bytesConsumed: Int { buffer.consumed }

  func readRow() throws(InputError) -> Bool {
    while true {
      if unsafe buffer.bytes.isEmpty, try !buffer.fill() { return false }
      var splitter = CSVSplitter(isLast: buffer.isAtEnd, delimiter: delimiter)
      var outcome = unsafe splitter.split(buffer.bytes, record)
      if outcome == .incomplete {
        try completeRecord()
        splitter = CSVSplitter(isLast: buffer.isAtEnd, delimiter: delimiter)
        outcome = unsafe splitter.split(buffer.bytes, record)
      }
      record.line = line
      let isBlank = splitter.end == 0 && outcome == .complete
      let lines = splitter.lineEnds
      buffer.consume(splitter.end + splitter.ending)
      line += lines
      if isBlank && record.names.count != 1 { continue }
      if hasHeader { record.number += 1 }
      if let error = DelimitedHeader.checkUTF8(record) { throw error }
      if let error = fault(outcome, lines: lines) { throw error }
      return true
    }
  }

  /// Reads until a whole record is in the buffer, or all that is left.
  private func completeRecord() throws(InputError) {
    var isQuoted = false
    var scanned = 0
    while true {
      let bytes = unsafe buffer.bytes
      while scanned < bytes.count {
        if unsafe bytes[scanned] == UInt8(ascii: "\"") { isQuoted.toggle() }
        if unsafe bytes[scanned] == 0x0A && !isQuoted { return }
        scanned += 1
      }
      if try !buffer.fill() { return }
    }
  }

  private func fault(_ outcome: CSVSplitter.Outcome, lines: Int) -> InputError? {
    switch outcome {
    case .complete: return nil
    case .incomplete: return InputError(.csvSyntax, "the record does not end", line: record.line)
    case .unclosedQuote(let offset):
      let place = unsafe TextPosition(of: offset, in: record.source, line: record.line)
      return InputError(
        .unclosedQuote, "the quote that opens here is never closed", line: place.line, column: place.column)
    case .bareQuote(let offset):
      let place = unsafe TextPosition(of: offset, in: record.source, line: record.line)
      return InputError(
        .csvSyntax, "a quote stands in a cell that is not quoted; put the cell in quotes and double it",
        line: place.line, column: place.column, isRecoverable: true)
    case .textAfterQuote(let offset):
      let place = unsafe TextPosition(of: offset, in: record.source, line: record.line)
      return InputError(
        .csvSyntax, "a quoted cell must be followed by a comma or the end of the line", line: place.line,
        column: place.column, isRecoverable: true)
    }
  }
}
