import Foundation

/// Stream of JSON values: one a line, the elements of one array, or one alone.
///
/// Memory stays bounded by the longest record. What it hands out is valid until the next call.
@safe final class JSONRecordStream {
  /// How the values stand in the input.
  enum Form: String, CaseIterable {
    /// One value a line.
    case ndjson
    /// One array of values, or one value.
    case json
  }

  private enum State {
    case lines
    case firstElement
    case nextElement
    case single
    case finished
  }

  let record = JSONRecord()
  /// Whether the values are elements of an array.
  private(set) var isArray = false
  /// The record as it came: a whole line without its end, or an element alone.
  private(set) var bytes = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// The white space in front of the element in its array; in the end that in front of the closing bracket.
  private(set) var gap: [UInt8] = []

  private let buffer: InputBuffer
  private let willWait: () throws -> Void
  private var state = State.lines
  /// The line and column of the first byte of the buffer.
  private var position = TextPosition(line: 1, column: 1)
  /// What comes before this place in the buffer is not needed any more.
  private var start = 0
  /// Where reading goes on.
  private var cursor = 0
  /// Where the record's source begins.
  private var recordStart = 0
  /// Up to where there is no line end.
  private var scanned = 0

  /// Opens a stream over a file. Without a form an array is told by its bracket; everything else is one value
  /// a line.
  ///
  /// - Parameter willWait: Called before reading from what may not have more yet.
  init(_ file: InputFile, form: Form?, willWait: @escaping () throws -> Void) throws {
    buffer = InputBuffer(file)
    self.willWait = file.size == nil ? willWait : {}
    if form == .ndjson { return }
    switch try peek() {
    case UInt8(ascii: "["):
      isArray = true
      state = .firstElement
      cursor += 1
      start = cursor
    case nil: state = .finished
    default: if form == .json { state = .single }
    }
  }

  /// Goes on to the next record; false when there is none.
  func next() throws -> Bool {
    switch state {
    case .lines: return try nextLine()
    case .firstElement, .nextElement: return try nextElement()
    case .single:
      try readValue()
      state = .finished
      unsafe bytes = unsafe UnsafeBufferPointer(rebasing: record.source[record.extent])
      return true
    case .finished:
      start = cursor
      if try peek() != nil { throw failure("there is text after the end of the JSON value") }
      return false
    }
  }

  /// The line and column of a place in the record's source.
  func position(of offset: Int) -> TextPosition {
    unsafe TextPosition(
      of: recordStart + offset, in: buffer.bytes, line: position.line, column: position.column)
  }

  // MARK: Lines

  private func nextLine() throws -> Bool {
    while let line = try unsafe consumeLine() {
      recordStart = start
      var reader = unsafe JSONReader(line)
      reader.skipSpace()
      if reader.position == line.count {
        start = cursor
        continue
      }
      do throws(JSONError) {
        try record.read(&reader)
        try reader.end()
      } catch {
        throw failure(error)
      }
      unsafe bytes = unsafe line
      start = cursor
      return true
    }
    return false
  }

  /// The next line without its line feed.
  private func consumeLine() throws -> UnsafeBufferPointer<UInt8>? {
    while true {
      let bytes = unsafe buffer.bytes
      let from = max(scanned, start)
      if let base = bytes.baseAddress, from < bytes.count,
        let found = unsafe memchr(base + from, 0x0A, bytes.count - from)
      {
        let end = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        cursor = end + 1
        return unsafe UnsafeBufferPointer(rebasing: bytes[start..<end])
      }
      scanned = bytes.count
      if try fill() { continue }
      let rest = unsafe buffer.bytes
      guard start < rest.count else { return nil }
      cursor = rest.count
      return unsafe UnsafeBufferPointer(rebasing: rest[start...])
    }
  }

  // MARK: Elements

  private func nextElement() throws -> Bool {
    start = cursor
    var byte = try peek()
    if state == .nextElement, byte == UInt8(ascii: ",") {
      cursor += 1
      start = cursor
      byte = try peek()
      if byte == UInt8(ascii: "]") { throw failure("there is a comma before the closing bracket") }
    } else if state == .nextElement, byte != nil, byte != UInt8(ascii: "]") {
      throw failure("expected \",\" or \"]\" behind a value of the array")
    }
    consumeGap()
    switch byte {
    case nil: throw failure("the text ends inside of the array")
    case UInt8(ascii: "]"):
      cursor += 1
      state = .finished
      return try next()
    default:
      state = .nextElement
      try readValue()
      unsafe bytes = unsafe UnsafeBufferPointer(rebasing: record.source[record.extent])
      return true
    }
  }

  private func consumeGap() {
    let found = unsafe buffer.bytes[start..<cursor]
    if unsafe !found.elementsEqual(gap) { gap = unsafe Array(found) }
  }

  private func readValue() throws {
    while true {
      start = cursor
      recordStart = cursor
      var reader = unsafe JSONReader(UnsafeBufferPointer(rebasing: buffer.bytes[cursor...]))
      do throws(JSONError) {
        try record.read(&reader)
      } catch {
        guard error.code == .unexpectedEnd, try complete() else { throw failure(error) }
        continue
      }
      // A number at the end of what is here may go on in what comes next.
      if unsafe reader.position == reader.bytes.count, try fill() { continue }
      cursor = recordStart + reader.position
      return
    }
  }

  /// Reads on until the whole value is here; false if the input ends before.
  private func complete() throws -> Bool {
    var scanner = JSONElementScanner()
    var hasRead = false
    while unsafe scanner.scan(UnsafeBufferPointer(rebasing: buffer.bytes[start...])) == nil {
      guard try fill() else { return hasRead }
      hasRead = true
    }
    return hasRead
  }

  // MARK: Bytes

  /// The next byte that is no white space; nil at the end.
  private func peek() throws -> UInt8? {
    while true {
      let bytes = unsafe buffer.bytes
      while cursor < bytes.count {
        let byte = unsafe bytes[cursor]
        guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
        cursor += 1
      }
      if try !fill() { return nil }
    }
  }

  /// Reads more; false at the end. What was handed out becomes invalid.
  private func fill() throws -> Bool {
    guard !buffer.isAtEnd else { return false }
    try willWait()
    position = unsafe TextPosition(
      of: start, in: buffer.bytes, line: position.line, column: position.column)
    buffer.consume(start)
    cursor -= start
    recordStart -= start
    scanned = max(0, scanned - start)
    start = 0
    return try buffer.fill(line: position.line)
  }

  private func failure(_ error: JSONError) -> InputError {
    let place = position(of: error.offset)
    let code: InputError.Code = error.code == .invalidUTF8 ? .notUTF8 : .jsonSyntax
    return InputError(code, error.message, line: place.line, column: place.column)
  }

  private func failure(_ message: String) -> InputError {
    recordStart = cursor
    let place = position(of: 0)
    return InputError(.jsonSyntax, message, line: place.line, column: place.column)
  }
}
