import Foundation
import GraphStorePredicates
import GraphStoreSQLite

/// SQL functions over stored decimals, exact for numbers and for blobs of text alike (PRD-251).
enum SQLiteDecimalFunctions {
  /// Bytes whose order is that of the decimals.
  static let orderName = "gs_decimal_order"
  /// The same for computed numbers, which may be beyond all decimals.
  static let computedOrderName = "gs_computed_order"
  /// Less than, equal to or greater than 0, as the first decimal is to the second.
  static let compareName = "gs_decimal_compare"

  /// The least of the decimals.
  static let minimumName = "gs_decimal_min"
  /// The greatest of the decimals.
  static let maximumName = "gs_decimal_max"

  static func install(on connection: SQLiteConnection) throws {
    try connection.register(function: orderName, argumentCount: 1) { arguments, result in
      guard let key = try key(arguments, 0) else { return }
      unsafe key.withUnsafeBytes { unsafe result.set(blob: $0) }
    }
    try connection.register(function: computedOrderName, argumentCount: 1) { arguments, result in
      guard let key = try infinity(arguments) ?? key(arguments, 0) else { return }
      unsafe key.withUnsafeBytes { unsafe result.set(blob: $0) }
    }
    try connection.register(function: compareName, argumentCount: 2) { arguments, result in
      guard let left = try key(arguments, 0), !arguments.isNull(at: 1) else { return }
      let right = try arguments.cached(at: 1) { Key(try key(arguments, 1)) }
      guard let other = right.bytes else { return }
      let order = left == other ? 0 : left.lexicographicallyPrecedes(other) ? -1 : 1
      result.set(Int64(order))
    }
    try connection.register(aggregate: minimumName, argumentCount: 1) { Extreme(isLeast: true) }
    try connection.register(aggregate: maximumName, argumentCount: 1) { Extreme(isLeast: false) }
  }

  private final class Extreme: SQLiteAggregate {
    private let isLeast: Bool
    private var best: (key: [UInt8], value: SQLBinding)?
    /// The best of those that are doubles or integers which doubles hold, whose order is that of the
    /// decimals.
    private var plain: Double?

    init(isLeast: Bool) {
      self.isLeast = isLeast
    }

    func step(_ arguments: SQLiteFunctionArguments, _ result: SQLiteFunctionResult) throws {
      if let number = plainNumber(arguments) {
        if let plain, isLeast ? plain <= number : plain >= number { return }
        plain = number
        return
      }
      try compareExactly(arguments)
    }

    /// A number that is compared as a double; nil for every other value.
    private func plainNumber(_ arguments: SQLiteFunctionArguments) -> Double? {
      switch arguments.type(at: 0) {
      case .integer:
        let number = arguments.int64(at: 0)
        return number.magnitude < 1_000_000_000_000_000 ? Double(number) : nil
      case .real:
        let number = arguments.double(at: 0)
        return StoredDecimal.isShort(number) ? number : nil
      default: return nil
      }
    }

    private func compareExactly(_ arguments: SQLiteFunctionArguments) throws {
      guard let key = try SQLiteDecimalFunctions.key(arguments, 0) else { return }
      if let best {
        let isBetter =
          isLeast ? key.lexicographicallyPrecedes(best.key) : best.key.lexicographicallyPrecedes(key)
        guard isBetter else { return }
      }
      switch arguments.type(at: 0) {
      case .integer: best = (key, .integer(arguments.int64(at: 0)))
      case .real: best = (key, .double(arguments.double(at: 0)))
      default: best = unsafe (key, .blob(Array(arguments.blob(at: 0))))
      }
    }

    func finish(_ result: SQLiteFunctionResult) {
      if let plain {
        let key = DecimalSortKey.bytes(of: DecimalNumeral(shortestTextOf: plain))
        let isBest =
          best.map {
            isLeast ? key.lexicographicallyPrecedes($0.key) : $0.key.lexicographicallyPrecedes(key)
          } ?? true
        if isBest { best = (key, Int64(exactly: plain).map(SQLBinding.integer) ?? .double(plain)) }
      }
      switch best?.value {
      case .integer(let number): result.set(number)
      case .double(let number): result.set(number)
      case .blob(let bytes): unsafe bytes.withUnsafeBytes { unsafe result.set(blob: $0) }
      default: result.setNull()
      }
    }
  }

  private final class Key {
    let bytes: [UInt8]?

    init(_ bytes: [UInt8]?) {
      self.bytes = bytes
    }
  }

  /// Bytes that come before or behind those of all decimals, for an argument beyond these; nil for others.
  private static func infinity(_ arguments: SQLiteFunctionArguments) -> [UInt8]? {
    guard arguments.type(at: 0) == .real else { return nil }
    let number = arguments.double(at: 0)
    return number.isInfinite ? [number < 0 ? 0x00 : 0xFF] : nil
  }

  /// Bytes that compare as the argument; nil where there is none.
  fileprivate static func key(_ arguments: SQLiteFunctionArguments, _ index: Int) throws -> [UInt8]? {
    switch arguments.type(at: index) {
    case .null: return nil
    case .integer: return DecimalSortKey.bytes(of: DecimalNumeral(arguments.int64(at: index)))
    case .real:
      let double = arguments.double(at: index)
      guard double.isFinite else { throw StoredDecimal.damage(arguments, index) }
      return DecimalSortKey.bytes(of: DecimalNumeral(shortestTextOf: double))
    default:
      let text = unsafe arguments.blob(at: index).bindMemory(to: UInt8.self)
      guard let key = unsafe DecimalSortKey.bytes(ofText: text) else {
        throw StoredDecimal.damage(arguments, index)
      }
      return key
    }
  }
}
