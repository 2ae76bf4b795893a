import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Names a record: its store, its entity and its key.
///
/// A permanent identifier never changes and is never assigned to another record of its store. A new object
/// has a temporary one until the first save that writes it, or
/// ``ManagedObjectContext/obtainPermanentIDs(for:)``. Identifiers are equal when store, root entity and key
/// are. The URI is made only when asked for.
///
/// An identifier may be passed where its object may not: to other queues, and as a URI out of the process.
///
/// ```swift
/// let id = employee.objectID
/// let name = try await container.performBackgroundTask { context in
///   (try context.existingObject(with: id) as? Employee)?.name
/// }
/// print(name ?? "-", coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation) == id)
/// ```
public struct ManagedObjectID: Hashable, Sendable {
  package let scope: StoreIdentity
  /// The entity's position in the model.
  package let entityIndex: Int
  /// The primary key; negative for a temporary identifier.
  package let key: Int64

  package init(scope: StoreIdentity, entityIndex: Int, key: Int64) {
    self.scope = scope
    self.entityIndex = entityIndex
    self.key = key
  }

  /// The record's own entity.
  public var entity: EntityDescription { scope.model.entities[entityIndex] }

  /// Whether the object had no permanent identifier yet.
  public var isTemporaryID: Bool { key < 0 }

  /// `Employee/p12`, or `Employee/t3` for an unsaved object: the form the command prints and takes.
  ///
  /// Where stores are open by names, and several of them hold the entity, the name of the record's store
  /// precedes it: `archive:Employee/p12`.
  public var shortForm: String {
    "\(scope.prefix(ofEntityAt: entityIndex))\(entity.name)/\(keyText)"
  }

  private var keyText: String { key < 0 ? "t\(key.magnitude)" : "p\(scope.reference(of: key, entity))" }

  /// The number in its forms, negative for a temporary identifier.
  package var number: Int64 { key }

  /// The name of the record's store; nil where it has none, and for a temporary identifier.
  package var storeName: String? { scope.label?.name }

  /// `x-coredata://STORE-UUID/Entity/pKEY`, or `x-coredata:///Entity/tUUIDNUMBER` for an unsaved object.
  public var uriRepresentation: URL {
    URL(string: uriText) ?? URL(fileURLWithPath: uriText)
  }

  /// Equal when store, root entity and key are equal.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.key == right.key else { return false }
    return left.scope === right.scope ? left.rootIndex == right.rootIndex : left.isOfSameRecord(right)
  }

  /// Whether an identifier with the same key that another coordinator gave, perhaps under a model with
  /// another order of entities, names the same record.
  private func isOfSameRecord(_ other: Self) -> Bool {
    guard scope.uuid == other.scope.uuid else { return false }
    return scope.model === other.scope.model
      ? rootIndex == other.rootIndex : entity.rootEntity.name == other.entity.rootEntity.name
  }

  /// Hashes the key and the length of the root entity's name: its position may differ in another model of the
  /// store.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(entity.rootEntity.name.utf8.count)
  }

  private var rootIndex: Int { entity.rootEntity.index }
}

extension ManagedObjectID {
  /// The error of a temporary identifier where only one that lasts makes sense.
  package func refusalOfTemporary(entity: String? = nil, property: String? = nil) -> GraphStoreError {
    let place = property.map { "\(entity ?? "").\($0): " } ?? ""
    return GraphStoreError(
      .temporaryID, "\(place)\(shortForm) is a temporary identifier, which ends with the save of its object.",
      remedy: "Save the object first, or obtain a permanent identifier.", entity: entity ?? self.entity.name,
      property: property, objectID: self)
  }
}

extension ManagedObjectID: Comparable {
  /// By store, root entity and key; temporary identifiers last, in the order of their creation.
  ///
  /// For entities of two models, whose orders may differ, the names count.
  public static func < (left: Self, right: Self) -> Bool {
    if left.isTemporaryID != right.isTemporaryID { return right.isTemporaryID }
    if left.scope !== right.scope, left.scope.uuid != right.scope.uuid {
      return left.scope.uuid < right.scope.uuid
    }
    if left.isTemporaryID { return left.key > right.key }
    if left.scope.model === right.scope.model {
      if left.rootIndex != right.rootIndex { return left.rootIndex < right.rootIndex }
    } else {
      let (first, second) = (left.entity.rootEntity.name, right.entity.rootEntity.name)
      if first != second { return first < second }
    }
    return left.key < right.key
  }
}

extension ManagedObjectID: ObjectIdentifying {
  /// The key.
  public var recordHash: Int { Int(truncatingIfNeeded: key) }

  /// The order of identifiers.
  public func precedes(_ other: Self) -> Bool { self < other }

  /// The identifier's URI as text.
  public var uriText: String {
    isTemporaryID
      ? "x-coredata:///\(entity.name)/t\(scope.uuid)\(key.magnitude)"
      : "x-coredata://\(scope.uuid)/\(entity.name)/\(keyText)"
  }
}

extension ManagedObjectID: CustomStringConvertible {
  /// The short form.
  public var description: String { shortForm }
}
