#if PostgreSQL
import GraphStore

/// Rows of a table in the binary form of COPY, as they are handed over piece by piece.
///
/// Unlike a parameter, which the server converts, a value has to have the very width of its column.
@safe final class PostgreSQLCopyBuffer: PostgreSQLValueSink {
  /// What is before all rows: a signature, and two words for what is not used here.
  static let header = Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0] + [UInt8](repeating: 0, count: 8)
  /// What is behind them, in the place of the number of columns.
  static let trailer: [UInt8] = [0xff, 0xff]

  /// How many bytes are worth handing over.
  private static let piece = 1 << 16

  @exclusivity(unchecked) private var start: UnsafeMutableRawPointer
  @safe @exclusivity(unchecked) private var capacity = PostgreSQLCopyBuffer.piece * 2
  @safe @exclusivity(unchecked) private var count = 0
  /// The type of the column that the next value is of.
  @safe @exclusivity(unchecked) var type = PostgreSQLType.bigint

  init() { unsafe start = .allocate(byteCount: capacity, alignment: 8) }

  deinit { unsafe start.deallocate() }

  /// Whether there is enough to be handed over.
  var isFull: Bool { count >= Self.piece }

  /// Hands over what is there.
  func empty(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    defer { count = 0 }
    unsafe try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  @inline(__always)
  private func reserve(_ more: Int) { if count + more > capacity { grow(to: count + more) } }

  /// Makes room for a value that is longer than there is.
  private func grow(to needed: Int) {
    capacity = max(needed, capacity * 2)
    let new = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    unsafe new.copyMemory(from: start, byteCount: count)
    unsafe start.deallocate()
    unsafe start = unsafe new
  }

  @inline(__always)
  private func put<Number: FixedWidthInteger>(_ number: Number) {
    unsafe (start + count).storeBytes(of: number.bigEndian, as: Number.self)
    count += MemoryLayout<Number>.size
  }

  // MARK: Rows

  func append(plain bytes: [UInt8]) { unsafe bytes.withUnsafeBufferPointer { unsafe copy($0) } }

  /// Begins a row with its system columns; the values of others follow.
  func beginRow(key: Int64, entity number: Int, version: Int64, columns: Int) {
    reserve(34)
    put(Int16(3 + columns))
    put(Int32(8))
    put(key)
    put(Int32(4))
    put(Int32(number))
    put(Int32(8))
    put(version)
  }

  func appendNull() {
    reserve(4)
    put(Int32(-1))
  }

  func append(_ number: Int64) {
    reserve(12)
    switch type {
    case .smallint:
      put(Int32(2))
      put(Int16(truncatingIfNeeded: number))
    case .integer:
      put(Int32(4))
      put(Int32(truncatingIfNeeded: number))
    default:
      put(Int32(8))
      put(number)
    }
  }

  func append(_ number: Double) {
    reserve(12)
    if type == .real {
      put(Int32(4))
      put(Float(number).bitPattern)
    } else {
      put(Int32(8))
      put(number.bitPattern)
    }
  }

  func append(_ flag: Bool) {
    reserve(5)
    put(Int32(1))
    put(UInt8(flag ? 1 : 0))
  }

  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    reserve(4)
    put(Int32(bytes.count))
    unsafe copy(bytes)
  }

  private func copy(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe (start + count).copyMemory(from: first, byteCount: bytes.count)
    count += bytes.count
  }
}
#endif
