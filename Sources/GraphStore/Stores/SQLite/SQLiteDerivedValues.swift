import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Values of a derived column of a SQLite store: which are other ones than the column has, and how they are
/// written.
struct SQLiteDerivedValues {
  /// A record whose column has another value than the one that it is to have.
  struct Change {
    let key: Int64
    let entityNumber: Int
    let value: Value
  }

  let column: SQLDerivedColumn
  let connection: SQLiteConnection
  let layout: EntityLayout
  let schema: SQLSchema
  /// The location of values of the source; nil where they have no prefix, and are stored in the rows.
  let externalData: ExternalDataTable?

  /// The records among some whose values are to be written; among all for nil.
  ///
  /// - Throws: `value-out-of-range`, `external-data-missing`.
  func changes(keys: [Int64]?) throws -> [Change] {
    let (sql, bindings) = column.statement(keys: keys)
    return try connection.withStatement(sql) { statement in
      for (position, binding) in bindings.enumerated() { try statement.bind(binding, at: position + 1) }
      var changes: [Change] = []
      while try statement.step() {
        let computed = try column.derived.value(try source(statement))
        let stored = statement.value(at: 2, of: column.derived.attribute.type)
        guard !computed.isStored(as: stored) else { continue }
        changes.append(
          Change(key: statement.int64(at: 0), entityNumber: Int(statement.int64(at: 1)), value: computed))
      }
      return changes
    }
  }

  /// The computed value of the row that the statement is at.
  private func source(_ statement: SQLiteStatement) throws -> Value {
    guard case .attribute(_, let end) = column.derived.source, end.allowsExternalStorage,
      !statement.isNull(at: 3), let externalData
    else { return statement.value(at: 3, of: column.derived.attribute.type) }
    switch unsafe ExternalColumn(statement.blob(at: 3).bindMemory(to: UInt8.self)) {
    case .inline(let bytes): return unsafe .data(Data(bytes))
    case .file(let name): return .data(try externalData.data(name, of: "\(end)"))
    case nil: return statement.value(at: 3, of: .binary)
    }
  }

  /// Writes values, and raises no versions (MDL-177).
  func write(_ changes: [Change]) throws {
    guard !changes.isEmpty, let property = layout.property(named: column.derived.attribute.name) else {
      return
    }
    let block = RowBlock(layout: layout, capacity: 1)
    let row = Row(block: block, index: block.appendRow(version: 0))
    let binder = SQLiteColumnBinder(
      layout: layout, columns: [column.column], firstParameter: 1, schema: schema, keys: PermanentKeyMap())
    try connection.withStatement(column.update) { statement in
      for change in changes {
        block.replacing(row.index, property.slot, property.kind) {
          block.setValue(change.value, of: property, inRow: row.index)
        }
        try binder.bind(row, to: statement)
        try statement.bind(change.key, at: 2)
        try statement.run()
      }
    }
  }
}

extension SQLiteStatement {
  /// A column's value as an attribute of a type holds it; numbers are whatever they are stored as.
  fileprivate func value(at column: Int, of type: AttributeType) -> Value {
    guard !isNull(at: column) else { return .null }
    switch type {
    case .boolean: return .bool(int64(at: column) != 0)
    case .date: return .date(Date(timeIntervalSinceReferenceDate: double(at: column)))
    case .string: return unsafe .string(String(decoding: text(at: column), as: UTF8.self))
    case .uri:
      let text = unsafe String(decoding: text(at: column), as: UTF8.self)
      return URL(string: text).map(Value.uri) ?? .string(text)
    case .uuid: return unsafe .uuid(UUID(bytes: blob(at: column).bindMemory(to: UInt8.self)))
    case .binary, .transformable: return unsafe .data(Data(blob(at: column)))
    case .decimal: return number(at: column, isDecimal: true)
    case .int16, .int32, .int64, .double, .float: return number(at: column, isDecimal: false)
    case .composite, .undefined: return .null
    }
  }

  /// - Parameter isDecimal: Whether a double represents the decimal that its shortest text is.
  private func number(at column: Int, isDecimal: Bool) -> Value {
    switch self.type(at: column) {
    case .integer: return .int(int64(at: column))
    case .real:
      let number = double(at: column)
      return isDecimal && number.isFinite ? .decimal(Decimal(shortestTextOf: number)) : .double(number)
    default:
      let bytes = unsafe blob(at: column)
      // A value that is no number stays as it is, and differs from every number and from a missing value.
      return unsafe StoredDecimal.decimal(text: bytes).map(Value.decimal) ?? .data(Data(bytes))
    }
  }
}

extension Value {
  /// Whether a stored value is this one: texts by their bytes, numbers by what they are worth.
  fileprivate func isStored(as stored: Value) -> Bool {
    switch (self, stored) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.decimal, _), (.double, _): isNull == stored.isNull && order(to: stored) == .orderedSame
    default: self == stored
    }
  }
}
