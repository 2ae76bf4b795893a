import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// How an SQL value is read as a value of predicates, and the other way round; the raw value is the digit
/// under which the registered functions know it.
enum SQLiteValueKind: Int64 {
  /// A number as it is held: an integer, a double, or a decimal as its text in a blob.
  case number = 1
  /// A decimal in its stored form.
  case decimal
  /// Seconds since 2001-01-01 00:00 UTC.
  case date
  /// Text.
  case string
  /// 16 bytes.
  case uuid
  /// The text of a URI.
  case uri
  /// Bytes.
  case data
  /// 0 or 1.
  case boolean
  /// A number that is a constant of the request and no integer: a double, or a decimal as its text in a blob
  /// (PRD-062).
  case fractionalConstant

  init?(_ type: ExpressionType) {
    switch type {
    case .integer, .double, .float: self = .number
    case .boolean: self = .boolean
    case .decimal: self = .decimal
    case .date: self = .date
    case .string: self = .string
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .data: self = .data
    default: return nil
    }
  }

  /// The value of an argument; nil where there is none.
  ///
  /// - Throws: ``SQLiteDamagedValue`` where a decimal is to be and is not.
  func value(_ arguments: SQLiteFunctionArguments, _ index: Int) throws -> Value {
    let type = arguments.type(at: index)
    if type == .null { return .null }
    switch self {
    case .number, .fractionalConstant:
      switch type {
      case .integer: return .int(arguments.int64(at: index))
      case .real: return .double(arguments.double(at: index))
      default: return try Self.decimal(arguments, index)
      }
    case .decimal:
      switch type {
      case .integer: return .decimal(Decimal(arguments.int64(at: index)))
      case .real:
        let double = arguments.double(at: index)
        guard StoredDecimal.isDecimal(double) else { throw StoredDecimal.damage(arguments, index) }
        return .decimal(Decimal(shortestTextOf: double))
      default: return try Self.decimal(arguments, index)
      }
    case .date: return .date(Date(timeIntervalSinceReferenceDate: arguments.double(at: index)))
    case .string: return unsafe .string(String(decoding: arguments.text(at: index), as: UTF8.self))
    case .uuid:
      let bytes = unsafe arguments.blob(at: index)
      guard bytes.count == 16 else { return .null }
      return unsafe .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
    case .uri:
      let text = unsafe String(decoding: arguments.text(at: index), as: UTF8.self)
      return URL(string: text, encodingInvalidCharacters: false).map(Value.uri) ?? .null
    case .data: return unsafe .data(Data(arguments.blob(at: index)))
    case .boolean: return .bool(arguments.int64(at: index) != 0)
    }
  }

  private static func decimal(_ arguments: SQLiteFunctionArguments, _ index: Int) throws -> Value {
    guard let decimal = unsafe StoredDecimal.decimal(text: arguments.blob(at: index)) else {
      throw StoredDecimal.damage(arguments, index)
    }
    return .decimal(decimal)
  }

  /// Puts a value into a result; values of other kinds, NaN and nil become NULL.
  func set(_ value: Value, _ result: SQLiteFunctionResult) {
    switch (self, value) {
    case (.decimal, .decimal(let number)) where !number.isNaN: set(StoredDecimal.binding(number), result)
    case (.decimal, .int(let number)): set(StoredDecimal.binding(Decimal(number)), result)
    case (_, .decimal(let number)) where !number.isNaN:
      set(.blob(Array(StoredDecimal.text(number).utf8)), result)
    case (_, .int(let number)): result.set(number)
    case (_, .bool(let flag)): result.set(flag)
    case (_, .double(let number)): result.set(number)
    case (_, .date(let date)): result.set(date.timeIntervalSinceReferenceDate)
    case (_, .string(let text)): result.set(text)
    case (_, .uri(let uri)): result.set(uri.absoluteString)
    case (_, .uuid(let uuid)): unsafe withUnsafeBytes(of: uuid.uuid) { unsafe result.set(blob: $0) }
    case (_, .data(let data)): unsafe data.withUnsafeBytes { unsafe result.set(blob: $0) }
    default: result.setNull()
    }
  }

  private func set(_ binding: SQLBinding, _ result: SQLiteFunctionResult) {
    switch binding {
    case .integer(let number): result.set(number)
    case .double(let number), .timestamp(let number): result.set(number)
    case .blob(let bytes): unsafe bytes.withUnsafeBytes { unsafe result.set(blob: $0) }
    case .text, .null: result.setNull()
    }
  }
}
