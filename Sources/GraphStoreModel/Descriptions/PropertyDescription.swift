import Foundation
import GraphStorePredicates

/// Base class of attributes, relationships and fetched properties.
///
/// Descriptions are made by ``ManagedObjectModel``, never change afterwards, and may be used from any thread.
/// They do not hold their model: one that outlives it finds the others in an equal model that is made for it
/// then.
///
/// ```swift
/// for property in try model.entity(named: "Employee").properties {
///   switch property {
///   case let attribute as AttributeDescription: print(attribute.name, attribute.type)
///   case let relationship as RelationshipDescription: print("to", relationship.destination.name)
///   default: print(property.name)
///   }
/// }
/// ```
public class PropertyDescription: @unchecked Sendable {
  // Unchecked, since the compiler checks no class that has subclasses: all that is stored here and in these
  // is constant.

  /// The name.
  public final let name: String
  /// The name, or of an element of a composite attribute the path to it: `address.city`.
  public final let keyPath: String
  /// The position in ``EntityDescription/properties``; the same in every sub-entity. For an element of a
  /// composite attribute, its position among the elements.
  public final let number: Int
  /// Whether a saved object may lack a value.
  public final let isOptional: Bool
  /// Whether the value is never stored.
  public final let isTransient: Bool
  /// User information: anything that a program keeps with it.
  public final let userInfo: [String: JSONValue]
  /// Rules over the candidate value.
  public final let validations: [PropertyValidation]
  /// The property's name in the version before; its name where none is specified.
  public final let renamingIdentifier: String
  /// A text that changes the version hash and nothing else.
  public final let versionHashModifier: String?
  /// The position of the declaring entity in ``ManagedObjectModel/entities``.
  package final let entityIndex: Int
  final let reference: WeakModelReference
  private let hash = VersionHash.Cache()

  init(
    _ definition: some PropertyDefinition, isTransient: Bool, validations: [PropertyValidation],
    site: DeclarationSite
  ) {
    name = definition.name
    keyPath = (site.path + [definition.name]).joined(separator: ".")
    number = site.number
    isOptional = definition.isOptional
    self.isTransient = isTransient
    userInfo = definition.userInfo
    self.validations = validations
    renamingIdentifier = definition.renamingIdentifier ?? definition.name
    versionHashModifier = definition.versionHashModifier
    entityIndex = site.entityIndex
    reference = site.reference
  }

  /// 32 bytes made of what affects storage, when they are first asked for; see
  /// ``EntityDescription/versionHash``.
  public final var versionHash: Data { Data(digest) }

  /// The bytes of the version hash.
  final var digest: [UInt8] {
    hash.bytes { VersionHash.text(of: self) }
  }

  /// The entity that declares the property, also when it was read through a sub-entity.
  public final var entity: EntityDescription { reference.model.entities[entityIndex] }
}

/// Requirements that the definitions of all kinds of properties meet.
protocol PropertyDefinition {
  var name: String { get }
  var isOptional: Bool { get }
  var userInfo: [String: JSONValue] { get }
  var renamingIdentifier: String? { get }
  var versionHashModifier: String? { get }
}

extension AttributeDefinition: PropertyDefinition {}
extension RelationshipDefinition: PropertyDefinition {}
extension FetchedPropertyDefinition: PropertyDefinition {}

/// Declaration site of a property: its model, the entity that declares it, and its number there.
struct DeclarationSite {
  let reference: WeakModelReference
  let entityIndex: Int
  var number: Int
  /// For an element of a composite attribute: the names of the attribute and of the elements above it.
  var path: [String] = []
}

extension PropertyDescription: Hashable, CustomStringConvertible {
  /// Whether both are the same description.
  public static func == (left: PropertyDescription, right: PropertyDescription) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The entity's and the property's name; of an element its path.
  public var description: String { "\(entity.name).\(keyPath)" }
}

/// A rule of a property, ready to be evaluated.
///
/// ```swift
/// for validation in try model.entity(named: "Employee").attributes.flatMap(\.validations) {
///   print(validation.predicate, validation.message ?? "-")
/// }
/// ```
public struct PropertyValidation: Sendable {
  /// The predicate over the candidate value, which is `SELF`.
  public let predicate: QueryPredicate
  /// The predicate's text as the model has it.
  public let text: String
  /// The message for a false predicate, nil for the default sentence.
  public let message: String?
}
