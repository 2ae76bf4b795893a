import GraphStoreReports

/// Reader of rows under a header row.
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

/// Header row of CSV and TSV, checked and interned.
enum DelimitedHeader {
  /// Reads the header by `readRow`. Without it nothing can be read, so no error of it is recoverable.
  static func read(_ record: Record, _ readRow: () throws(InputError) -> Bool) throws(InputError) {
    do throws(InputError) {
      guard try readRow() else {
        throw InputError(.headerMissing, "the input is empty; the first line must name the columns", line: 1)
      }
      try internNames(of: record)
    } catch {
      var error = error
      error.isRecoverable = false
      throw error
    }
  }

  /// Interns the names in the fields of the first record, so that the number of a name is that of its column.
  private static func internNames(of record: Record) throws(InputError) {
    for index in unsafe record.fields.indices {
      let field = unsafe record.fields[index]
      let bytes = unsafe record.bytes(field)
      guard field.kind != .null, !bytes.isEmpty else {
        throw InputError(
          .headerInvalid, "column \(index + 1) of the header has no name", line: record.line, column: nil)
      }
      guard let number = unsafe record.names.intern(bytes) else {
        throw InputError(
          .tooManyNames, "the header has more than \(FieldNames.limit) columns", line: record.line)
      }
      guard Int(number) == index else {
        let name = record.text(field)
        throw InputError(
          .headerInvalid, "the header names the column \"\(name)\" twice", line: record.line, field: name)
      }
    }
  }

  /// The error for a record of the wrong length.
  static func wrongCount(_ record: Record, line: Int) -> InputError {
    let expected = record.names.count
    return InputError(
      .fieldCount,
      "the record has \(record.count) field\(record.count == 1 ? "" : "s"), the header \(expected)",
      line: line, isRecoverable: true)
  }

  /// The error for text that is not UTF-8, if it is not.
  static func checkUTF8(_ record: Record) -> InputError? {
    guard let problem = unsafe UTF8Check.firstMalformedByte(record.source) else { return nil }
    let place = unsafe TextPosition(of: problem, in: record.source, line: record.line)
    return InputError(
      .notUTF8, "the text is not valid UTF-8", line: place.line, column: place.column, isRecoverable: true)
  }
}
