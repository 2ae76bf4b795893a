import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// SQL functions of migrations: conversion of numbers, and reading of external data.
enum MigrationFunctions {
  private static let convertName = "gs_migrated_number"
  private static let dataName = "gs_migrated_data"
  private static let types: [AttributeType] = [.int16, .int32, .int64, .decimal, .double, .float, .boolean]

  /// The call that converts a number; its value is NULL for one that does not convert.
  static func convert(
    _ value: String, from old: AttributeType, to new: AttributeType, allowsInexact: Bool
  ) -> String {
    let codes = [old, new].map { String(types.firstIndex(of: $0) ?? 0) }
    return "\(convertName)(\(value), \(codes[0]), \(codes[1]), \(allowsInexact ? 1 : 0))"
  }

  /// The call that yields the data of a value with external storage.
  static func data(_ value: String) -> String { "\(dataName)(\(value))" }

  /// Makes the functions known to a connection.
  ///
  /// - Parameter folder: The folder of the old store's external data.
  static func install(on connection: SQLiteConnection, folder: ExternalDataFolder) throws {
    try connection.register(function: convertName, argumentCount: 4) { arguments, result in
      guard !arguments.isNull(at: 0), let old = type(arguments, 1), let new = type(arguments, 2) else {
        return
      }
      let kind: SQLiteValueKind = old == .decimal ? .decimal : .number
      let value = try kind.value(arguments, 0)
      guard let number = number(value, as: new, allowsInexact: arguments.int64(at: 3) != 0) else { return }
      let form: SQLiteValueKind = new == .decimal ? .decimal : new == .boolean ? .boolean : .number
      form.set(number, result)
    }
    let data = ExternalDataTable(folder: folder)
    try connection.register(function: dataName, argumentCount: 1) { arguments, result in
      guard !arguments.isNull(at: 0) else { return }
      switch unsafe ExternalColumn(arguments.blob(at: 0).bindMemory(to: UInt8.self)) {
      case .inline(let bytes): unsafe result.set(blob: UnsafeRawBufferPointer(bytes))
      case .file(let name):
        let bytes = try data.data(name, of: "the attribute")
        unsafe bytes.withUnsafeBytes { unsafe result.set(blob: $0) }
      case nil: unsafe result.set(blob: arguments.blob(at: 0))
      }
    }
  }

  private static func type(_ arguments: SQLiteFunctionArguments, _ index: Int) -> AttributeType? {
    let position = Int(arguments.int64(at: index))
    return types.indices.contains(position) ? types[position] : nil
  }

  /// A number as one of another type.
  ///
  /// - Parameter allowsInexact: Whether one without an equal is rounded to the nearest.
  /// - Returns: nil for one that has no equal, and for one out of range.
  static func number(_ value: Value, as type: AttributeType, allowsInexact: Bool) -> Value? {
    switch type {
    case .int16: whole(value, Int64(Int16.min)...Int64(Int16.max), allowsInexact)
    case .int32: whole(value, Int64(Int32.min)...Int64(Int32.max), allowsInexact)
    case .int64: whole(value, .min ... .max, allowsInexact)
    case .boolean: whole(value, 0...1, allowsInexact).map { .bool($0 == .int(1)) }
    case .double: real(value, allowsInexact) { $0 }
    case .float: real(value, allowsInexact) { Double(Float($0)) }
    case .decimal: decimal(value)
    default: nil
    }
  }

  private static func whole(_ value: Value, _ range: ClosedRange<Int64>, _ allowsInexact: Bool) -> Value? {
    let number: Int64?
    switch value {
    case .int(let whole): number = whole
    case .bool(let flag): number = flag ? 1 : 0
    case .double(let double):
      let nearest = double.rounded(.toNearestOrEven)
      number = nearest == double || allowsInexact ? Int64(exactly: nearest) : nil
    case .decimal(let decimal):
      var (source, rounded) = (decimal, Decimal())
      unsafe NSDecimalRound(&rounded, &source, 0, .bankers)
      number = rounded == decimal || allowsInexact ? StoredDecimal.integer(rounded) : nil
    default: number = nil
    }
    return number.flatMap { range.contains($0) ? .int($0) : nil }
  }

  private static func real(_ value: Value, _ allowsInexact: Bool, _ round: (Double) -> Double) -> Value? {
    switch value {
    case .bool(let flag): return .double(flag ? 1 : 0)
    case .int(let whole):
      let double = round(Double(whole))
      return allowsInexact || Int64(exactly: double) == whole ? .double(double) : nil
    case .double(let source):
      let double = round(source)
      guard double.isFinite || !source.isFinite else { return nil }
      return allowsInexact || double == source ? .double(double) : nil
    case .decimal(let decimal):
      let double = round(decimal.nearestDouble)
      guard double.isFinite else { return nil }
      return allowsInexact || self.decimal(of: double) == decimal ? .double(double) : nil
    default: return nil
    }
  }

  private static func decimal(_ value: Value) -> Value? {
    switch value {
    case .decimal: value
    case .int(let whole): .decimal(Decimal(whole))
    case .bool(let flag): .decimal(flag ? 1 : 0)
    case .double(let double):
      double.isFinite && StoredDecimal.isDecimal(double) ? .decimal(decimal(of: double)) : nil
    default: nil
    }
  }

  /// A double as a decimal: a large whole number by all of its digits, any other by the fewest that
  /// distinguish it from its neighbours.
  private static func decimal(of double: Double) -> Decimal {
    guard abs(double) >= 0x1p53, abs(double) < 1e38, let whole = Int128(exactly: double),
      let decimal = Decimal(string: String(whole))
    else { return Decimal(shortestTextOf: double) }
    return decimal
  }
}
