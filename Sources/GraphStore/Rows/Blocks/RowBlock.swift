import Foundation
import GraphStorePredicates

/// The rows of a fetch, or of objects being changed, by the few dozen: words in place and a tail for what is
/// longer.
///
/// A row is a version, a null bitmap and one word a property; seen from the first property's word, the bitmap
/// precedes it, the lowest slots nearest, so that a value is found by its slot alone. Once published a row
/// never changes; objects, snapshots and the row cache share it. An object that changes has a row of its own,
/// written in place until it is saved.
@safe package final class RowBlock: @unchecked Sendable {
  /// Rows of a full block: few enough that one object that is kept does not keep thousands of rows.
  package static let capacity = 64
  /// Below this many bytes of replaced values a tail is left as it is.
  private static let leastWaste = 4096
  /// Beyond this tail a new block is begun, so that offsets fit their 32 bits.
  package static let tailLimit = 1 << 30

  package let layout: EntityLayout
  package let capacity: Int
  private let stride: Int
  private let firstSlot: Int
  private let expectedTail: Int
  @safe @exclusivity(unchecked) package private(set) var count = 0
  private let words: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) private var tail: UnsafeMutablePointer<UInt8>?
  @safe @exclusivity(unchecked) package private(set) var tailCount = 0
  @safe @exclusivity(unchecked) private var tailCapacity = 0
  /// The location of the data of values with external storage; nil where there are none.
  @safe @exclusivity(unchecked) package var externalData: ExternalDataTable?
  /// The time when the rows were first put into a row cache, that is read or written; 0 before that.
  @safe @exclusivity(unchecked) package var readTime: Int64 = 0
  /// Bytes of the tail that replaced values had.
  @safe @exclusivity(unchecked) private var tailWaste = 0

  /// Makes a block.
  ///
  /// - Parameter expectedTail: How many bytes the first growth of the tail makes room for at least.
  package init(layout: EntityLayout, capacity: Int, expectedTail: Int = 64) {
    self.layout = layout
    self.capacity = capacity
    self.expectedTail = expectedTail
    stride = layout.stride
    firstSlot = 1 + layout.bitmapWords
    unsafe words = .allocate(capacity: capacity * layout.stride)
  }

  deinit {
    unsafe words.deallocate()
    unsafe tail?.deallocate()
  }

  /// Whether others than the object that wrote a row may be reading the block.
  @safe @exclusivity(unchecked) package var isShared = false

  /// Whether the rows are those of one context alone, which may never have been saved: they enter no row
  /// cache, and may refer to objects by temporary keys.
  @safe @exclusivity(unchecked) package var isPrivate = false

  /// Whether rows of the block may still be written in place.
  @inline(__always)
  package var isWritable: Bool { !isShared && tailCount < Self.tailLimit }

  /// Whether another row, and what it may bring into the tail, has room.
  package var hasRoom: Bool { count < capacity && tailCount < Self.tailLimit }

  @inline(__always)
  private func addRow() -> Int {
    assert(count < capacity, "the block is full")
    count += 1
    return count - 1
  }

  /// Begins a row of a record: its values are nil until they are filled in, but for the defaults of transient
  /// attributes.
  @inline(__always)
  package func appendRow(version: Int64) -> Int {
    if let defaults = layout.transientDefaults { return appendRow(version: version, defaults) }
    let row = addRow()
    let start = unsafe words + row * stride
    unsafe start[0] = UInt64(bitPattern: version)
    for word in 1..<firstSlot { unsafe start[word] = .max }
    return row
  }

  @inline(never)
  private func appendRow(version: Int64, _ template: Template) -> Int {
    let row = appendRow(template)
    setVersion(row, version)
    return row
  }

  /// Begins a row with what a store keeps of another one of the same layout: transient values become their
  /// defaults.
  package func appendStoredRow(copying source: Row) -> Int {
    let row = appendRow(copying: source)
    resetTransients(of: row)
    return row
  }

  /// Sets the transient properties of a row to the values of a record that was just read.
  package func resetTransients(of row: Int) {
    for property in layout.transients { setNull(row, property.slot) }
    guard let defaults = layout.transientDefaults else { return }
    for property in layout.transients where !defaults.isNull(property.slot) {
      setWord(row, property.slot, defaults.word(property.slot))
    }
    appendTail(of: defaults, to: row)
  }

  /// Begins a row with the values of another one of the same layout.
  package func appendRow(copying source: Row) -> Int {
    assert(source.layout === layout)
    let row = addRow()
    let from = unsafe source.block.words + source.index * stride
    unsafe (words + row * stride).update(from: from, count: stride)
    guard source.block !== self else { return row }
    for property in layout.tailProperties where !isNull(row, property.slot) {
      copyTail(of: property, from: source, to: row)
    }
    return row
  }

  /// Begins a row with the defaults of a new object.
  package func appendDefaults() -> Int { appendRow(layout.defaults) }

  @inline(__always)
  private func appendRow(_ template: Template) -> Int {
    let row = addRow()
    let start = unsafe words + row * stride
    unsafe template.words.withUnsafeBufferPointer {
      unsafe start.update(from: $0.baseAddress!, count: stride)
    }
    if template.usesTail { appendTail(of: template, to: row) }
    return row
  }

  private func appendTail(of template: Template, to row: Int) {
    for (slot, bytes) in template.texts { setBytes(row, slot, bytes) }
    for (slot, value) in template.decimals { setDecimal(row, slot, value) }
  }

  /// Takes one value of another row of the same layout.
  package func copyValue(of property: PropertyLayout, from source: Row, to row: Int) {
    if property.kind == .composite {
      return property.elements.forEach { copyValue(of: $0, from: source, to: row) }
    }
    guard !source.block.isNull(source.index, property.slot) else { return setNull(row, property.slot) }
    setWord(row, property.slot, source.block.word(source.index, property.slot))
    if property.kind.usesTail, source.block !== self { copyTail(of: property, from: source, to: row) }
  }

  private func copyTail(of property: PropertyLayout, from source: Row, to row: Int) {
    switch property.kind {
    case .decimal:
      switch DecimalSlot(word: word(row, property.slot)) {
      case .whole: break
      case .double(let offset):
        unsafe setWord(
          row, property.slot, DecimalSlot.double(offset: append(source.block.tail! + offset, 8)).word)
      case .decimal(let offset):
        let size = MemoryLayout<Decimal>.size
        unsafe setWord(
          row, property.slot, DecimalSlot.decimal(offset: append(source.block.tail! + offset, size)).word)
      }
    case .external: copyExternalData(of: property, from: source, to: row)
    default:
      unsafe setBytes(row, property.slot, source.block.bytes(source.index, property.slot))
    }
  }

  // MARK: Words

  /// The word of the first slot of a row; it stays where it is as long as the block lives.
  @inline(__always)
  package func values(_ row: Int) -> UnsafeMutablePointer<UInt64> {
    // Not the count, which another thread may be changing that appends.
    assert(row >= 0 && row < capacity, "no row \(row) in room for \(capacity)")
    return unsafe words + (row * stride + firstSlot)
  }

  /// The address of the row's first slot.
  @inline(__always)
  private func values(_ row: Int, having slot: Int) -> UnsafeMutablePointer<UInt64> {
    assert(slot >= 0 && slot < layout.slotCount, "no slot \(slot) in a row of \(layout.entity.name)")
    return unsafe values(row)
  }

  @inline(__always)
  package func word(_ row: Int, _ slot: Int) -> UInt64 { unsafe values(row, having: slot)[slot] }

  @inline(__always)
  package func setWord(_ row: Int, _ slot: Int, _ word: UInt64) {
    unsafe values(row, having: slot).setWord(slot, word)
  }

  @inline(__always)
  package func isNull(_ row: Int, _ slot: Int) -> Bool { unsafe values(row, having: slot).isNull(slot) }

  @inline(__always)
  package func setNull(_ row: Int, _ slot: Int) { unsafe values(row, having: slot).setNull(slot) }

  /// The version that the store gave the row.
  package func version(_ row: Int) -> Int64 { unsafe Int64(bitPattern: values(row)[-firstSlot]) }

  package func setVersion(_ row: Int, _ version: Int64) {
    unsafe values(row)[-firstSlot] = UInt64(bitPattern: version)
  }

  // MARK: Tail

  @inline(__always)
  package func bytes(_ row: Int, _ slot: Int) -> UnsafeBufferPointer<UInt8> { unsafe bytes(word(row, slot)) }

  /// The bytes that a word of the block refers to.
  @inline(__always)
  package func bytes(_ word: UInt64) -> UnsafeBufferPointer<UInt8> {
    assert(Int(word >> 32) + Int(word & 0xFFFF_FFFF) <= tailCount, "bytes beyond the tail")
    return unsafe UnsafeBufferPointer(
      start: tail.map { unsafe $0 + Int(word >> 32) }, count: Int(word & 0xFFFF_FFFF))
  }

  @inline(__always)
  package func setBytes(_ row: Int, _ slot: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
    let offset = unsafe bytes.count == 0 ? tailCount : append(bytes.baseAddress!, bytes.count)
    setWord(row, slot, UInt64(offset) << 32 | UInt64(bytes.count))
  }

  package func setBytes(_ row: Int, _ slot: Int, _ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { unsafe setBytes(row, slot, $0) }
  }

  private func append(_ bytes: UnsafePointer<UInt8>, _ size: Int) -> Int {
    let offset = tailCount
    if offset + size > tailCapacity { growTail(to: offset + size) }
    unsafe (tail! + offset).update(from: bytes, count: size)
    tailCount = offset + size
    return offset
  }

  /// Replaces a value that may be stored in the tail, and closes the gaps of the tail once they are the
  /// greater part of it.
  @inline(__always)
  package func replacing(_ row: Int, _ slot: Int, _ kind: SlotKind, _ body: () throws -> Void) rethrows {
    let size = isNull(row, slot) ? 0 : tailSize(of: word(row, slot), kind)
    try body()
    tailWaste += size
    if tailWaste > Self.leastWaste, tailWaste > tailCount / 2 { compactTail() }
  }

  package func tailSize(of word: UInt64, _ kind: SlotKind) -> Int {
    switch kind {
    case .string, .uri, .uuid, .binary, .transformable, .external: return Int(word & 0xFFFF_FFFF)
    case .decimal:
      switch DecimalSlot(word: word) {
      case .whole: return 0
      case .double: return 8
      case .decimal: return MemoryLayout<Decimal>.size
      }
    default: return 0
    }
  }

  /// Moves the values of all rows to a tail without gaps.
  private func compactTail() {
    assert(!isShared, "the tail of a block that others read stays where it is")
    let former = unsafe tail
    unsafe (tail, tailCount, tailCapacity, tailWaste) = (nil, 0, 0, 0)
    guard let former = unsafe former else { return }
    defer { unsafe former.deallocate() }
    for row in 0..<count {
      for property in layout.tailProperties where !isNull(row, property.slot) {
        let word = word(row, property.slot)
        let size = tailSize(of: word, property.kind)
        if size > 0 {
          unsafe setWord(row, property.slot, moved(word, property.kind, size, from: former))
        } else if property.kind != .decimal {
          // A value without bytes is stored at the beginning, wherever it was in the former tail.
          setWord(row, property.slot, 0)
        }
      }
    }
  }

  private func moved(
    _ word: UInt64, _ kind: SlotKind, _ size: Int, from former: UnsafeMutablePointer<UInt8>
  ) -> UInt64 {
    guard kind == .decimal else {
      return unsafe UInt64(append(former + Int(word >> 32), size)) << 32 | UInt64(size)
    }
    return switch DecimalSlot(word: word) {
    case .whole: word
    case .double(let offset): unsafe DecimalSlot.double(offset: append(former + offset, size)).word
    case .decimal(let offset): unsafe DecimalSlot.decimal(offset: append(former + offset, size)).word
    }
  }

  private func growTail(to size: Int) {
    assert(!isShared, "the tail of a block that others read stays where it is")
    tailCapacity = max(size, tailCapacity * 2, expectedTail)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: tailCapacity)
    if let tail = unsafe tail {
      unsafe grown.update(from: tail, count: tailCount)
      unsafe tail.deallocate()
    }
    unsafe tail = unsafe grown
  }

  /// Checks that every value of the tail is within it. Costs a walk of the block.
  package func checkInvariants() throws(InvariantViolation) {
    try InvariantViolation.check(count <= capacity, "\(count) rows in room for \(capacity)")
    try InvariantViolation.check(
      tailCount <= tailCapacity && tailWaste <= tailCount,
      "a tail of \(tailCount) bytes, \(tailWaste) of them unused, in room for \(tailCapacity)")
    for row in 0..<count {
      for property in layout.tailProperties where !isNull(row, property.slot) {
        let word = word(row, property.slot)
        let size = tailSize(of: word, property.kind)
        try InvariantViolation.check(
          tailOffset(of: word, property.kind) + size <= tailCount,
          "\(property.name) of row \(row) lies beyond the tail")
      }
    }
  }

  private func tailOffset(of word: UInt64, _ kind: SlotKind) -> Int {
    guard kind == .decimal else { return Int(word >> 32) }
    switch DecimalSlot(word: word) {
    case .whole: return 0
    case .double(let offset), .decimal(let offset): return offset
    }
  }

  // MARK: Decimals

  package func setDecimal(_ row: Int, _ slot: Int, _ value: Decimal) {
    if value.exponent >= 0, let whole = Int64(exactly: value), DecimalSlot.wholeRange.contains(whole) {
      return setWord(row, slot, DecimalSlot.whole(whole).word)
    }
    let offset = unsafe withUnsafeBytes(of: value) {
      unsafe append($0.bindMemory(to: UInt8.self).baseAddress!, $0.count)
    }
    setWord(row, slot, DecimalSlot.decimal(offset: offset).word)
  }

  /// Keeps a decimal that a store holds as a whole number.
  package func setDecimal(_ row: Int, _ slot: Int, whole: Int64) {
    DecimalSlot.wholeRange.contains(whole)
      ? setWord(row, slot, DecimalSlot.whole(whole).word) : setDecimal(row, slot, Decimal(whole))
  }

  /// Keeps a decimal that a store holds as a double of at most 15 digits.
  package func setDecimal(_ row: Int, _ slot: Int, double: Double) {
    let offset = unsafe withUnsafeBytes(of: double) {
      unsafe append($0.bindMemory(to: UInt8.self).baseAddress!, 8)
    }
    setWord(row, slot, DecimalSlot.double(offset: offset).word)
  }

  package func decimal(_ row: Int, _ slot: Int) -> Decimal { decimal(word(row, slot)) }

  /// The decimal that a word of the block refers to.
  package func decimal(_ word: UInt64) -> Decimal {
    switch DecimalSlot(word: word) {
    case .whole(let value): return Decimal(value)
    case .double(let offset): return Decimal(shortestTextOf: load(Double.self, at: offset))
    case .decimal(let offset): return load(Decimal.self, at: offset)
    }
  }

  /// A number that is stored in the tail.
  private func load<Number>(_ type: Number.Type, at offset: Int) -> Number {
    assert(offset >= 0 && offset + MemoryLayout<Number>.size <= tailCount, "a number beyond the tail")
    return unsafe UnsafeRawPointer(tail! + offset).loadUnaligned(as: type)
  }

  /// The whole number that the decimal of a word is, where it is stored so in the row.
  package func decimalWhole(_ word: UInt64) -> Int64? {
    if case .whole(let value) = DecimalSlot(word: word) { return value }
    return nil
  }

  /// The double that a decimal is stored as; nil for the other two encodings.
  package func decimalDouble(_ word: UInt64) -> Double? {
    guard case .double(let offset) = DecimalSlot(word: word) else { return nil }
    return load(Double.self, at: offset)
  }
}

extension UnsafeMutablePointer<UInt64> {
  /// Whether a slot has no value, seen from the first slot of a row.
  @inlinable
  @inline(__always)
  package func isNull(_ slot: Int) -> Bool {
    unsafe (self[nullWord(of: slot)] >> UInt64(truncatingIfNeeded: slot & 63)) & 1 == 1
  }

  /// Takes the value of a slot away, seen from the first slot of a row.
  @inline(__always)
  package func setNull(_ slot: Int) {
    unsafe self[nullWord(of: slot)] |= 1 << UInt64(truncatingIfNeeded: slot & 63)
  }

  /// Sets the word of a slot, counted from the first slot of a row.
  @inline(__always)
  package func setWord(_ slot: Int, _ word: UInt64) {
    unsafe self[slot] = word
    unsafe self[nullWord(of: slot)] &= ~(1 << UInt64(truncatingIfNeeded: slot & 63))
  }

  /// The position of the word of the null bitmap with a slot's bit: before the first slot, the lowest 64
  /// slots nearest.
  @inlinable
  @inline(__always)
  package func nullWord(of slot: Int) -> Int { -1 - (slot >> 6) }
}
