import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

extension SQLiteStatement: SQLCursor {
  @inline(__always)
  package func bytes(at column: Int) -> UnsafeBufferPointer<UInt8> {
    unsafe blob(at: column).bindMemory(to: UInt8.self)
  }

  @inline(__always)
  package func isNumber(at column: Int) -> Bool {
    switch type(at: column) {
    case .integer, .real: true
    default: false
    }
  }

  package func isDecimal(at column: Int) -> Bool {
    switch type(at: column) {
    case .null, .integer: true
    case .real: StoredDecimal.isDecimal(double(at: column))
    default: unsafe StoredDecimal.decimal(text: blob(at: column)) != nil
    }
  }

  /// The functions of the dialect return bytes then.
  package func isOverflow(at column: Int) -> Bool { type(at: column) == .blob }

  package func describe(at column: Int) -> String {
    switch type(at: column) {
    case .real:
      let number = double(at: column)
      return number.isFinite ? "the number \(number)" : "an infinite number"
    case .text: return unsafe "a text of \(text(at: column).count) bytes"
    default: return unsafe "\(blob(at: column).count) bytes"
    }
  }

  package func visitDecimal(at column: Int, _ visitor: inout some FieldVisitor) {
    switch type(at: column) {
    case .integer: visitor.decimal(whole: int64(at: column))
    case .real: visitor.decimal(double: double(at: column))
    default:
      guard let value = unsafe StoredDecimal.decimal(text: blob(at: column)) else {
        return visitor.null()
      }
      visitor.decimal(value)
    }
  }

  package func visitNumber(_ value: ComputedValue, at column: Int, _ visitor: inout some FieldVisitor) {
    switch type(at: column) {
    case .integer where value.type == .double && value.isSum:
      visitor.double(double(at: column), isSingle: false)
    case .integer: visitor.integer(int64(at: column))
    case .real: visitor.double(double(at: column), isSingle: value.type == .float)
    default: visitDecimal(at: column, &visitor)
    }
  }
}
