import Foundation

/// Turns Swift values passed as arguments into values of the language.
package enum ArgumentConversion {
  /// The value of an argument; nil when its type cannot be used in a predicate.
  package static func value(of argument: Any?) -> Value? {
    guard let argument else { return .null }
    switch argument {
    case let convertible as any ValueConvertible:
      return plain(convertible.queryValue)
    case let reference as any ObjectIdentifying:
      return .object(ObjectReference(reference))
    case let source as any PropertySource:
      return source._objectReference.map(Value.object)
    case let optional as any OptionalArgument:
      return value(of: optional.wrappedArgument)
    case let range as any RangeArgument:
      guard let lower = value(of: range.bounds.0), let upper = value(of: range.bounds.1) else { return nil }
      return .list([lower, upper])
    case let members as Set<AnyHashable>:
      return set(members)
    case let members as any Collection:
      return list(members)
    default:
      return nil
    }
  }

  private static func plain(_ value: Value) -> Value? {
    switch value {
    case .dictionary: nil
    case .list(let members): members.allSatisfy { plain($0) != nil } ? value : nil
    default: value
    }
  }

  private static func list(_ members: any Collection) -> Value? {
    var values: [Value] = []
    for member in members {
      guard let value = value(of: member) else { return nil }
      values.append(value)
    }
    return .list(values)
  }

  private static func set(_ members: Set<AnyHashable>) -> Value? {
    var values: [(text: String, value: Value)] = []
    for member in members {
      guard let value = value(of: member.base) else { return nil }
      values.append((QueryExpression(.constant(value)).expressionFormat, value))
    }
    values.sort { $0.text.precedesByScalars($1.text) }
    var distinct: [Value] = []
    for (_, value) in values where distinct.last != value { distinct.append(value) }
    return .list(distinct)
  }
}

/// An optional whose wrapped type is not known.
protocol OptionalArgument {
  var wrappedArgument: Any? { get }
}

extension Optional: OptionalArgument {
  var wrappedArgument: Any? { self }
}

/// A closed range whose bound's type is not known.
protocol RangeArgument {
  var bounds: (Any, Any) { get }
}

extension ClosedRange: RangeArgument {
  var bounds: (Any, Any) { (lowerBound, upperBound) }
}
