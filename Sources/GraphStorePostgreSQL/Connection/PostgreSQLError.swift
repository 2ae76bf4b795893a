#if PostgreSQL
import CGraphStorePostgreSQL

/// Failure that the server or libpq reports.
struct PostgreSQLError: Error, Sendable {
  /// Kind of a failure, by its SQLSTATE.
  enum Category {
    case connectionLost
    case serializationFailure
    case unique
    case foreignKey
    case lockTimeout
    case cancelled
    case undefined
    case permission
    case readOnly
    case diskFull
    case databaseMissing
    case valueTooLarge
    case other
  }

  /// The SQLSTATE; empty for a failure of libpq's own.
  let state: String
  let message: String
  var detail: String?
  /// The name of the constraint or index that a row breaks.
  var constraint: String?
  var isConnectionLost = false

  var category: Category {
    if isConnectionLost { return .connectionLost }
    return switch state {
    case "40001", "40P01": .serializationFailure
    case "23505": .unique
    case "23503": .foreignKey
    case "55P03": .lockTimeout
    case "57014": .cancelled
    case "3F000", "42P01", "42703": .undefined
    case "42501", "28000", "28P01": .permission
    case "25006": .readOnly
    case "53100": .diskFull
    case "3D000": .databaseMissing
    case "54000": .valueTooLarge
    default: state.hasPrefix("08") || state == "57P01" || state == "57P02" ? .connectionLost : .other
    }
  }

  /// Whether a store that another one has taken the place of may fail so.
  var mayComeOfReplacement: Bool {
    switch category {
    case .undefined, .permission, .other: true
    default: false
    }
  }

  /// Whether objects of others depend on what was to go.
  var isOfDependents: Bool { state == "2BP01" }

  /// What a result says of its failure.
  init(result: OpaquePointer) {
    func field(_ code: Int32) -> String? {
      let text = unsafe PQresultErrorField(result, code)
      return unsafe text.map { unsafe String(cString: $0) }
    }
    state = field(Int32(UInt8(ascii: "C"))) ?? ""
    // libpq itself makes such a result where the server has gone.
    isConnectionLost = state.isEmpty
    message = field(Int32(UInt8(ascii: "M"))) ?? "The statement failed."
    detail = field(Int32(UInt8(ascii: "D")))
    constraint = field(Int32(UInt8(ascii: "n")))
  }

  /// What a connection says of its failure.
  init(connection: OpaquePointer) {
    state = ""
    let text = unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
    message = text.split(separator: "\n").map { $0.trimmingPrefix("connection to server ") }
      .joined(separator: " ")
    isConnectionLost = unsafe PQstatus(connection) == CONNECTION_BAD
  }

  /// Why a server has refused a connection; libpq tells no SQLSTATE of that.
  init(failedConnection connection: OpaquePointer) {
    let failure = unsafe PostgreSQLError(connection: connection)
    let states = [
      ("does not exist", "3D000"), ("authentication failed", "28P01"), ("no password supplied", "28P01"),
      ("permission denied", "42501"), ("starting up", "57P03"), ("shutting down", "57P03"),
      ("not yet accepting connections", "57P03"),
    ]
    state = states.first { failure.message.contains($0.0) }?.1 ?? ""
    message = failure.message
    isConnectionLost = state.isEmpty || isStarting
  }

  /// Whether the server does not take connections yet.
  var isStarting: Bool { state == "57P03" }

  init(state: String = "", _ message: String, isConnectionLost: Bool = false) {
    self.state = state
    self.message = message
    self.isConnectionLost = isConnectionLost
  }
}
#endif
