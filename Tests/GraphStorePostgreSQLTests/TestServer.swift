#if PostgreSQL
import CGraphStorePostgreSQL
import Foundation
import GraphStore

@testable import GraphStorePostgreSQL

/// Schema of a test's own in the database that `GRAPHSTORE_TEST_POSTGRESQL` names, over libpq alone.
final class TestServer {
  /// Whether there is a database to test with.
  static var isThere: Bool { address != nil }

  private static var address: String? {
    ProcessInfo.processInfo.environment["GRAPHSTORE_TEST_POSTGRESQL"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Failure of a statement.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let schema: String
  private let connection: OpaquePointer

  /// Connects, and makes a schema unless it is to be made by the test.
  init(schema: String = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")) throws {
    guard let address = Self.address, let connection = PQconnectdb(address) else {
      throw Failure(description: "no server")
    }
    self.connection = connection
    self.schema = schema
    guard PQstatus(connection) == CONNECTION_OK else { throw failure("connecting") }
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
    try run("CREATE SCHEMA \(PostgreSQLName.quoted(schema))")
  }

  deinit {
    _ = try? run("DROP SCHEMA \(PostgreSQLName.quoted(schema)) CASCADE")
    PQfinish(connection)
  }

  private func failure(_ sql: String) -> Failure {
    Failure(description: String(cString: PQerrorMessage(connection)) + sql)
  }

  /// The rows of a statement, as texts.
  @discardableResult
  func run(_ sql: String, _ bindings: [SQLBinding] = []) throws -> [[String?]] {
    let types = bindings.map(Self.type)
    let texts = bindings.map { Self.text($0).flatMap { strdup($0) } }
    defer { for text in texts { free(text) } }
    let values = texts.map { UnsafePointer<CChar>($0) }
    let result = PQexecParams(connection, sql, Int32(bindings.count), types, values, nil, nil, 0)
    defer { PQclear(result) }
    guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else { throw failure(sql) }
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1 ? nil : String(cString: PQgetvalue(result, row, column))
      }
    }
  }

  /// Whether the server takes a statement.
  func prepare(_ sql: String) throws {
    let result = PQprepare(connection, "", sql, 0, nil)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure(sql) }
  }

  private static func type(_ binding: SQLBinding) -> Oid {
    switch binding {
    case .null: 0
    case .integer: 20
    case .double, .timestamp: 701
    case .text: 25
    case .blob: 17
    }
  }

  private static func text(_ binding: SQLBinding) -> String? {
    switch binding {
    case .null: nil
    case .integer(let number): String(number)
    case .double(let number), .timestamp(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): "\\x" + PostgreSQLArray.hex(bytes)
    }
  }
}
#endif
