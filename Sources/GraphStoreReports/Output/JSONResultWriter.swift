import GraphStore

/// Writer of JSON objects: one a line, or as one array, which may be laid out with a line for each value.
@safe final class JSONResultWriter: ResultWriter {
  /// Where the rows go.
  private let target: OutputBuffer
  /// Where a row is written first: the same, unless rows are laid out when they are whole.
  private let output: OutputBuffer
  private let indents: Bool
  private let isArray: Bool
  private let flushesEveryRow: Bool
  /// Where text is written first that is shown on a terminal, to be made safe for it; nil elsewhere.
  private let draft: OutputBuffer?
  /// What stands before the value of each column: `,"name":`.
  private let prefixes = OutputBuffer.memory()
  // What follows changes with every cell: not checked for exclusivity, as in `OutputBuffer`.

  /// Where the prefix of each column ends. In plain memory, for it is read at every cell.
  @exclusivity(unchecked) private var bounds = UnsafeMutableBufferPointer<Int>.allocate(capacity: 0)
  @safe @exclusivity(unchecked) private var prefixStart = 0
  @safe @exclusivity(unchecked) private var column = 0
  @safe @exclusivity(unchecked) private var hasBegun = false
  @safe @exclusivity(unchecked) private var hasRows = false
  @safe @exclusivity(unchecked) private var isInReferences = false
  @safe @exclusivity(unchecked) private var needsComma = false

  init(_ output: OutputBuffer, _ options: WriterOptions, isArray: Bool) {
    indents = isArray && options.indentsJSON
    target = output
    self.output = indents ? .memory() : output
    self.isArray = isArray
    flushesEveryRow = options.flushesEveryRow
    draft = options.terminal.isTerminal ? .memory() : nil
  }

  deinit {
    unsafe bounds.deallocate()
  }

  func begin(columns: [OutputColumn]) {
    unsafe bounds.deallocate()
    unsafe bounds = .allocate(capacity: columns.count)
    prefixes.clear()
    for (index, column) in columns.enumerated() {
      prefixes.append(byte: UInt8(ascii: index == 0 ? "{" : ","))
      var name = column.name
      name.withUTF8 { unsafe append($0, to: prefixes) }
      prefixes.append(byte: UInt8(ascii: ":"))
      unsafe bounds.initializeElement(at: index, to: prefixes.count)
    }
    if isArray, !hasBegun { target.append(byte: UInt8(ascii: "[")) }
    hasBegun = true
  }

  func beginRow(_ entity: EntityLabel, key: Int64) { beginRow() }

  func beginRow() {
    column = 0
    prefixStart = 0
    if isArray { target.append(hasRows ? ",\n  " : "\n  ") }
    hasRows = true
  }

  /// Writes what stands before a value: the key, or the comma of a list.
  @inline(__always)
  private func beginValue() {
    if isInReferences {
      if needsComma { output.append(byte: UInt8(ascii: ",")) }
      needsComma = true
      return
    }
    guard unsafe column < bounds.count else { return }
    let end = unsafe bounds[column]
    unsafe output.append(UnsafeBufferPointer(rebasing: prefixes.bytes[prefixStart..<end]))
    prefixStart = end
    column &+= 1
  }

  func null() {
    beginValue()
    output.append(literal: "null")
  }

  func bool(_ value: Bool) {
    beginValue()
    if value { output.append(literal: "true") } else { output.append(literal: "false") }
  }

  func integer(_ value: Int64) {
    beginValue()
    output.append(integer: value)
  }

  func double(_ value: Double) {
    beginValue()
    output.append(jsonDouble: value)
  }

  func float(_ value: Float) {
    beginValue()
    if value.isFinite { output.append(float: value) } else { output.append(jsonDouble: Double(value)) }
  }

  func decimal(_ value: DecimalNumeral) {
    beginValue()
    quoted { output.append(decimal: value) }
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    beginValue()
    unsafe append(utf8, to: output)
  }

  /// Appends text as a string; on a terminal, nothing in it can do more than be read.
  @inline(__always)
  private func append(_ utf8: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) {
    guard let draft else { return unsafe output.append(jsonString: utf8) }
    draft.clear()
    unsafe draft.append(jsonString: utf8)
    unsafe output.append(visibleJSON: draft.bytes)
  }

  func date(_ seconds: Double) {
    beginValue()
    guard DateText.range.contains(seconds) else { return output.append(jsonDouble: seconds) }
    quoted { output.append(date: seconds) }
  }

  func uuid(_ bytes: UnsafeBufferPointer<UInt8>) {
    beginValue()
    quoted { unsafe output.append(uuid: bytes) }
  }

  func uri(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe text(utf8) }

  func data(_ bytes: UnsafeBufferPointer<UInt8>) {
    beginValue()
    quoted { unsafe output.append(base64: bytes) }
  }

  func reference(_ entity: EntityLabel, key: Int64, isTemporary: Bool) {
    beginValue()
    quoted { output.append(entity, key: key, isTemporary: isTemporary) }
  }

  func beginReferences() {
    beginValue()
    output.append(byte: UInt8(ascii: "["))
    isInReferences = true
    needsComma = false
  }

  func endReferences() {
    isInReferences = false
    output.append(byte: UInt8(ascii: "]"))
  }

  func json(_ utf8: UnsafeBufferPointer<UInt8>) {
    beginValue()
    if draft == nil { unsafe output.append(utf8) } else { unsafe output.append(visibleJSON: utf8) }
  }

  func endRow() throws(OutputError) {
    if unsafe bounds.count == 0 { output.append(byte: UInt8(ascii: "{")) }
    output.append(byte: UInt8(ascii: "}"))
    if !isArray { output.append(byte: 0x0A) }
    if indents {
      unsafe target.append(indenting: output.bytes, depth: 1)
      output.clear()
    }
    if flushesEveryRow { try target.flush() } else if let failure = target.failure { throw failure }
  }

  func end() throws(OutputError) {
    if isArray { target.append(hasRows ? "\n]\n" : "]\n") }
    try target.flush()
  }

  @inline(__always)
  private func quoted(_ write: () -> Void) {
    output.append(byte: UInt8(ascii: "\""))
    write()
    output.append(byte: UInt8(ascii: "\""))
  }
}

/// Buffer of JSON for one cell: nested lists and dictionaries of values.
struct JSONResultBuffer {
  private let output = OutputBuffer.memory()
  /// Writes single values; its own rows and columns are not used.
  let writer: JSONResultWriter
  private var needsComma = false

  init() { writer = JSONResultWriter(output, WriterOptions(), isArray: false) }

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
  mutating func consume(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    unsafe body(output.bytes)
    output.clear()
    needsComma = false
  }
}
