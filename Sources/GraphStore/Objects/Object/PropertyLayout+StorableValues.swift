import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Values that are set, as attributes hold them.
extension PropertyLayout {
  /// A value as an attribute holds it: a number of its width, a decimal of the digits that stores keep.
  ///
  /// - Throws: `value-type`, `value-out-of-range`.
  func storable(_ value: Value, in entity: EntityDescription) throws(GraphStoreError) -> Value {
    switch (kind, value) {
    case (_, .null), (.boolean, .bool), (.string, .string), (.uri, .uri), (.uuid, .uuid), (.binary, .data),
      (.transformable, .data), (.external, .data):
      return value
    case (.int16, _): return try integer(value, entity, range: Int64(Int16.min)...Int64(Int16.max))
    case (.int32, _): return try integer(value, entity, range: Int64(Int32.min)...Int64(Int32.max))
    case (.int64, _): return try integer(value, entity, range: Int64.min...Int64.max)
    case (.boolean, .int(let number)) where number == 0 || number == 1: return .bool(number == 1)
    case (.double, _), (.float, _): return try floating(value, entity)
    case (.date, .date(let date)) where date.timeIntervalSinceReferenceDate.isFinite: return value
    case (.decimal, _): return try decimal(value, entity)
    default: throw wrongType(value, entity)
    }
  }

  private func integer(
    _ value: Value, _ entity: EntityDescription, range: ClosedRange<Int64>
  ) throws(GraphStoreError) -> Value {
    let number: Int64
    switch value {
    case .int(let given): number = given
    case .double(let given):
      guard let exact = Int64(exactly: given) else {
        throw given.magnitude >= 0x1p63 ? outOfRange(value, entity) : wrongType(value, entity)
      }
      number = exact
    case .decimal(let given):
      guard let exact = Int64(exactly: given) else {
        throw given.magnitude > Decimal(Int64.max) ? outOfRange(value, entity) : wrongType(value, entity)
      }
      number = exact
    default: throw wrongType(value, entity)
    }
    guard range.contains(number) else { throw outOfRange(value, entity) }
    return .int(number)
  }

  private func floating(_ value: Value, _ entity: EntityDescription) throws(GraphStoreError) -> Value {
    let number: Double
    switch value {
    case .int(let given): number = Double(given)
    case .double(let given): number = given
    case .decimal(let given): number = given.nearestDouble
    default: throw wrongType(value, entity)
    }
    guard !number.isNaN else { throw wrongType(value, entity) }
    // A negative zero is zero, as a store returns it (OBJ-143).
    guard kind == .float else { return .double(number + 0) }
    let single = Float(number)
    guard single.isFinite || !number.isFinite else { throw outOfRange(value, entity) }
    return .double(Double(single) + 0)
  }

  private func decimal(_ value: Value, _ entity: EntityDescription) throws(GraphStoreError) -> Value {
    switch value {
    case .int: return value
    case .double(let given) where given.isFinite:
      let number = Decimal(shortestTextOf: given)
      // A decimal has an exponent of 127 at most.
      guard !number.isNaN else { throw outOfRange(value, entity) }
      return .decimal(number)
    case .decimal(let given) where given.isFinite:
      guard given.fitsStore else { throw outOfRange(value, entity) }
      return value
    case .double, .decimal: throw outOfRange(value, entity)
    default: throw wrongType(value, entity)
    }
  }

  // MARK: Errors

  private func wrongType(_ value: Value, _ entity: EntityDescription) -> GraphStoreError {
    GraphStoreError(
      .valueType, "\(entity.name).\(name) holds \(kind) values, not \(value.refusedName).",
      remedy: "Convert the value before it is set.", entity: entity.name, property: name, value: value)
  }

  private func outOfRange(_ value: Value, _ entity: EntityDescription) -> GraphStoreError {
    GraphStoreError(
      .valueOutOfRange, "\(entity.name).\(name): the number does not fit \(kind).",
      remedy: "Use a smaller number, or a wider type in the model.", entity: entity.name, property: name,
      value: value)
  }
}

extension Value {
  /// The value as the error of an attribute that cannot hold it names it: where its kind is the attribute's,
  /// what is wrong.
  fileprivate var refusedName: String {
    switch self {
    case .double(let number) where number.isNaN: "NaN"
    case .decimal(let number) where number.isNaN: "NaN"
    case .date(let date) where !date.timeIntervalSinceReferenceDate.isFinite: "a date at no finite time"
    default: kindName
    }
  }

  /// The kind of value as a word for messages.
  var kindName: String {
    switch self {
    case .null: "nil"
    case .bool: "a Boolean"
    case .int: "an integer"
    case .double: "a double"
    case .decimal: "a decimal"
    case .string: "a string"
    case .date: "a date"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .data: "data"
    case .object: "an object"
    case .list: "a list"
    case .dictionary: "a dictionary"
    }
  }
}
