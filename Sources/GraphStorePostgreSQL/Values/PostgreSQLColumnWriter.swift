#if PostgreSQL
import GraphStore
import GraphStoreModel

/// Collects the values of one column of many rows as an array.
struct PostgreSQLColumnWriter {
  private let source: PostgreSQLColumnSource
  private(set) var array: PostgreSQLParameterArray

  var column: SQLColumn { source.column }

  /// - Parameter array: The values of other rows, which these follow.
  /// - Returns: Nil for a column that rows of the layout have no values of.
  init?(
    _ column: SQLColumn, of layout: EntityLayout, schema: SQLSchema, keys: PermanentKeyMap, capacity: Int,
    continuing array: PostgreSQLParameterArray? = nil
  ) {
    guard let source = PostgreSQLColumnSource(column, of: layout, schema: schema, keys: keys) else {
      return nil
    }
    self.source = source
    self.array = array ?? PostgreSQLParameterArray(of: Self.elementType(column.kind), capacity: capacity)
  }

  /// The type in which values of a kind are sent; the column's own may be narrower.
  static func elementType(_ kind: SQLColumn.Kind) -> UInt32 {
    switch kind {
    case .integer, .toOneKey, .toOneEntity, .orderKey, .ownerKey: PostgreSQLTypeNumber.int8
    case .boolean: PostgreSQLTypeNumber.bool
    case .float, .double, .date: PostgreSQLTypeNumber.float8
    case .decimal: PostgreSQLTypeNumber.numeric
    case .string, .uri: PostgreSQLTypeNumber.text
    case .uuid: PostgreSQLTypeNumber.uuid
    case .transformable, .binary: PostgreSQLTypeNumber.bytea
    }
  }

  /// - Throws: `value-type` for a text with a NUL, `external-data-missing`.
  mutating func append(_ row: Row) throws { try source.append(row, to: &array) }
}
#endif
