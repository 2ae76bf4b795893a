import Foundation
import GraphStorePredicates

/// An attribute, or an element of a composite attribute.
///
/// ```swift
/// if let salary = try model.entity(named: "Employee").attribute(named: "salary") {
///   print(salary.type, salary.isOptional, salary.defaultValue)
///   print(salary.validate(.decimal(-1)).map(\.message))
/// }
/// ```
public final class AttributeDescription: PropertyDescription, @unchecked Sendable {
  /// The kind of value.
  public let type: AttributeType
  /// The value a new object starts with; `.null` where none is specified.
  public let defaultValue: Value
  /// The least value, inclusive.
  public let minimum: Value?
  /// The greatest value, inclusive.
  public let maximum: Value?
  /// The least length in UTF-16 units.
  public let minLength: Int?
  /// The greatest length in UTF-16 units.
  public let maxLength: Int?
  /// The text of a regular expression that the whole string matches.
  public let pattern: String?
  /// The text of the expression by which the store computes the value.
  public let derivation: String?
  /// The name of the value transformer.
  public let transformerName: String?
  /// Whether a large binary value may live in a file of its own.
  public let allowsExternalStorage: Bool
  /// Whether the last value is kept in the history entry of a deletion.
  public let preservesValueInHistory: Bool
  /// The elements of a composite attribute, in order.
  public let elements: [AttributeDescription]
  /// The limits in the form that a save checks without making a `Value`.
  package let constraints: AttributeConstraints
  let matcher: StringPattern?

  init(_ definition: AttributeDefinition, parts: AttributeParts, site: DeclarationSite) {
    type = definition.type
    defaultValue = parts.defaultValue
    minimum = parts.minimum
    maximum = parts.maximum
    minLength = definition.minLength
    maxLength = definition.maxLength
    pattern = definition.pattern
    derivation = definition.derivation
    transformerName = definition.transformer
    allowsExternalStorage = definition.externalStorage
    preservesValueInHistory = definition.preservesValueInHistory
    elements = zip(definition.elements, parts.elements).enumerated().map { position, pair in
      var site = site
      site.number = position
      site.path.append(definition.name)
      return AttributeDescription(pair.0, parts: pair.1, site: site)
    }
    matcher = parts.matcher
    constraints = AttributeConstraints(definition, minimum: parts.minimum, maximum: parts.maximum)
    super.init(
      definition, isTransient: definition.isTransient, validations: parts.validations, site: site)
  }

  /// Whether the store computes the value.
  public var isDerived: Bool { derivation != nil }
}

/// Results of checking an attribute's definition, for its description.
struct AttributeParts {
  var defaultValue = Value.null
  var minimum: Value?
  var maximum: Value?
  var matcher: StringPattern?
  var validations: [PropertyValidation] = []
  var elements: [AttributeParts] = []
}

extension AttributeDescription {
  /// The key paths of what has a value of its own: the name, or of a composite attribute those of its
  /// elements, nested ones too, in order.
  package var leafKeyPaths: [String] {
    guard type == .composite else { return [name] }
    return elements.flatMap { element in element.leafKeyPaths.map { "\(name).\($0)" } }
  }

  /// The elements on the way that names lead from a composite attribute, the last one last; nil where there
  /// is no such one.
  package func elements(at names: [String]) -> [AttributeDescription]? {
    var found: [AttributeDescription] = []
    for name in names {
      guard let element = (found.last ?? self).elements.first(where: { $0.name == name }) else { return nil }
      found.append(element)
    }
    return found
  }
}
