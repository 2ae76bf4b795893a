#if PostgreSQL
import GraphStore
import GraphStoreModel

/// Native type of a column, which holds every value of its attribute exactly.
///
/// A date is the double that it is everywhere else, since a `timestamptz` has no fractions below a millionth
/// of a second; views show it as one.
enum PostgreSQLType: String, Sendable {
  case boolean
  case smallint
  case integer
  case bigint
  case real
  case double = "double precision"
  case numeric
  case text
  case uuid
  case bytea

  init(_ column: SQLColumn) {
    switch column.attribute?.type {
    case .int16?: self = .smallint
    case .int32?: self = .integer
    default: self.init(column.kind)
    }
  }

  init(_ kind: SQLColumn.Kind) {
    switch kind {
    case .integer, .toOneKey, .orderKey, .ownerKey: self = .bigint
    case .toOneEntity: self = .integer
    case .boolean: self = .boolean
    case .float: self = .real
    case .double, .date: self = .double
    case .decimal: self = .numeric
    case .string, .uri: self = .text
    case .uuid: self = .uuid
    case .transformable, .binary: self = .bytea
    }
  }

  /// The type as a column declares it: texts are ordered by their bytes, whatever the database does with
  /// others.
  var declaration: String { self == .text ? "text COLLATE \"C\"" : rawValue }
}
#endif
