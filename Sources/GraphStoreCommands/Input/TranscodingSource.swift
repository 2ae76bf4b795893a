import _FoundationICU

/// Text of a source in another encoding, as UTF-8.
@safe final class TranscodingSource: ByteSource {
  private static let chunk = 32 * 1024

  private let encoded: any ByteSource
  private let encoding: TextEncoding
  private let converter: OpaquePointer
  private let input: UnsafeMutablePointer<UInt8>
  private let units: UnsafeMutablePointer<UInt16>
  private let output: UnsafeMutablePointer<UInt8>
  /// The bytes that were read and are not converted.
  private var waiting = 0..<0
  /// The text that is converted and not handed out.
  private var converted = 0..<0
  /// The first half of a character whose second is still to come.
  private var highHalf: UInt32 = 0
  private var isAtEnd = false
  /// What is wrong behind the text that was handed out.
  private var failure: InputError?
  /// Where the text goes on that is still to be converted.
  private var position = TextPosition(line: 1, column: 1)

  /// Nil where the library has no converter, which it had when the encoding was named.
  init?(_ encoded: any ByteSource, from encoding: TextEncoding) {
    guard let converter = unsafe encoding.converter() else { return nil }
    self.encoded = encoded
    self.encoding = encoding
    unsafe self.converter = unsafe converter
    unsafe input = .allocate(capacity: Self.chunk)
    unsafe units = .allocate(capacity: Self.chunk)
    // A code unit takes three bytes at most; two of them are a character of four.
    unsafe output = .allocate(capacity: 3 * Self.chunk + 4)
  }

  deinit {
    unsafe swift_ucnv_close(converter)
    unsafe input.deallocate()
    unsafe units.deallocate()
    unsafe output.deallocate()
  }

  func read(into base: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int {
    while converted.isEmpty {
      if let failure { throw failure }
      if isAtEnd { return 0 }
      try convert()
    }
    let taken = min(count, converted.count)
    unsafe base.update(from: output + converted.lowerBound, count: taken)
    converted.removeFirst(taken)
    return taken
  }

  /// Converts the next piece of text.
  private func convert() throws(InputError) {
    if waiting.isEmpty {
      let got = try unsafe encoded.read(into: input, count: Self.chunk)
      waiting = 0..<got
      isAtEnd = got == 0
    }
    var status = U_ZERO_ERROR
    let count = convertWaiting(&status)
    encode(count)
    guard failure == nil else { return }
    switch status {
    // There is more of it than has room.
    case U_BUFFER_OVERFLOW_ERROR: isAtEnd = false
    case U_TRUNCATED_CHAR_FOUND: fail("the text ends within a character of \(encoding.name)")
    case _ where status.rawValue > U_ZERO_ERROR.rawValue:
      fail("\(invalidBytes()) for no character of \(encoding.name)")
    default: break
    }
  }

  /// Runs the converter over the bytes that wait.
  ///
  /// - Returns: the number of code units of UTF-16 that it has made.
  private func convertWaiting(_ status: inout UErrorCode) -> Int {
    var target: UnsafeMutablePointer<UInt16>? = unsafe units
    return unsafe UnsafeRawPointer(input).withMemoryRebound(to: CChar.self, capacity: Self.chunk) { bytes in
      var source: UnsafePointer<CChar>? = unsafe bytes + waiting.lowerBound
      unsafe swift_ucnv_toUnicode(
        converter, &target, units + Self.chunk, &source, bytes + waiting.upperBound, nil, isAtEnd ? 1 : 0,
        &status)
      let rest = unsafe source.map { unsafe $0 - bytes } ?? waiting.upperBound
      waiting = rest..<waiting.upperBound
      return unsafe target.map { unsafe $0 - units } ?? 0
    }
  }

  /// Writes code units of UTF-16 as UTF-8, and counts lines and columns.
  private func encode(_ count: Int) {
    let refusesControls = !encoding.isUnicode
    var cursor = unsafe output
    var place = position
    var high = highHalf
    var refused: UInt32?
    for index in 0..<count {
      var scalar = unsafe UInt32(units[index])
      if scalar & 0xFC00 == 0xD800 {
        high = scalar
        continue
      }
      if high > 0 {
        scalar = 0x10000 + (high & 0x3FF) << 10 + scalar & 0x3FF
        high = 0
      }
      if refusesControls, (0x80..<0xA0).contains(scalar) {
        refused = scalar
        break
      }
      unsafe Self.append(scalar, at: &cursor)
      if scalar == 0x0A { place = TextPosition(line: place.line + 1, column: 1) } else { place.column += 1 }
    }
    (position, highHalf) = (place, high)
    converted = unsafe 0..<(cursor - output)
    if let refused { fail(Self.control(refused, of: encoding)) }
  }

  @inline(__always)
  private static func append(_ scalar: UInt32, at cursor: inout UnsafeMutablePointer<UInt8>) {
    func put(_ byte: UInt32) {
      unsafe cursor.pointee = UInt8(truncatingIfNeeded: byte)
      unsafe cursor += 1
    }
    if scalar < 0x80 { return put(scalar) }
    if scalar < 0x800 {
      put(0xC0 | scalar >> 6)
    } else {
      if scalar < 0x10000 {
        put(0xE0 | scalar >> 12)
      } else {
        put(0xF0 | scalar >> 18)
        put(0x80 | scalar >> 12 & 0x3F)
      }
      put(0x80 | scalar >> 6 & 0x3F)
    }
    put(0x80 | scalar & 0x3F)
  }

  // MARK: Problems

  private func fail(_ message: String) {
    failure = InputError(.wrongEncoding, message, line: position.line, column: position.column)
  }

  /// Why a control character that nobody writes is refused: the converters pass bytes on as such that an
  /// encoding leaves free, or that stand for signs in the encoding of Windows that resembles it.
  private static func control(_ scalar: UInt32, of encoding: TextEncoding) -> String {
    let byte = "0x" + String(scalar, radix: 16, uppercase: true)
    let message = "the byte \(byte) stands for no character of \(encoding.name)"
    return encoding.converterName == "ISO-8859-1" ? message + "; in windows-1252 it stands for one" : message
  }

  /// The bytes that cannot be converted, in words.
  private func invalidBytes() -> String {
    var bytes = [CChar](repeating: 0, count: 32)
    var count = Int8(bytes.count)
    var status = U_ZERO_ERROR
    unsafe swift_ucnv_getInvalidChars(converter, &bytes, &count, &status)
    let texts = bytes.prefix(max(0, Int(count))).map { byte in
      let digits = String(UInt8(bitPattern: byte), radix: 16, uppercase: true)
      return "0x" + (digits.count < 2 ? "0" : "") + digits
    }
    return texts.count == 1
      ? "the byte \(texts[0]) stands" : "the bytes \(texts.joined(separator: " ")) stand"
  }
}
