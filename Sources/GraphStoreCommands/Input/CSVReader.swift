/// Reader of records from comma-separated values (RFC 4180) with a header row; another ASCII character may
/// stand for the comma.
///
/// An unquoted empty cell is null, `""` is the empty string. Quoted cells may hold commas, quotes (doubled)
/// and line ends.
final class CSVReader: DelimitedReader {
  private let buffer: InputBuffer
  let record = Record()
  var hasHeader = false
  private var line = 1

  /// What divides the columns; nil until the header is read, where it is to be found there.
  private(set) var delimiter: CSVDelimiter?

  /// - Parameter delimiter: what divides the columns; nil to find it in the header.
  init(_ file: InputFile, delimiter: CSVDelimiter? = nil) {
    self.delimiter = delimiter
    buffer = InputBuffer(file)
  }

  func readRow() throws(InputError) -> Bool {
    while true {
      if unsafe buffer.bytes.isEmpty, try !buffer.fill() { return false }
      if delimiter == nil { try findDelimiter() }
      let delimiter = delimiter ?? .comma
      var splitter = CSVSplitter(isLast: buffer.isAtEnd, delimiter: delimiter.byte)
      var outcome = unsafe splitter.split(buffer.bytes, record)
      if outcome == .incomplete {
        try completeRecord()
        splitter = CSVSplitter(isLast: buffer.isAtEnd, delimiter: delimiter.byte)
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
      if let error = problem(outcome, lines: lines) { throw error }
      return true
    }
  }

  /// Reads until a whole record is in the buffer, or all that is left.
  ///
  /// - Returns: how many bytes it has, without what ends its line.
  @discardableResult
  private func completeRecord() throws(InputError) -> Int {
    var isQuoted = false
    var scanned = 0
    while true {
      let bytes = unsafe buffer.bytes
      while scanned < bytes.count {
        if unsafe bytes[scanned] == UInt8(ascii: "\"") { isQuoted.toggle() }
        if unsafe bytes[scanned] == 0x0A && !isQuoted { return scanned }
        scanned += 1
      }
      if try !buffer.fill(line: line) { return scanned }
    }
  }

  /// Finds what divides the columns in the row that is next, which is the header unless it is blank, and in
  /// those behind it that are here already.
  private func findDelimiter() throws(InputError) {
    let count = try completeRecord()
    guard unsafe buffer.bytes.prefix(count).contains(where: { $0 > 0x20 }) else { return }
    // The last row may not be here as a whole.
    let bytes = unsafe buffer.bytes
    let end = buffer.isAtEnd ? bytes.count : unsafe bytes.lastIndex(of: 0x0A) ?? count
    delimiter = unsafe CSVDelimiter(dividing: UnsafeBufferPointer(rebasing: bytes[..<end])) ?? .comma
  }

  private func problem(_ outcome: CSVSplitter.Outcome, lines: Int) -> InputError? {
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

/// Tokenizer of one CSV record.
struct CSVSplitter {
  /// How it went; offsets count from the record's beginning.
  enum Outcome: Equatable {
    case complete
    /// The bytes end before the record does.
    case incomplete
    case unclosedQuote(Int)
    case bareQuote(Int)
    case textAfterQuote(Int)
  }

  /// Whether nothing follows the bytes.
  let isLast: Bool
  /// What stands between cells.
  let delimiter: UInt8
  /// Length of the record without its line end.
  private(set) var end = 0
  /// Length of the line end: 0 at the end of the input.
  private(set) var ending = 0
  /// How many line ends the record spans, its own among them.
  private(set) var lineEnds = 0

  init(isLast: Bool, delimiter: UInt8 = UInt8(ascii: ",")) {
    self.isLast = isLast
    self.delimiter = delimiter
  }

  /// Splits the record at the beginning of `bytes` into the fields of `record`.
  mutating func split(_ bytes: UnsafeBufferPointer<UInt8>, _ record: Record) -> Outcome {
    unsafe record.reset(source: bytes)
    var index = 0
    while true {
      let isQuoted = unsafe index < bytes.count && bytes[index] == UInt8(ascii: "\"")
      let outcome = unsafe isQuoted ? quoted(bytes, &index, record) : plain(bytes, &index, record)
      guard outcome == .complete else {
        if outcome == .incomplete { return outcome }
        return unsafe finish(bytes, max(index, end), record) ? outcome : .incomplete
      }
      if index == bytes.count {
        guard isLast else { return .incomplete }
        unsafe close(bytes, index, 0, record)
        return .complete
      }
      switch unsafe bytes[index] {
      case delimiter: index += 1
      case 0x0A:
        unsafe close(bytes, index, 1, record)
        return .complete
      default:
        unsafe close(bytes, index, 2, record)
        return .complete
      }
    }
  }

  /// Scans a cell without quotes; leaves `index` at the comma, the line end or the end.
  private func plain(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ record: Record) -> Outcome {
    let start = index
    while index < bytes.count {
      let byte = unsafe bytes[index]
      if byte > UInt8(ascii: ","), byte != delimiter {
        index &+= 1
        continue
      }
      if byte == delimiter || byte == 0x0A { break }
      if byte == UInt8(ascii: "\"") { return .bareQuote(index) }
      if byte == 0x0D {
        if index + 1 == bytes.count {
          if !isLast { return .incomplete }
        } else if unsafe bytes[index + 1] == 0x0A {
          break
        }
      }
      index &+= 1
    }
    append(start, index &- start, isUnescaped: false, kind: index == start ? .null : .cell, record)
    return .complete
  }

  /// Scans a cell in quotes; leaves `index` behind the closing quote.
  private mutating func quoted(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ record: Record
  ) -> Outcome {
    let opening = index
    var hasDoubled = false
    index += 1
    while index < bytes.count {
      let byte = unsafe bytes[index]
      if byte == 0x0A { lineEnds += 1 }
      if byte == UInt8(ascii: "\"") {
        if index + 1 == bytes.count && !isLast { return .incomplete }
        guard index + 1 < bytes.count, unsafe bytes[index + 1] == byte else { break }
        hasDoubled = true
        index += 1
      }
      index += 1
    }
    guard index < bytes.count else {
      guard isLast else { return .incomplete }
      end = bytes.count
      return .unclosedQuote(opening)
    }
    if hasDoubled {
      unsafe appendDoubled(bytes, opening + 1..<index, record)
    } else {
      append(opening + 1, index - opening - 1, isUnescaped: false, kind: .cell, record)
    }
    index += 1
    return unsafe behindQuote(bytes, index)
  }

  private func behindQuote(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Outcome {
    guard index < bytes.count else { return .complete }
    switch unsafe bytes[index] {
    case delimiter, 0x0A: return .complete
    case 0x0D:
      if index + 1 < bytes.count {
        return unsafe bytes[index + 1] == 0x0A ? .complete : .textAfterQuote(index)
      }
      return isLast ? .textAfterQuote(index) : .incomplete
    default: return .textAfterQuote(index)
    }
  }

  private func append(_ start: Int, _ count: Int, isUnescaped: Bool, kind: Record.Kind, _ record: Record) {
    record.append(
      Record.Field(
        name: Int32(truncatingIfNeeded: record.count), kind: kind, isUnescaped: isUnescaped,
        start: start,
        count: count))
  }

  private func appendDoubled(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ record: Record) {
    let scratch = record.scratch
    scratch.reserve(range.count)
    let start = scratch.count
    var index = range.lowerBound
    while index < range.upperBound {
      unsafe scratch.base[scratch.count] = unsafe bytes[index]
      scratch.count += 1
      unsafe index += bytes[index] == UInt8(ascii: "\"") ? 2 : 1
    }
    append(start, scratch.count - start, isUnescaped: true, kind: .cell, record)
  }

  private mutating func close(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ ending: Int, _ record: Record
  ) {
    end = index
    self.ending = ending
    if ending > 0 { lineEnds += 1 }
    unsafe record.source = unsafe UnsafeBufferPointer(rebasing: bytes[0..<index])
  }

  /// Steps over the rest of a malformed record: to the next line end. False if that is not here yet.
  private mutating func finish(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ record: Record) -> Bool {
    var index = index
    while index < bytes.count, unsafe bytes[index] != 0x0A { index += 1 }
    guard index < bytes.count || isLast else { return false }
    unsafe close(bytes, index, index < bytes.count ? 1 : 0, record)
    return true
  }
}
