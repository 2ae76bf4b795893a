import Foundation
import GraphStorePredicates
import OrderedCollections

extension PredicateExpressions.Variable: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .expression(try translator.expression(of: self))
  }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .expression(.null)
  }
}

extension PredicateExpressions.Value: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    if let value = value as? Bool { return .predicate(.constant(value)) }
    if let range = value as? any BoundedRange {
      func bound(_ value: Any?) throws(QueryPredicateError) -> QueryExpression? {
        guard let value else { return nil }
        return try constant(value)
      }
      return .range(
        lower: try bound(range.lower), upper: try bound(range.upper), includesUpper: range.includesUpper)
    }
    return .expression(try constant(value))
  }

  private func constant(_ value: Any) throws(QueryPredicateError) -> QueryExpression {
    if let value = PredicateConstant.value(of: value) { return QueryExpression(.constant(value)) }
    throw PredicateTranslator.untranslatable("a value of type \(type(of: value))")
  }
}

/// Values that a predicate captures, as values of the language.
enum PredicateConstant {
  /// The value; nil for one of a type that cannot be used in a predicate.
  static func value(of captured: Any) -> Value? {
    if let value = captured as? any ValueConvertible { return value.queryValue.literalValue }
    if let value = captured as? any RawRepresentable { return self.value(of: value.rawValue) }
    if let values = captured as? [any RawRepresentable] { return list(values.map { $0.rawValue }) }
    guard let value = ArgumentConversion.value(of: captured) else { return nil }
    guard case .list(let members) = value else { return value.literalValue }
    return .list(members.map(\.literalValue))
  }

  private static func list(_ values: [Any]) -> Value? {
    var members: [Value] = []
    for value in values {
      guard let member = self.value(of: value) else { return nil }
      members.append(member)
    }
    return .list(members)
  }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    let object = try translator.expression(root)
    switch kind ?? orderedKind {
    case .collectionCount: return .expression(try count(of: object))
    case .collectionIsEmpty:
      if Root.Output.self == String.self { return .predicate(.compare(object, .equal, .constant(""))) }
      return .predicate(.compare(try count(of: object), .equal, .constant(0)))
    case .collectionFirst: return .expression(QueryExpression(.index(object, .first)))
    case .bidirectionalCollectionLast: return .expression(QueryExpression(.index(object, .last)))
    default: break
    }
    if keyPath == \String.UTF16View.count { return .expression(.function(.length, object)) }
    if passesThrough { return .expression(object) }
    let name = try PropertyName.name(of: keyPath, in: Root.Output.self)
    return .expression(QueryExpression(.keyPath(QueryKeyPath(base: object, steps: [.key(name)]))))
  }

  /// A path that ends in an ordered relationship, whose collection Foundation does not know.
  private var orderedKind: CommonKeyPathKind? {
    guard let members = Root.Output.self as? any OrderedMembers.Type else { return nil }
    switch keyPath {
    case members.countPath: return .collectionCount
    case members.isEmptyPath: return .collectionIsEmpty
    case members.firstPath: return .collectionFirst
    case members.lastPath: return .bidirectionalCollectionLast
    default: return nil
    }
  }

  private func count(of object: QueryExpression) throws(QueryPredicateError) -> QueryExpression {
    if Root.Output.self == String.self {
      throw PredicateTranslator.untranslatable(
        "the number of characters of a text",
        hint: "Write `utf16.count`: texts are measured in UTF-16 units.")
    }
    guard !(Root.Output.self is any DataProtocol.Type) else {
      throw PredicateTranslator.untranslatable("the number of bytes")
    }
    return object.count
  }

  /// Whether the key path leads to what the language has no step for: the identifier of an object, in any
  /// form, and a text in UTF-16.
  private var passesThrough: Bool {
    keyPath == \ManagedObjectID.uriRepresentation || keyPath == \String.utf16
      || PropertyName.isObjectID(keyPath, of: Root.Output.self)
  }
}

/// Members of an ordered relationship, with the key paths of what every collection has.
private protocol OrderedMembers {
  static var countPath: AnyKeyPath { get }
  static var isEmptyPath: AnyKeyPath { get }
  static var firstPath: AnyKeyPath { get }
  static var lastPath: AnyKeyPath { get }
}

extension OrderedSet: OrderedMembers {
  fileprivate static var countPath: AnyKeyPath { \Self.count }
  fileprivate static var isEmptyPath: AnyKeyPath { \Self.isEmpty }
  fileprivate static var firstPath: AnyKeyPath { \Self.first }
  fileprivate static var lastPath: AnyKeyPath { \Self.last }
}

/// Names of properties by key paths of classes.
enum PropertyName {
  /// The name of the property that a key path reads.
  ///
  /// - Throws: `unknown-key` for a key path that the type does not declare.
  static func name(of keyPath: AnyKeyPath, in type: Any.Type) throws(QueryPredicateError) -> String {
    let naming = type as? any KeyPathNaming.Type
    if let name = naming?.keyPaths[keyPath] { return name }
    let value = Swift.type(of: keyPath).valueType
    throw QueryPredicateError(
      .unknownKey, "\(type) has no property of the model for the key path to a value of type \(value).",
      hint: naming == nil
        ? "Generate the code of the class, or declare its key paths: see KeyPathNaming."
        : "Use properties of the model, or declare the key path: see KeyPathNaming.",
      subject: "\(keyPath)")
  }

  /// Whether a key path leads to the identifier of an object.
  static func isObjectID(_ keyPath: AnyKeyPath, of type: Any.Type) -> Bool {
    guard let type = type as? any (ManagedObject & FetchableObject).Type else { return false }
    return isObjectID(keyPath, type)
  }

  private static func isObjectID<Object: ManagedObject & FetchableObject>(
    _ keyPath: AnyKeyPath, _ type: Object.Type
  ) -> Bool { keyPath == \Object.objectID }
}
