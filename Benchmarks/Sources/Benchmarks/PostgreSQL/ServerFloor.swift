#if PostgreSQL
import CPostgreSQLFloors

/// A connection to the server, by hand.
final class ServerFloor {
  private let handle: OpaquePointer

  init(_ address: String) throws {
    var opened: OpaquePointer?
    let code = server_open(address, &opened)
    guard let opened else { throw BenchmarkError("no memory for a connection") }
    handle = opened
    try check(code)
  }

  deinit { server_close(handle) }

  private func check(_ code: Int32) throws {
    if code != 0 { throw BenchmarkError(String(cString: server_message(handle))) }
  }

  func run(_ statements: String...) throws { for sql in statements { try check(server_run(handle, sql)) } }

  func integer(_ sql: String) throws -> Int64 {
    var number: Int64 = 0
    try check(server_integer(handle, sql, &number))
    return number
  }

  func fetch(_ table: String) throws -> Answer { try answer { server_fetch(handle, table, $0) } }
  func stream(_ table: String) throws -> Answer { try answer { server_stream(handle, table, $0) } }

  func copy(_ table: String, rows: Int64, entity: Int64) throws {
    try check(server_copy(handle, table, rows, Int32(entity)))
  }

  func update(_ table: String, rows: Int64) throws { try check(server_update(handle, table, rows)) }

  private func answer(_ body: (UnsafeMutablePointer<server_answer>) -> Int32) throws -> Answer {
    var found = server_answer()
    try check(body(&found))
    return Answer(count: found.count, first: found.first, last: found.last, sum: found.sum)
  }

  /// What a table of ten integers holds.
  func numbers(in table: String) throws -> Answer {
    let sum = "i0 + i1 + i2 + i3 + i4 + i5 + i6 + i7 + i8 + i9"
    return Answer(
      count: try integer("SELECT count(*) FROM \(table)"),
      first: try integer("SELECT \(sum) FROM \(table) ORDER BY object_id LIMIT 1"),
      last: try integer("SELECT \(sum) FROM \(table) ORDER BY object_id DESC LIMIT 1"),
      sum: try integer("SELECT sum(\(sum)) FROM \(table)"))
  }
}
#endif
