/// A reader of rows whose first names the columns.
protocol DelimitedReader: RecordReader {
  /// Whether the header was read.
  var hasHeader: Bool { get set }

  /// Reads one row, the header too, into the record; false at the end.
  func readRow() throws(InputError) -> Bool
}

extension DelimitedReader {
  func next() throws(InputError) -> Record? {
    if !hasHeader {
      try DelimitedHeader.read(record, readRow)
      hasHeader = true
    }
    guard try readRow() else { return nil }
    guard record.count == record.names.count else {
      throw DelimitedHeader.wrongCount(record, line: record.line)
    }
    return record
  }
}
