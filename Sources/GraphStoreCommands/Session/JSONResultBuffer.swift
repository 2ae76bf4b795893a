/// JSON of nested lists of values, gathered in memory for one cell.
struct JSONResultBuffer {
  private let output = OutputBuffer.memory()
  /// Writes single values; its own rows and columns are not used.
  let writer: JSONResultWriter
  private var needsComma = false

  init() { writer = JSONResultWriter(output, ResultOptions(), isArray: false) }

  mutating func open() {
    separate()
    output.append(byte: UInt8(ascii: "["))
    needsComma = false
  }

  mutating func close() {
    output.append(byte: UInt8(ascii: "]"))
    needsComma = true
  }

  /// Writes the comma before a value, where one is needed.
  mutating func separate() {
    if needsComma { output.append(byte: UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Hands over what was gathered, and forgets it.
  mutating func take(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    body(output.bytes)
    output.clear()
    needsComma = false
  }
}
