import Foundation
import GraphStoreSQLite

/// SQL functions over stored decimals, exact for numbers and for blobs of text alike (PRD-251).
enum SQLiteDecimalFunctions {
  /// Bytes whose order is that of the decimals.
  static let orderName = "gs_decimal_order"
  /// Less than, equal to or greater than 0, as the first decimal is to the second.
  static let compareName = "gs_decimal_compare"

  static func install(on connection: SQLiteConnection) throws {
    try connection.register(function: orderName, argumentCount: 1) { arguments, result in
      guard let key = key(arguments, 0) else { return }
      key.withUnsafeBytes { result.set(blob: $0) }
    }
    try connection.register(function: compareName, argumentCount: 2) { arguments, result in
      guard let left = key(arguments, 0), !arguments.isNull(at: 1) else { return }
      let right = arguments.cached(at: 1) { Key(key(arguments, 1)) }
      guard let other = right.bytes else { return }
      let order = left == other ? 0 : left.lexicographicallyPrecedes(other) ? -1 : 1
      result.set(Int64(order))
    }
  }

  private final class Key {
    let bytes: [UInt8]?

    init(_ bytes: [UInt8]?) {
      self.bytes = bytes
    }
  }

  private static func key(_ arguments: SQLiteFunctionArguments, _ index: Int) -> [UInt8]? {
    switch arguments.type(at: index) {
    case .null: nil
    case .integer: DecimalOrder(Array(String(arguments.int64(at: index)).utf8))?.key
    case .real: DecimalOrder(Array(String(format: "%.15g", arguments.double(at: index)).utf8))?.key
    default: DecimalOrder(Array(arguments.blob(at: index)))?.key
    }
  }
}
