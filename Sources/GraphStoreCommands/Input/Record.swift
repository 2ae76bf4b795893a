/// One record of the input: a list of named fields that point into the reader's buffer.
///
/// Everything here is valid until the reader's next call.
final class Record {
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
  let names = NameTable()
  /// The line on which the record begins, from 1.
  var line = 0
  /// How many records came before, plus one.
  var number = 0
  var fields: ContiguousArray<Field> = []
  /// The record as it stands in the input.
  var source = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  let scratch = ByteScratch()

  init() {}

  var count: Int { fields.count }

  /// The bytes of a field: text unescaped, numbers, arrays and objects as they stand.
  func bytes(_ field: Field) -> UnsafeBufferPointer<UInt8> {
    let base = field.isUnescaped ? UnsafePointer(scratch.base) : source.baseAddress
    return UnsafeBufferPointer(start: base.map { $0 + field.start }, count: field.count)
  }

  /// A field's bytes as a string.
  func text(_ field: Field) -> String { String(decoding: bytes(field), as: UTF8.self) }

  /// The name of a field.
  func name(_ field: Field) -> String { names[Int(field.name)] }

  /// Forgets the fields and takes a new source.
  func reset(source: UnsafeBufferPointer<UInt8>) {
    fields.removeAll(keepingCapacity: true)
    scratch.count = 0
    self.source = source
  }
}
