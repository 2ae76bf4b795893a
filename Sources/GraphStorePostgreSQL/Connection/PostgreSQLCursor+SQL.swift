#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

extension PostgreSQLCursor: SQLCursor {
  func text(at column: Int) -> UnsafeBufferPointer<UInt8> { unsafe bytes(at: column) }

  func isDecimal(at column: Int) -> Bool {
    if isNull(at: column) || types[column] != PostgreSQLTypeNumber.numeric { return true }
    return unsafe PostgreSQLNumeric(binary: bytes(at: column))?.decimal != nil
  }

  func isOverflow(at column: Int) -> Bool {
    if isNull(at: column) || types[column] != PostgreSQLTypeNumber.numeric { return false }
    return unsafe PostgreSQLNumeric(binary: bytes(at: column))?.numeral?.wholeNumber == nil
  }

  /// The columns of decimals hold numbers alone.
  func describe(at column: Int) -> String { "a number that has more than 38 digits, or is none" }

  func visitDecimal(at column: Int, _ visitor: inout some FieldVisitor) {
    switch types[column] {
    case PostgreSQLTypeNumber.numeric:
      guard let numeral = unsafe PostgreSQLNumeric(binary: bytes(at: column))?.numeral else {
        return visitor.null()
      }
      if let whole = numeral.wholeNumber { return visitor.decimal(whole: whole) }
      numeral.decimal.map { visitor.decimal($0) } ?? visitor.null()
    case PostgreSQLTypeNumber.float4, PostgreSQLTypeNumber.float8: visitor.decimal(double: double(at: column))
    default: visitor.decimal(whole: int64(at: column))
    }
  }

  func visitNumber(_ value: ComputedValue, at column: Int, _ visitor: inout some FieldVisitor) {
    let isWhole = value.type != .double && value.type != .float
    switch types[column] {
    case PostgreSQLTypeNumber.float4, PostgreSQLTypeNumber.float8:
      visitor.double(double(at: column), isSingle: value.type == .float)
    case PostgreSQLTypeNumber.numeric:
      let numeral = unsafe PostgreSQLNumeric(binary: bytes(at: column))?.numeral
      if isWhole, let whole = numeral?.wholeNumber { return visitor.integer(whole) }
      visitDecimal(at: column, &visitor)
    default:
      value.isSum && !isWhole
        ? visitor.double(double(at: column), isSingle: false) : visitor.integer(int64(at: column))
    }
  }
}

extension PostgreSQLCursor {
  /// The value of an attribute that a column holds.
  func value(at column: Int, of type: AttributeType) -> Value {
    guard !isNull(at: column) else { return .null }
    switch type {
    case .boolean: return .bool(int64(at: column) != 0)
    case .date: return .date(Date(timeIntervalSinceReferenceDate: double(at: column)))
    case .string: return .string(string(at: column))
    case .uri: return URL(string: string(at: column)).map(Value.uri) ?? .string(string(at: column))
    case .uuid: return unsafe .uuid(UUID(bytes: bytes(at: column)))
    case .binary, .transformable: return unsafe .data(Data(bytes(at: column)))
    case .decimal, .int16, .int32, .int64, .double, .float: return number(at: column)
    case .composite, .undefined: return .null
    }
  }

  private func number(at column: Int) -> Value {
    switch types[column] {
    case PostgreSQLTypeNumber.float4, PostgreSQLTypeNumber.float8: return .double(double(at: column))
    case PostgreSQLTypeNumber.numeric:
      let numeral = unsafe PostgreSQLNumeric(binary: bytes(at: column))?.numeral
      if let whole = numeral?.wholeNumber { return .int(whole) }
      return numeral?.decimal.map(Value.decimal) ?? .null
    default: return .int(int64(at: column))
    }
  }
}
#endif
