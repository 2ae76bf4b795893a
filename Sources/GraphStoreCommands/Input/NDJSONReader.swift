/// Reader of records from JSON objects, one a line. Blank lines are skipped.
final class NDJSONReader: RecordReader {
  private let lines: LineReader
  private let parser = JSONRecordParser()

  init(_ file: InputFile) {
    lines = LineReader(file)
  }

  var record: Record { parser.record }

  func next() throws(InputError) -> Record? {
    let record = parser.record
    while let line = try unsafe lines.next() {
      var reader = unsafe JSONReader(line)
      reader.skipSpace()
      if reader.position == line.count { continue }
      unsafe record.reset(source: line)
      record.line = lines.line
      record.number += 1
      do throws(JSONRecordParser.Failure) {
        try parser.parse(&reader, start: 0)
      } catch {
        throw unsafe InputError(error, in: line, line: lines.line, column: 1)
      }
      do throws(JSONError) { try reader.end() } catch {
        throw unsafe InputError(.syntax(error), in: line, line: lines.line, column: 1)
      }
      return record
    }
    return nil
  }
}

extension InputError {
  /// The error for a malformed record in `bytes`, which begin at `line` and `column`.
  init(_ failure: JSONRecordParser.Failure, in bytes: UnsafeBufferPointer<UInt8>, line: Int, column: Int) {
    switch failure {
    case .syntax(let error):
      let place = unsafe TextPosition(of: error.offset, in: bytes, line: line, column: column)
      let code: Code = error.code == .invalidUTF8 ? .notUTF8 : .jsonSyntax
      self.init(code, error.message, line: place.line, column: place.column, isRecoverable: true)
    case .content(let code, let message, let offset, let field):
      let place = unsafe TextPosition(of: offset, in: bytes, line: line, column: column)
      self.init(
        code, message, line: place.line, column: place.column, field: field,
        isRecoverable: code != .tooManyNames)
    }
  }
}
