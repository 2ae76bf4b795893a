/// JSON of nested lists and dictionaries of values, gathered in memory for one cell.
struct JSONResultBuffer {
  private let output = OutputBuffer.memory()
  /// Writes single values; its own rows and columns are not used.
  let writer: JSONResultWriter
  private var needsComma = false

  init() { writer = JSONResultWriter(output, ResultOptions(), isArray: false) }

  mutating func open(_ bracket: Unicode.Scalar = "[") {
    separate()
    output.append(byte: UInt8(ascii: bracket))
    needsComma = false
  }

  mutating func close(_ bracket: Unicode.Scalar = "]") {
    output.append(byte: UInt8(ascii: bracket))
    needsComma = true
  }

  /// Writes the name of the member whose value follows.
  mutating func key(_ name: String) {
    separate()
    output.append(jsonString: name)
    output.append(byte: UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes the comma before a value, where one is needed.
  mutating func separate() {
    if needsComma { output.append(byte: UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Hands over what was gathered, and forgets it.
  mutating func take(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    unsafe body(output.bytes)
    output.clear()
    needsComma = false
  }
}
