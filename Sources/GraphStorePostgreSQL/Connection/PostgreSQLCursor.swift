#if PostgreSQL
import CGraphStorePostgreSQL

/// Rows of a statement, one after the other: of a whole result, or as they come from the server.
@safe final class PostgreSQLCursor {
  @exclusivity(unchecked) private var result: OpaquePointer?
  @safe @exclusivity(unchecked) private var row: Int32 = -1
  @safe @exclusivity(unchecked) private var rowCount: Int32 = 0
  @safe @exclusivity(unchecked) private var connection: PostgreSQLConnection?
  /// Rows that were read before they were asked for.
  @exclusivity(unchecked) private var waiting: [OpaquePointer] = unsafe []
  @safe @exclusivity(unchecked) private var nextWaiting = 0
  @safe @exclusivity(unchecked) private var failure: (any Error)?
  /// The types of the columns.
  @safe @exclusivity(unchecked) private(set) var types: [UInt32] = []

  init(_ result: OpaquePointer) {
    unsafe self.result = unsafe result
    rowCount = unsafe PQntuples(result)
    unsafe readTypes(result)
  }

  init(streaming connection: PostgreSQLConnection) { self.connection = connection }

  deinit {
    if let result = unsafe result { unsafe PQclear(result) }
    unsafe waiting[nextWaiting...].forEach { unsafe PQclear($0) }
  }

  private func readTypes(_ result: OpaquePointer) {
    types = unsafe (0..<PQnfields(result)).map { unsafe PQftype(result, $0) }
  }

  /// The number of rows of a whole result.
  var rows: Int { Int(rowCount) }

  /// The number of rows that the statement has written.
  var changes: Int {
    guard let result = unsafe result, let text = unsafe PQcmdTuples(result) else { return 0 }
    return unsafe Int(String(cString: text)) ?? 0
  }

  /// Goes to the next row; false at the end.
  func step() throws -> Bool {
    row += 1
    if row < rowCount { return true }
    guard unsafe connection != nil || nextWaiting < waiting.count || failure != nil else { return false }
    return try stepInStream()
  }

  private func stepInStream() throws -> Bool {
    if let result = unsafe result { unsafe PQclear(result) }
    unsafe result = nil
    (row, rowCount) = (0, 0)
    if unsafe nextWaiting < waiting.count {
      unsafe result = unsafe waiting[nextWaiting]
      nextWaiting += 1
    } else if let failure {
      self.failure = nil
      throw failure
    } else if let connection {
      do { unsafe result = unsafe try connection.nextRow() } catch {
        self.connection = nil
        throw error
      }
      if unsafe result == nil { self.connection = nil }
    }
    guard let result = unsafe self.result else { return false }
    rowCount = 1
    if types.isEmpty { unsafe readTypes(result) }
    return true
  }

  /// Reads the rows that have not come yet, since the connection is needed for another statement.
  func readRest() throws {
    guard let connection else { return }
    self.connection = nil
    do {
      while let result = unsafe try connection.nextRow() { unsafe waiting.append(result) }
    } catch {
      failure = error
    }
  }

  /// Ends it; rows that were not read are dropped.
  func end() {
    guard let connection else { return }
    self.connection = nil
    while let result = unsafe try? connection.nextRow() { unsafe PQclear(result) }
  }

  // MARK: Values

  func isNull(at column: Int) -> Bool { unsafe PQgetisnull(result, row, Int32(column)) == 1 }

  /// The bytes of a value; none where there is none.
  func bytes(at column: Int) -> UnsafeBufferPointer<UInt8> {
    let count = unsafe PQgetlength(result, row, Int32(column))
    guard let start = unsafe PQgetvalue(result, row, Int32(column)) else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: Int(count))
  }

  @inline(__always)
  private func load<Number: FixedWidthInteger>(_ type: Number.Type, _ column: Int) -> Number {
    unsafe Number(
      bigEndian: UnsafeRawPointer(PQgetvalue(result, row, Int32(column))!).loadUnaligned(as: type))
  }

  /// A number or truth value as a whole number; 0 where there is none.
  func int64(at column: Int) -> Int64 { isNull(at: column) ? 0 : presentInt64(at: column) }

  /// The same of a column that is known to have a value.
  @inline(__always)
  func presentInt64(at column: Int) -> Int64 {
    let type = types[column]
    return type == PostgreSQLTypeNumber.int8 ? load(Int64.self, column) : narrowInt64(at: column, type)
  }

  private func narrowInt64(at column: Int, _ type: UInt32) -> Int64 {
    switch type {
    case PostgreSQLTypeNumber.int4: return Int64(load(Int32.self, column))
    case PostgreSQLTypeNumber.int2: return Int64(load(Int16.self, column))
    case PostgreSQLTypeNumber.bool: return load(UInt8.self, column) == 0 ? 0 : 1
    case PostgreSQLTypeNumber.float4, PostgreSQLTypeNumber.float8:
      return Int64(exactly: double(at: column)) ?? 0
    case PostgreSQLTypeNumber.numeric:
      return unsafe PostgreSQLNumeric(binary: bytes(at: column))?.numeral?.wholeNumber ?? 0
    default: return 0
    }
  }

  /// A number as a double; 0 where there is none.
  func double(at column: Int) -> Double { isNull(at: column) ? 0 : presentDouble(at: column) }

  /// The same of a column that is known to have a value.
  func presentDouble(at column: Int) -> Double {
    switch types[column] {
    case PostgreSQLTypeNumber.float8: return Double(bitPattern: load(UInt64.self, column))
    case PostgreSQLTypeNumber.float4: return Double(Float(bitPattern: load(UInt32.self, column)))
    case PostgreSQLTypeNumber.numeric:
      return unsafe PostgreSQLNumeric(binary: bytes(at: column))?.nearestDouble ?? .nan
    default: return Double(int64(at: column))
    }
  }

  func string(at column: Int) -> String { unsafe String(decoding: bytes(at: column), as: UTF8.self) }
}
#endif
