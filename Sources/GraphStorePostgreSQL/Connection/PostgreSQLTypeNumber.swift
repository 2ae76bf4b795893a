#if PostgreSQL
/// Object identifiers of the server's own types, which are the same in every database.
enum PostgreSQLTypeNumber {
  static let unknown: UInt32 = 0
  static let bool: UInt32 = 16
  static let bytea: UInt32 = 17
  static let int8: UInt32 = 20
  static let int2: UInt32 = 21
  static let int4: UInt32 = 23
  static let text: UInt32 = 25
  static let float4: UInt32 = 700
  static let float8: UInt32 = 701
  static let numeric: UInt32 = 1700
  static let uuid: UInt32 = 2950

  /// The type of arrays of a type.
  static func array(of type: UInt32) -> UInt32 {
    switch type {
    case bool: 1000
    case bytea: 1001
    case int8: 1016
    case text: 1009
    case float8: 1022
    case numeric: 1231
    case uuid: 2951
    default: unknown
    }
  }

  /// The name of a type in a statement.
  static func name(_ type: UInt32) -> String {
    switch type {
    case bool: "boolean"
    case bytea: "bytea"
    case int8: "bigint"
    case float8: "double precision"
    case numeric: "numeric"
    case uuid: "uuid"
    default: "text"
    }
  }
}
#endif
