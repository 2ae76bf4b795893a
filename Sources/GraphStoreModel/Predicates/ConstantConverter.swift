import Foundation
import GraphStorePredicates

/// Implicit conversion of the constants of a predicate to the type of the keys they are compared with
/// (PRD-068 to PRD-078).
struct ConstantConverter {
  /// Finds the object that a URI or a short form names.
  let resolve: @Sendable (String) -> ObjectReference?

  /// A constant that cannot be compared with the key.
  struct Mismatch: Error {
    var reason: String
  }

  /// The constant in the type of the key; nil stays nil. The URI of an object whose store is not open stays
  /// and matches nothing.
  func convert(
    _ value: Value, to type: ExpressionType, for comparator: QueryComparison.Operator
  ) throws(Mismatch) -> Value {
    if value.isNull { return value }
    if case .list(let members) = value, type != .composite {
      var converted: [Value] = []
      converted.reserveCapacity(members.count)
      for member in members { converted.append(try convert(member, to: type, for: comparator)) }
      return .list(converted)
    }
    switch type {
    case .anything, .dictionary: return value
    case .boolean: return try boolean(value)
    case .integer: return try number(value)
    case .double: return nearest(try number(value))
    case .float: return single(try number(value))
    case .decimal: return exact(try number(value))
    case .string: return try string(value, for: comparator)
    case .date: return try date(value)
    case .uuid: return try uuid(value)
    case .uri: return try uri(value)
    case .data, .transformable:
      guard case .data = value else {
        throw Mismatch(reason: "Write bytes as CAST(\"<base64>\", \"NSData\").")
      }
      return value
    case .entity:
      guard case .string = value else { throw Mismatch(reason: "Write the entity's name as a string.") }
      return value
    case .object: return try object(value)
    case .composite:
      throw Mismatch(reason: "A composite attribute compares with nil only; name one of its members.")
    case .collection(let member, _): return try convert(value, to: member, for: comparator)
    }
  }

  private func number(_ value: Value) throws(Mismatch) -> Value {
    switch value {
    case .int, .double, .decimal: return value
    case .bool(let flag): return .int(flag ? 1 : 0)
    case .string(let text):
      guard let number = NumberLiteral.value(ofText: text) else {
        throw Mismatch(reason: "The text is not wholly a number.")
      }
      return number
    default: throw Mismatch(reason: "Write a number.")
    }
  }

  private func boolean(_ value: Value) throws(Mismatch) -> Value {
    switch value {
    case .bool, .double, .decimal: return value
    case .int(let number): return number == 0 || number == 1 ? .bool(number == 1) : value
    case .string(let text):
      switch text.lowercased() {
      case "true", "yes", "1": return .bool(true)
      case "false", "no", "0": return .bool(false)
      default: throw Mismatch(reason: "Write YES or NO.")
      }
    default: throw Mismatch(reason: "Write YES or NO.")
    }
  }

  /// A decimal as the double that is nearest to it: a fraction of more digits than a double preserves still
  /// means the double (PRD-062). Integers are compared exactly.
  private func nearest(_ value: Value) -> Value {
    guard case .decimal(let number) = value else { return value }
    return .double(number.nearestDouble)
  }

  private func single(_ value: Value) -> Value {
    switch value {
    case .int(let number): .double(Double(Float(number)))
    case .double(let number): .double(Double(Float(number)))
    case .decimal(let number): .double(Double(Float(number.nearestDouble)))
    default: value
    }
  }

  /// The shortest decimal that names the same double (PRD-062).
  private func exact(_ value: Value) -> Value {
    guard case .double(let number) = value, number.isFinite,
      let decimal = DecimalNumeral(shortestTextOf: number).decimal
    else { return value }
    return .decimal(decimal)
  }

  private func string(
    _ value: Value, for comparator: QueryComparison.Operator
  ) throws(Mismatch) -> Value {
    switch value {
    case .string: return value
    case .uuid(let uuid): return .string(uuid.uuidString)
    case .uri(let uri): return .string(uri.absoluteString)
    case .int, .double, .decimal:
      switch comparator {
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
        throw Mismatch(reason: "A number has no place in the order of texts; write it in quotes.")
      default: return value.cast(to: .string)
      }
    default: throw Mismatch(reason: "Write a string.")
    }
  }

  private func date(_ value: Value) throws(Mismatch) -> Value {
    switch value {
    case .date: return value
    case .int(let seconds): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case .double(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .decimal(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds.nearestDouble))
    case .string(let text):
      guard let seconds = DateText.seconds(from: text) else {
        throw Mismatch(reason: "Write a date as 2024-05-31 or 2024-05-31T12:30:00Z.")
      }
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    default: throw Mismatch(reason: "Write a date as 2024-05-31 or 2024-05-31T12:30:00Z.")
    }
  }

  private func uuid(_ value: Value) throws(Mismatch) -> Value {
    switch value {
    case .uuid: return value
    case .string(let text):
      guard let uuid = UUID(uuidString: text) else { throw Mismatch(reason: "The text is no UUID.") }
      return .uuid(uuid)
    default: throw Mismatch(reason: "Write a UUID.")
    }
  }

  private func uri(_ value: Value) throws(Mismatch) -> Value {
    switch value {
    case .uri: return value
    case .string(let text):
      guard let uri = URL(string: text, encodingInvalidCharacters: false) else {
        throw Mismatch(reason: "The text is no URI.")
      }
      return .uri(uri)
    default: throw Mismatch(reason: "Write a URI.")
    }
  }

  private func object(_ value: Value) throws(Mismatch) -> Value {
    let text: String
    switch value {
    case .object(let reference):
      guard reference.isUnresolved else { return value }
      text = reference.uriText
    case .string(let written): text = written
    case .uri(let uri): text = uri.absoluteString
    default: throw Mismatch(reason: "Write an object's identifier, such as \"Employee/p1\".")
    }
    if let reference = resolve(text) { return .object(reference) }
    if case .object = value { return value }
    if text.hasPrefix("x-coredata:") { return value.cast(to: .objectID) }
    throw Mismatch(reason: "No object has that identifier; write one such as \"Employee/p1\".")
  }
}
