import Foundation
import GraphStoreSQLite

/// Binds the values of a row to the parameters of a statement, in the form in which the columns hold them.
struct SQLiteColumnBinder {
  private struct Operation {
    let parameter: Int
    let slot: Int
    let kind: SlotKind
    /// Binds the entity number of a destination instead of its key.
    let isEntityNumber: Bool
  }

  private let operations: [Operation]
  private let numbers: [Int64]
  private let keys: PermanentKeyMap
  private let externalData: ExternalDataWriter?

  /// - Parameter externalData: Writes the files of values with external storage; nil where none is among the
  ///   columns.
  init(
    layout: EntityLayout, columns: [SQLColumn], firstParameter: Int, schema: SQLSchema, keys: PermanentKeyMap,
    externalData: ExternalDataWriter? = nil
  ) {
    self.externalData = externalData
    operations = columns.enumerated().compactMap { position, column in
      layout.leaf(of: column).map { property in
        Operation(
          parameter: firstParameter + position, slot: property.slot, kind: property.kind,
          isEntityNumber: column.kind == .toOneEntity)
      }
    }
    numbers = schema.entities.map { Int64($0.number) }
    self.keys = keys
  }

  /// - Parameter offset: The number of parameters before those of the row.
  @inline(__always)
  func bind(_ row: Row, to statement: SQLiteStatement, offset: Int = 0) throws {
    let (block, index) = (row.block, row.index)
    for operation in operations {
      let (parameter, slot) = (operation.parameter + offset, operation.slot)
      if block.isNull(index, slot) {
        try statement.bindNull(at: parameter)
        continue
      }
      switch operation.kind {
      case .int16, .int32, .int64, .boolean:
        try statement.bind(Int64(bitPattern: block.word(index, slot)), at: parameter)
      case .double, .float:
        try statement.bind(Double(bitPattern: block.word(index, slot)), at: parameter)
      case .date:
        try statement.bind(timestamp: Double(bitPattern: block.word(index, slot)), at: parameter)
      case .string, .uri:
        let text = unsafe block.bytes(index, slot)
        try unsafe text.count == 0
          ? statement.bind("", at: parameter) : statement.bind(textInPlace: text, at: parameter)
      case .uuid, .binary, .transformable:
        try unsafe statement.bind(bytes: UnsafeRawBufferPointer(block.bytes(index, slot)), at: parameter)
      case .external: try externalData?.bind(row, slot, to: statement, at: parameter)
      case .decimal: try Self.bindDecimal(of: row, slot: slot, to: statement, at: parameter)
      case .toOne:
        let reference = PackedReference(bits: block.word(index, slot))
        try statement.bind(
          operation.isEntityNumber ? numbers[reference.entity] : keys[reference.key], at: parameter)
      case .toMany, .none, .composite, .undefined: try statement.bindNull(at: parameter)
      }
    }
  }

  /// Up to 15 digits are a number, which SQLite compares and sorts; longer ones are kept as their text
  /// (STO-243).
  private static func bindDecimal(
    of row: Row, slot: Int, to statement: SQLiteStatement, at parameter: Int
  ) throws {
    let word = row.block.word(row.index, slot)
    if let whole = row.block.decimalWhole(word), whole.magnitude < 1_000_000_000_000_000 {
      return try statement.bind(whole, at: parameter)
    }
    if let double = row.block.decimalDouble(word) {
      return try statement.bind(double, at: parameter)
    }
    try statement.bind(StoredDecimal.binding(row.block.decimal(row.index, slot)), at: parameter)
  }
}

extension SQLiteStatement {
  /// Binds bytes that stay in place until the statement is reset or bound anew; none at all are an empty
  /// value.
  @inline(__always)
  func bind(bytes: UnsafeRawBufferPointer, at parameter: Int) throws {
    if bytes.count > 0 { return try unsafe bind(blobInPlace: bytes, at: parameter) }
    // Without an address SQLite would take an empty value for a missing one.
    var place: UInt8 = 0
    let empty = unsafe withUnsafeBytes(of: &place) {
      unsafe UnsafeRawBufferPointer(start: $0.baseAddress, count: 0)
    }
    try unsafe bind(blobCopying: empty, at: parameter)
  }
}
