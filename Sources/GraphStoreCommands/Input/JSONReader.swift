import GraphStoreModel
import GraphStoreReports

/// Zero-copy pull parser of strict JSON (RFC 8259), for records: one value at a time, without allocating.
///
/// The caller walks: `peek` says what comes next; `beginObject` and `nextKey`, or `beginArray` and
/// `nextElement`, go through a container; each value in it must be read or skipped exactly once. Slices are
/// valid as long as the bytes are. Duplicate keys are not looked for. Containers may nest 512 deep.
///
/// Model files have a parser of their own, `JSONParser`, which makes a tree and speaks to people who write
/// JSON by hand; it says why there are two. Numbers and escapes are read by one grammar.
@safe struct JSONReader {
  /// How deep containers may nest.
  static let depthLimit = 512

  /// A string as it stands between its quotes.
  struct StringSlice {
    var start: Int
    var end: Int
    /// Whether it holds escapes, so that the text differs from the bytes.
    var hasEscapes: Bool
  }

  /// A number as it stands.
  struct NumberSlice {
    var start: Int
    var end: Int
    /// Whether it has neither fraction nor exponent.
    var isInteger: Bool
  }

  let bytes: UnsafeBufferPointer<UInt8>
  /// Offset of the byte that is read next.
  private(set) var position: Int
  /// How many containers are open.
  private(set) var depth = 0
  private var isFirst = false

  init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0) {
    unsafe self.bytes = unsafe bytes
    self.position = position
  }

  // MARK: Values

  /// The kind of the next value.
  @inline(__always)
  mutating func peek() throws(JSONError) -> JSONKind {
    skipSpace()
    guard unsafe position < bytes.count else { throw unexpectedEnd("a value") }
    switch unsafe bytes[position] {
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "t"): return .true
    case UInt8(ascii: "f"): return .false
    case UInt8(ascii: "n"): return .null
    default: throw unexpected("a value")
    }
  }

  mutating func null() throws(JSONError) { try literal("null") }

  mutating func bool() throws(JSONError) -> Bool {
    if try peek() == .true {
      try literal("true")
      return true
    }
    try literal("false")
    return false
  }

  /// Goes over one value of any kind and gives its extent.
  @discardableResult
  mutating func skipValue() throws(JSONError) -> Range<Int> {
    let kind = try peek()
    let start = position
    switch kind {
    case .string: _ = try string()
    case .number: _ = try number()
    case .null: try literal("null")
    case .true: try literal("true")
    case .false: try literal("false")
    case .array:
      try beginArray()
      while try nextElement() { try skipValue() }
    case .object:
      try beginObject()
      while try nextKey() != nil { try skipValue() }
    }
    return start..<position
  }

  /// Checks that only white space is left.
  mutating func end() throws(JSONError) {
    skipSpace()
    guard unsafe position == bytes.count else {
      throw JSONError(.trailingText, "there is text after the end of the value", at: position)
    }
  }

  // MARK: Containers

  mutating func beginObject() throws(JSONError) { try open(UInt8(ascii: "{"), "an object") }

  /// Moves to the value of the next member and gives its key, or ends the object and gives nil.
  @inline(__always)
  mutating func nextKey() throws(JSONError) -> StringSlice? {
    guard try advance(UInt8(ascii: "}")) else { return nil }
    guard unsafe position < bytes.count else { throw unexpectedEnd("a key") }
    guard unsafe bytes[position] == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
    let key = try string()
    skipSpace()
    guard unsafe position < bytes.count else { throw unexpectedEnd("\":\"") }
    guard unsafe bytes[position] == UInt8(ascii: ":") else { throw unexpected("\":\" after the key") }
    position &+= 1
    return key
  }

  mutating func beginArray() throws(JSONError) { try open(UInt8(ascii: "["), "an array") }

  /// Moves to the next element, or ends the array and gives false.
  @inline(__always)
  mutating func nextElement() throws(JSONError) -> Bool { try advance(UInt8(ascii: "]")) }

  private mutating func open(_ bracket: UInt8, _ what: String) throws(JSONError) {
    skipSpace()
    guard unsafe position < bytes.count else { throw unexpectedEnd(what) }
    guard unsafe bytes[position] == bracket else { throw unexpected(what) }
    guard depth < Self.depthLimit else {
      throw JSONError(.tooDeep, "arrays and objects nest more than \(Self.depthLimit) deep", at: position)
    }
    depth &+= 1
    position &+= 1
    isFirst = true
  }

  @inline(__always)
  private mutating func advance(_ closing: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard unsafe position < bytes.count else {
      throw unexpectedEnd("\"\(Character(Unicode.Scalar(closing)))\"")
    }
    let byte = unsafe bytes[position]
    if byte == closing {
      position &+= 1
      depth &-= 1
      isFirst = false
      return false
    }
    if isFirst {
      isFirst = false
      return true
    }
    guard byte == UInt8(ascii: ",") else {
      throw unexpected("\",\" or \"\(Character(Unicode.Scalar(closing)))\"")
    }
    position &+= 1
    skipSpace()
    if unsafe position < bytes.count, unsafe bytes[position] == closing {
      throw JSONError(.trailingComma, "there is a comma before the closing bracket", at: position)
    }
    return true
  }

  // MARK: Scalars

  /// Goes over a string, checking escapes and UTF-8.
  @inline(__always)
  mutating func string() throws(JSONError) -> StringSlice {
    skipSpace()
    guard unsafe position < bytes.count else { throw unexpectedEnd("a string") }
    guard unsafe bytes[position] == UInt8(ascii: "\"") else { throw unexpected("a string") }
    let start = position &+ 1
    var index = unsafe JSONPlainText.end(in: bytes, from: start)
    if unsafe index < bytes.count, unsafe bytes[index] == UInt8(ascii: "\"") {
      position = index &+ 1
      return StringSlice(start: start, end: index, hasEscapes: false)
    }
    let hasEscapes = try unsafe JSONScan.endOfString(bytes, &index)
    position = index &+ 1
    return StringSlice(start: start, end: index, hasEscapes: hasEscapes)
  }

  /// Goes over a number, checking its grammar.
  @inline(__always)
  mutating func number() throws(JSONError) -> NumberSlice {
    skipSpace()
    let start = position
    switch unsafe JSONNumber.scan(bytes, from: start) {
    case .number(let end, let isInteger):
      position = end
      return NumberSlice(start: start, end: end, isInteger: isInteger)
    case let problem: throw badNumber(problem, from: start)
    }
  }

  private mutating func literal(_ word: StaticString) throws(JSONError) {
    skipSpace()
    let length = word.utf8CodeUnitCount
    for step in 0..<length {
      guard unsafe position + step < bytes.count else {
        throw unexpectedEnd("\(word)", at: unsafe bytes.count)
      }
      guard unsafe bytes[position + step] == word.utf8Start[step] else { throw unexpected("a value") }
    }
    position &+= length
  }

  /// Goes over white space.
  @inline(__always)
  mutating func skipSpace() {
    while unsafe position < bytes.count {
      let byte = unsafe bytes[position]
      if byte > 0x20 { return }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position &+= 1
    }
  }

  // MARK: Errors

  @inline(never)
  private func unexpectedEnd(_ expected: String, at offset: Int? = nil) -> JSONError {
    JSONError(
      .unexpectedEnd, "the text ends where \(expected) was expected", at: unsafe offset ?? bytes.count)
  }

  @inline(never)
  private func unexpected(_ expected: String) -> JSONError {
    JSONError(
      .unexpectedCharacter, unsafe "expected \(expected), found \(JSONScan.describe(bytes, at: position))",
      at: position)
  }

  @inline(never)
  private func badNumber(_ problem: JSONNumber, from start: Int) -> JSONError {
    guard case .missingDigit(let offset, let part) = problem else {
      let first = unsafe bytes[start] == UInt8(ascii: "-") ? start + 1 : start
      return JSONError(.invalidNumber, "a number must not begin with 0", at: first)
    }
    let expected =
      switch part {
      case .whole: "a digit"
      case .fraction: "a digit after \".\""
      case .exponent: "a digit in the exponent"
      }
    guard unsafe offset < bytes.count else { return unexpectedEnd(expected) }
    return JSONError(
      .invalidNumber, unsafe "expected \(expected), found \(JSONScan.describe(bytes, at: offset))", at: offset
    )
  }
}

extension JSONReader {
  /// The bytes of a string that was read; the escapes, if it has any, are resolved into `scratch`, and the
  /// bytes are then valid until `scratch` changes.
  func text(_ slice: StringSlice, scratch: ByteScratch) -> UnsafeBufferPointer<UInt8> {
    guard slice.hasEscapes else {
      return unsafe UnsafeBufferPointer(rebasing: bytes[slice.start..<slice.end])
    }
    scratch.count = 0
    let place = unsafe JSONScan.unescape(bytes, slice, into: scratch)
    return unsafe UnsafeBufferPointer(start: scratch.base + place.start, count: place.count)
  }

  /// A string that was read, as a Swift string.
  func string(_ slice: StringSlice) -> String {
    guard slice.hasEscapes else {
      return unsafe String(decoding: bytes[slice.start..<slice.end], as: UTF8.self)
    }
    let scratch = ByteScratch(capacity: slice.end - slice.start + 1)
    return withExtendedLifetime(scratch) {
      unsafe String(decoding: text(slice, scratch: scratch), as: UTF8.self)
    }
  }

  /// The bytes of a number that was read.
  func digits(_ slice: NumberSlice) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(rebasing: bytes[slice.start..<slice.end])
  }
}

/// Kind of a JSON value, told by its first byte.
enum JSONKind: UInt8, Sendable {
  case null
  case `false`
  case `true`
  case number
  case string
  case array
  case object
}
