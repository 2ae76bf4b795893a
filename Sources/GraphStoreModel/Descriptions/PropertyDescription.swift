import Foundation

/// What an attribute, a relationship and a fetched property have in common.
///
/// Descriptions are made by ``ManagedObjectModel``, never change afterwards, and may be used from any thread. They do not
/// hold their model: one that outlives it finds the others in an equal model that is made for it then.
public class PropertyDescription: @unchecked Sendable {
  /// The name.
  public final let name: String
  /// The position in ``EntityDescription/properties``; the same in every sub-entity. For an element of a composite
  /// attribute, its position among the elements.
  public final let number: Int
  /// Whether a saved object may lack a value.
  public final let isOptional: Bool
  /// Whether the value is never stored.
  public final let isTransient: Bool
  /// Anything a program noted.
  public final let userInfo: [String: JSONValue]
  /// Rules over the candidate value.
  public final let validations: [PropertyValidation]
  /// The property's name in the version before; its name where none is given.
  public final let renamingIdentifier: String
  /// A text that changes the version hash and nothing else.
  public final let versionHashModifier: String?
  /// The version hash; written and read where the model's hashes are made.
  @safe @exclusivity(unchecked) final var digest: [UInt8] = []
  @safe @exclusivity(unchecked) final private unowned var entityReference: EntityDescription?
  /// Whether the model is alive, and what to look in if it is not; given with the entity.
  @safe @exclusivity(unchecked) final private(set) var origin: ModelOrigin?
  @safe @exclusivity(unchecked) final private var entityIndex = 0
  @safe @exclusivity(unchecked) final private var elementPath: [String] = []

  init(
    name: String, number: Int, isOptional: Bool, isTransient: Bool, userInfo: [String: JSONValue],
    validations: [PropertyValidation], renamingIdentifier: String?, versionHashModifier: String?
  ) {
    self.name = name
    self.number = number
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.userInfo = userInfo
    self.validations = validations
    self.renamingIdentifier = renamingIdentifier ?? name
    self.versionHashModifier = versionHashModifier
  }

  /// 32 bytes made of what affects storage. Those of the whole model are made when the first one is asked for.
  public final var versionHash: Data {
    entity.model.makeHashes()
    return Data(counterpart?.digest ?? digest)
  }

  /// The entity that declares the property, also when it was read through a sub-entity.
  public final var entity: EntityDescription {
    guard let origin, !origin.isModelAlive else { return entityReference! }
    return origin.successor.entities[entityIndex]
  }

  /// Says which entity declares the property, and for an element of a composite attribute the names that lead to it.
  final func setEntity(_ entity: EntityDescription, path: [String] = []) {
    entityReference = entity
    origin = entity.origin
    entityIndex = entity.index
    elementPath = path
  }

  /// Whether what the description refers to can be followed.
  final var isModelAlive: Bool { origin?.isModelAlive ?? true }

  /// The same property in the successor of a model that is gone; nil where the model is there.
  final var counterpart: PropertyDescription? {
    if isModelAlive { return nil }
    let property = entity.propertiesByName[elementPath.first ?? name]
    return elementPath.dropFirst().reduce(property) { property, name in
      (property as? AttributeDescription)?.elements.first { $0.name == name }
    }
  }
}

extension PropertyDescription: Hashable, CustomStringConvertible {
  /// Whether both are the same description.
  public static func == (left: PropertyDescription, right: PropertyDescription) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The entity's and the property's name.
  public var description: String { "\(entity.name).\(name)" }
}
