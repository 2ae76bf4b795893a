import Foundation
import GraphStoreModel
import GraphStorePredicates

extension ResultDictionary {
  /// The value of a name as a type of the caller's choice, nil for a missing value: a number as any type of numbers that
  /// holds it, everything else as the type that ``decoded(_:)`` gives.
  ///
  /// ```swift
  /// let count = try row.value("count", as: Int.self) ?? 0
  /// ```
  ///
  /// - Throws: `value-type` for a value that the type cannot hold as it is; as ``decoded(_:)``.
  public func value<Result>(_ name: String, as type: Result.Type) throws -> Result? {
    guard let decoded = try decoded(name), let value = value(name) else { return nil }
    if let result = decoded as? Result ?? value.number(as: type) { return result }
    throw GraphStoreError(
      .valueType,
      "The result \(name) is \(value.kindName), which \(type) does not hold as it is: \(value.shownText).",
      remedy: "Ask for \(Swift.type(of: decoded)).", property: name, value: value)
  }
}

extension Value {
  /// A number as another type of numbers; nil where the type does not hold it exactly, and for what is none.
  fileprivate func number<Number>(as type: Number.Type) -> Number? {
    switch self {
    case .int(let number): Self.converted(number, to: type) ?? Decimal(number) as? Number
    case .double(let number): Self.converted(number, to: type)
    case .decimal(let number):
      Int64(exactly: number).flatMap { Self.converted($0, to: type) } ?? number.nearestDouble as? Number
    default: nil
    }
  }

  private static func converted<Number>(_ number: Int64, to type: Number.Type) -> Number? {
    if let integer = type as? any BinaryInteger.Type { return integer.init(exactly: number) as? Number }
    return (type as? any BinaryFloatingPoint.Type)?.init(exactly: number) as? Number
  }

  private static func converted<Number>(_ number: Double, to type: Number.Type) -> Number? {
    if let integer = type as? any BinaryInteger.Type { return integer.init(exactly: number) as? Number }
    return (type as? any BinaryFloatingPoint.Type)?.init(exactly: number) as? Number
  }
}
