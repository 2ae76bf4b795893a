#if PostgreSQL
import GraphStore
import GraphStoreModel

/// What takes the values of a column, one after the other, in the server's binary form.
protocol PostgreSQLValueSink {
  mutating func appendNull()
  mutating func append(_ number: Int64)
  mutating func append(_ number: Double)
  mutating func append(_ flag: Bool)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>)
}

/// The values that rows of one entity have for a column.
struct PostgreSQLColumnSource {
  let column: SQLColumn
  private let property: PropertyLayout
  private let numbers: [Int64]
  private let keys: PermanentKeyMap

  /// - Returns: Nil for a column that rows of the layout have no values of.
  init?(_ column: SQLColumn, of layout: EntityLayout, schema: SQLSchema, keys: PermanentKeyMap) {
    guard let property = layout.leaf(of: column) else { return nil }
    self.column = column
    self.property = property
    self.keys = keys
    numbers = column.kind == .toOneEntity ? schema.entities.map { Int64($0.number) } : []
  }

  /// - Throws: `value-type` for a text with a NUL, `external-data-missing`.
  @inline(__always)
  func append(_ row: Row, to sink: inout some PostgreSQLValueSink) throws {
    let (block, index, slot) = (row.block, row.index, property.slot)
    if block.isNull(index, slot) { return sink.appendNull() }
    switch property.kind {
    case .int16, .int32, .int64: sink.append(Int64(bitPattern: block.word(index, slot)))
    case .boolean:
      let word = block.word(index, slot)
      column.kind == .boolean ? sink.append(word != 0) : sink.append(Int64(word))
    case .double, .float, .date: sink.append(Double(bitPattern: block.word(index, slot)))
    case .string, .uri:
      let text = unsafe block.bytes(index, slot)
      if unsafe text.contains(0) { throw zeroCharacter }
      unsafe sink.append(text)
    case .uuid, .binary, .transformable: unsafe sink.append(block.bytes(index, slot))
    case .external: append(bytes: try row.externalData(of: property), to: &sink)
    case .decimal: append(bytes: PostgreSQLNumeric(block.decimal(index, slot)).bytes, to: &sink)
    case .toOne:
      let reference = PackedReference(bits: block.word(index, slot))
      sink.append(column.kind == .toOneEntity ? numbers[reference.entity] : keys[reference.key])
    case .toMany, .none, .composite, .undefined: sink.appendNull()
    }
  }

  private func append(bytes: some Collection<UInt8>, to sink: inout some PostgreSQLValueSink) {
    let copy = Array(bytes)
    unsafe copy.withUnsafeBufferPointer { unsafe sink.append($0) }
  }

  private var zeroCharacter: GraphStoreError {
    GraphStoreError(
      .valueType, "\(property.name) has a text with a NUL character, which PostgreSQL cannot store.",
      remedy: "Take the character out, or make the attribute binary; nothing was written.",
      entity: column.entity.entity.name, property: property.name)
  }
}
#endif
