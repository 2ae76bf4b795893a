/// One record of the input: a list of named fields that point into the reader's buffer.
///
/// Everything here is valid until the reader's next call.
@safe final class Record {
  /// What a field holds.
  enum Kind: UInt8, Sendable {
    case null
    case `false`
    case `true`
    /// A JSON number without fraction and exponent.
    case integer
    /// A JSON number with fraction or exponent.
    case fraction
    /// A JSON string; its bytes are the unescaped text.
    case string
    /// A JSON array; its bytes are JSON, checked.
    case array
    /// A JSON object; its bytes are JSON, checked.
    case object
    /// A cell of CSV or TSV: text that the model has yet to give a type.
    case cell
  }

  /// One field; its bytes are asked of the record.
  struct Field {
    /// Index into `Record.names`.
    var name: Int32
    var kind: Kind
    /// Whether the bytes lie in the scratch memory, because they had to be unescaped.
    var isUnescaped: Bool
    var start: Int
    var count: Int
  }

  /// The names of all fields met so far; a name keeps its index for as long as the reader lives.
  let names = FieldNames()
  /// The line on which the record begins, from 1.
  var line = 0
  /// How many records came before, plus one.
  var number = 0
  /// How often reading a record was begun, more often than `number` if one had to be begun again; tells
  /// whether a name was met in this attempt already.
  private(set) var attempt = 0
  /// The record as it stands in the input.
  var source = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  let scratch = ByteScratch()

  /// How many fields it has.
  private(set) var count = 0
  private var base: UnsafeMutablePointer<Field>
  private var capacity = 32

  init() {
    unsafe base = .allocate(capacity: capacity)
    unsafe base.initialize(repeating: Self.unused, count: capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  private static let unused = Field(name: -1, kind: .null, isUnescaped: false, start: 0, count: 0)

  /// The fields, in the order of the input. Held in plain memory, because an array inside of a class costs a
  /// check and a reference count at every touch.
  var fields: UnsafeBufferPointer<Field> { unsafe UnsafeBufferPointer(start: base, count: count) }

  /// The name that the field at this place had in an earlier record, or -1: most inputs repeat their names in
  /// order.
  @inline(__always)
  func earlierName(at place: Int) -> Int32 { unsafe place < capacity ? base[place].name : -1 }

  @inline(__always)
  func append(_ field: Field) {
    if count == capacity { grow() }
    unsafe base[count] = field
    count &+= 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Field>.allocate(capacity: capacity * 2)
    unsafe larger.initialize(from: base, count: capacity)
    unsafe (larger + capacity).initialize(repeating: Self.unused, count: capacity)
    unsafe base.deallocate()
    unsafe base = unsafe larger
    capacity *= 2
  }

  /// The bytes of a field: text unescaped, numbers, arrays and objects as they stand.
  func bytes(_ field: Field) -> UnsafeBufferPointer<UInt8> {
    let base = unsafe field.isUnescaped ? UnsafePointer(scratch.base) : source.baseAddress
    return unsafe UnsafeBufferPointer(start: base.map { unsafe $0 + field.start }, count: field.count)
  }

  /// A field's bytes as a string.
  func text(_ field: Field) -> String { unsafe String(decoding: bytes(field), as: UTF8.self) }

  /// The name of a field.
  func name(_ field: Field) -> String { names[Int(field.name)] }

  /// Takes the cells that a text stands in for no value as such; in quotes or escaped it is a value.
  func removeValues(writtenAs text: [UInt8]) {
    for place in 0..<count {
      let field = unsafe base[place]
      guard field.kind == .cell, !field.isUnescaped, field.count == text.count,
        unsafe field.start == 0 || source[field.start - 1] != UInt8(ascii: "\""),
        unsafe bytes(field).elementsEqual(text)
      else { continue }
      unsafe base[place].kind = .null
    }
  }

  /// Forgets the fields and takes a new source.
  func reset(source: UnsafeBufferPointer<UInt8>) {
    count = 0
    attempt += 1
    scratch.count = 0
    unsafe self.source = unsafe source
  }
}
