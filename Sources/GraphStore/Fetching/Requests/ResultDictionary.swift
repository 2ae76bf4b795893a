import Foundation
import GraphStoreModel
import GraphStorePredicates

/// One dictionary of a result: values by name, in the order of the request's properties.
///
/// All dictionaries of one result have the same names; a missing value is there as nil.
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.resultType = .dictionary
/// request.propertiesToFetch = ["name", "salary", "department.name"]
/// for row in try context.fetchDictionaries(request) {
///   print(row["department.name"] as? String ?? "none", row.value("salary") ?? .null)
/// }
/// ```
public struct ResultDictionary: Sendable, Hashable {
  /// Names and types that the dictionaries of one result share.
  final class Shape: Sendable {
    let names: [String]
    let places: [String: Int]
    /// For each value the attribute that it is of, if it is one of an attribute as it is stored.
    let attributes: [AttributeDescription?]

    init(_ query: ResultQuery) {
      names = query.results.map(\.name)
      places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
      attributes = query.results.map { $0.conversion == nil ? $0.attribute : nil }
    }
  }

  private let shape: Shape
  /// The values, in the order of ``names``, as the currency of predicates; those of transformable attributes
  /// as they are stored.
  public let values: [Value]

  init(_ values: [Value], _ shape: Shape) {
    self.values = values
    self.shape = shape
  }

  /// The names, in the order of the request's properties.
  public var names: [String] { shape.names }

  /// The number of values.
  public var count: Int { values.count }

  /// The value of a name as the currency of predicates; nil for a name that the request does not have.
  public func value(_ name: String) -> Value? { shape.places[name].map { values[$0] } }

  /// The value of a name as its Swift type: of an attribute that of its width, of a transformable one what
  /// its transformer makes, of a composite one a dictionary, of a to-one and of `objectID` a
  /// ``ManagedObjectID``; nil for a missing value, and for a name that the request does not have.
  ///
  /// A value that a transformer cannot read is nil here, and ``decoded(_:)`` throws.
  public subscript(name: String) -> Any? { try? decoded(name) }

  /// The value of a name as its Swift type.
  ///
  /// - Throws: `unknown-key` for a name that the request does not have; `transformer-missing` and
  ///   `transform-failed`.
  public func decoded(_ name: String) throws -> Any? {
    guard let place = shape.places[name] else {
      var error = GraphStoreError(
        .unknownKey, "The request has no result \(name).",
        remedy: "It has \(shape.names.joined(separator: ", ")).", property: name)
      error.suggestions = NearestNames.names(near: name, among: shape.names)
      throw error
    }
    return try values[place].swiftValue(of: shape.attributes[place])
  }

  /// Whether both have the same names and values.
  public static func == (left: Self, right: Self) -> Bool {
    left.values == right.values && (left.shape === right.shape || left.names == right.names)
  }

  /// Feeds the values.
  public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension ResultDictionary: CustomStringConvertible {
  /// The names with their values as predicates write them.
  public var description: String {
    "{" + zip(names, values).map { "\($0): \($1.literal)" }.joined(separator: ", ") + "}"
  }
}

extension Value {
  /// The value as its Swift type, of an attribute if it is one's.
  fileprivate func swiftValue(of attribute: AttributeDescription?) throws -> Any? {
    switch (self, attribute?.type) {
    case (.null, _): return nil
    case (.data(let data), .transformable?): return try attribute?.decoded(data)
    case (.dictionary(let members), .composite?):
      var values: [String: Any?] = [:]
      for element in attribute?.elements ?? [] {
        values.updateValue(try (members[element.name] ?? .null).swiftValue(of: element), forKey: element.name)
      }
      return values
    case (.int(let number), .int16?): return Int16(exactly: number) ?? number
    case (.int(let number), .int32?): return Int32(exactly: number) ?? number
    case (.double(let number), .float?): return Float(number)
    case (.object(let reference), _): return reference.identifier(as: ManagedObjectID.self)
    case (.list(let members), _): return try members.map { try $0.swiftValue(of: nil) }
    default: return swiftValue(.undefined)
    }
  }
}

extension AttributeDescription {
  /// The object that the transformer of a transformable attribute decodes from stored bytes.
  ///
  /// - Throws: `transformer-missing`, `transform-failed`.
  fileprivate func decoded(_ data: Data) throws -> Any? {
    guard let transformer = AttributeTransformer.named(transformerName) else {
      throw GraphStoreError(
        .transformerMissing, "The transformer \(transformerName ?? "") of \(description) is not registered.",
        remedy: "Register it with AttributeTransformer.register.", entity: entity.name, property: name)
    }
    let failure: (any Error)?
    do {
      if let value = try transformer.reverse?(data) { return value }
      failure = nil
    } catch {
      failure = error
    }
    throw GraphStoreError(
      .transformFailed,
      "The transformer \(transformer.name) made no value of the \(data.count) bytes of \(description).",
      remedy: "Mend the transformer; what is stored stays.", entity: entity.name, property: name,
      underlying: failure)
  }
}

extension ResultDictionary {
  /// The value of a name as a type of the caller's choice, nil for a missing value: a number as any type of
  /// numbers that holds it, everything else as the type that ``decoded(_:)`` returns.
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
