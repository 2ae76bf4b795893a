import GraphStoreModel
import GraphStoreReports

/// The inner loops of reading JSON strings.
enum JSONScan {
  /// Moves `index`, which is inside of a string, to its closing quote; true if it holds escapes.
  @inline(never)
  static func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(JSONError) -> Bool {
    var hasEscapes = false
    while true {
      index = unsafe JSONPlainText.end(in: bytes, from: index)
      guard index < bytes.count else { throw unsafe unclosed(bytes) }
      switch unsafe bytes[index] {
      case UInt8(ascii: "\""): return hasEscapes
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try unsafe skipEscape(bytes, &index)
      case 0..<0x20:
        throw JSONError(
          .controlCharacter,
          unsafe "\(describe(bytes, at: index)) must be escaped in a string", at: index)
      default:
        let length = unsafe UTF8Check.sequenceLength(bytes, at: index)
        if length < 0 { throw unsafe unclosed(bytes) }
        if length == 0 { throw JSONError(.invalidUTF8, "the string is not valid UTF-8", at: index) }
        index += length
      }
    }
  }

  private static func skipEscape(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(JSONError) {
    switch unsafe JSONEscape.read(bytes, at: index) {
    case .character(_, let end): index = end
    case .endsBeforeKind, .endsInDigits, .endsBeforeSecondHalf: throw unsafe unclosed(bytes)
    case .unknown:
      throw JSONError(
        .invalidEscape, unsafe "\"\\\" before \(describe(bytes, at: index + 1)) is no escape", at: index)
    case .badDigits(let offset):
      throw JSONError(.invalidEscape, "\"\\u\" needs four hexadecimal digits", at: offset)
    case .missingFirstHalf, .missingSecondHalf:
      throw JSONError(.loneSurrogate, "half of a surrogate pair stands alone", at: index)
    }
  }

  private static func unclosed(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONError {
    JSONError(.unexpectedEnd, "the text ends inside of a string", at: bytes.count)
  }

  /// Appends the text of a checked string with its escapes resolved; gives its place in the scratch memory.
  static func unescape(
    _ bytes: UnsafeBufferPointer<UInt8>, _ slice: JSONReader.StringSlice, into scratch: ByteScratch
  ) -> (start: Int, count: Int) {
    scratch.reserve(slice.end - slice.start)
    let start = scratch.count
    var out = unsafe scratch.base + start
    var index = slice.start
    while index < slice.end {
      let byte = unsafe bytes[index]
      guard byte == UInt8(ascii: "\\") else {
        unsafe out.pointee = byte
        unsafe out += 1
        index += 1
        continue
      }
      guard case .character(let scalar, let end) = unsafe JSONEscape.read(bytes, at: index) else { break }
      unsafe out = unsafe encode(scalar.value, to: out)
      index = end
    }
    scratch.count = unsafe out - scratch.base
    return (start, scratch.count - start)
  }

  /// Writes a scalar value as UTF-8; gives the place behind it.
  private static func encode(_ scalar: UInt32, to out: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<
    UInt8
  > {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | (scalar >> shift & 0x3F)) }
    switch scalar {
    case 0..<0x80:
      unsafe out[0] = UInt8(truncatingIfNeeded: scalar)
      return unsafe out + 1
    case 0x80..<0x800:
      unsafe out[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
      unsafe out[1] = tail(0)
      return unsafe out + 2
    case 0x800..<0x10000:
      unsafe out[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
      unsafe out[1] = tail(6)
      unsafe out[2] = tail(0)
      return unsafe out + 3
    default:
      unsafe out[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
      unsafe out[1] = tail(12)
      unsafe out[2] = tail(6)
      unsafe out[3] = tail(0)
      return unsafe out + 4
    }
  }

  /// Names the character at an offset, for messages.
  static func describe(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> String {
    guard index < bytes.count else { return "the end" }
    let byte = unsafe bytes[index]
    let hex = String(byte, radix: 16, uppercase: true)
    if byte < 0x20 || byte == 0x7F { return "the control character U+00" + (byte < 0x10 ? "0" : "") + hex }
    let length = unsafe UTF8Check.sequenceLength(bytes, at: index)
    guard length > 0 else { return "the byte 0x\(hex)" }
    return unsafe "\"" + String(decoding: bytes[index..<index + length], as: UTF8.self) + "\""
  }
}
