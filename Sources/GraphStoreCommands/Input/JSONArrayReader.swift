/// Streaming reader of records from one JSON array of objects, or from a single object.
final class JSONArrayReader: RecordReader {
  private enum State {
    case beginning
    case first
    case following
    case single
    case finished
  }

  private let buffer: InputBuffer
  private let parser = JSONRecordParser()
  private var state = State.beginning
  private var position = TextPosition(line: 1, column: 1)

  init(_ file: InputFile) {
    buffer = InputBuffer(file)
  }

  var record: Record { parser.record }

  func next() throws(InputError) -> Record? {
    if state == .beginning { try begin() }
    if state == .first || state == .following { try advance() }
    if state == .finished {
      try checkEnd()
      return nil
    }
    return try element()
  }

  private func begin() throws(InputError) {
    switch try peekByte() {
    case UInt8(ascii: "["):
      consume(1)
      state = .first
    case UInt8(ascii: "{"): state = .single
    case nil: throw failure("the input is empty; a JSON array of objects was expected")
    default: throw failure("a JSON array of objects, or one object, was expected")
    }
  }

  /// Goes over the comma between elements, or the end of the array.
  private func advance() throws(InputError) {
    switch try peekByte() {
    case UInt8(ascii: "]"):
      consume(1)
      state = .finished
    case UInt8(ascii: ",") where state == .following:
      consume(1)
      if try peekByte() == UInt8(ascii: "]") { throw failure("there is a comma before the closing bracket") }
    case nil: throw failure("the text ends inside of the array")
    default: if state == .following { throw failure("expected \",\" or \"]\" behind a record") }
    }
  }

  private func element() throws(InputError) -> Record {
    guard try peekByte() != nil else { throw failure("the text ends where a record was expected") }
    let record = parser.record
    record.number += 1
    let wasSingle = state == .single
    while true {
      let bytes = unsafe buffer.bytes
      var reader = unsafe JSONReader(bytes)
      unsafe record.reset(source: bytes)
      record.line = position.line
      do throws(JSONRecordParser.Failure) {
        try parser.parse(&reader, start: 0)
      } catch {
        if case .syntax(let problem) = error, problem.code == .unexpectedEnd, !buffer.isAtEnd {
          try completeElement()
          continue
        }
        throw try recover(error, wasSingle: wasSingle)
      }
      state = wasSingle ? .finished : .following
      unsafe record.source = unsafe UnsafeBufferPointer(rebasing: bytes[0..<reader.position])
      consume(reader.position)
      return record
    }
  }

  /// Makes an error of a malformed element and steps over it, if its end can be found.
  private func recover(_ error: JSONRecordParser.Failure, wasSingle: Bool) throws(InputError) -> InputError {
    let length = try completeElement()
    let bytes = unsafe buffer.bytes
    var result = unsafe InputError(error, in: bytes, line: position.line, column: position.column)
    guard let length, !wasSingle else {
      state = .finished
      result.isRecoverable = false
      consume(bytes.count)
      return result
    }
    state = .following
    unsafe record.source = unsafe UnsafeBufferPointer(rebasing: bytes[0..<length])
    consume(length)
    return result
  }

  /// Reads until the whole element is in the buffer; gives its length, or nil if the input ends before.
  @discardableResult
  private func completeElement() throws(InputError) -> Int? {
    var scanner = JSONElementScanner()
    while true {
      if let length = unsafe scanner.scan(buffer.bytes) { return length }
      if try !buffer.fill(line: position.line) { return nil }
    }
  }

  private func checkEnd() throws(InputError) {
    if try peekByte() != nil { throw failure("there is text after the end of the JSON value") }
  }

  /// The next byte that is no white space; nil at the end.
  private func peekByte() throws(InputError) -> UInt8? {
    while true {
      var reader = unsafe JSONReader(buffer.bytes)
      reader.skipSpace()
      let found = unsafe reader.position < reader.bytes.count ? reader.bytes[reader.position] : nil
      consume(reader.position)
      if let found { return found }
      if try !buffer.fill() { return nil }
    }
  }

  private func consume(_ count: Int) {
    let bytes = unsafe buffer.bytes
    position = unsafe TextPosition(of: count, in: bytes, line: position.line, column: position.column)
    buffer.consume(count)
  }

  private func failure(_ message: String) -> InputError {
    state = .finished
    return InputError(.jsonSyntax, message, line: position.line, column: position.column)
  }
}

/// Scanner for the end of an array's element, by brackets and quotes alone, however little of it is here yet;
/// so that a malformed element can be stepped over, and one that is not whole need not be read again and
/// again.
struct JSONElementScanner {
  /// How many bytes of the element were looked at.
  private(set) var scanned = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Goes on through `bytes`, which begin with the element; gives the length of the element when its end is
  /// here.
  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    while scanned < bytes.count {
      let byte = unsafe bytes[scanned]
      if isEscaped {
        isEscaped = false
      } else if isInString {
        if byte == UInt8(ascii: "\"") {
          isInString = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return scanned }
          depth -= 1
        case UInt8(ascii: ",") where depth == 0: return scanned
        default: break
        }
      }
      scanned += 1
    }
    return nil
  }
}
