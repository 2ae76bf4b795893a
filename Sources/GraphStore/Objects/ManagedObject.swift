import GraphStoreModel
import GraphStorePredicates

/// An instance of an entity: a record of a store, or one that is going to be.
///
/// An object has one entity for life and belongs to at most one context. It is either realised, with its values in
/// memory, or a fault, whose values are loaded when one is first asked for. Objects are confined to the queue of
/// their context and are not `Sendable`; hand their ``objectID`` to other queues.
///
/// Equality is identity and the hash never changes, so objects can be kept in sets before and after their first
/// save (OBJ-004).
///
/// A subclass is tied to an entity by ``ManagedObjectContext`` only when it was registered under the entity's
/// `className`; without one, `ManagedObject` itself represents the entity and every property is reached by key.
open class ManagedObject {
  @exclusivity(unchecked) final unowned(unsafe) var context: ManagedObjectContext?
  @exclusivity(unchecked) final var key: Int64
  @exclusivity(unchecked) final var state: ObjectState
  @exclusivity(unchecked) final var rowIndex: Int32 = 0
  @exclusivity(unchecked) final var storeIndex: Int32 = 0
  @exclusivity(unchecked) final var block: RowBlock?
  @exclusivity(unchecked) final var extra: ObjectExtra?
  final let plan: EntityPlan

  /// Where an instance comes from: made by a context for an insertion, a fetch or a look-up.
  public struct Origin {
    unowned(unsafe) let plan: EntityPlan
    unowned(unsafe) let context: ManagedObjectContext
    let key: Int64
    let state: ObjectState
    let storeIndex: Int32
  }

  /// Makes an instance for a context; a subclass that overrides it calls `super`.
  ///
  /// It runs for fetched faults as well. Code for once in a life belongs in ``awakeFromInsert()`` (OBJ-054).
  public required init(_ origin: Origin) {
    plan = origin.plan
    context = origin.context
    key = origin.key
    state = origin.state
    storeIndex = origin.storeIndex
  }

  deinit {
    if state.contains(.registered) { context?.registry.unregister(self) }
  }

  /// The object's entity, for life.
  public final var entity: EntityDescription { plan.entity }

  /// The object's identifier; temporary until the first save that writes the object.
  public final var objectID: ManagedObjectID {
    ManagedObjectID(scope: scope, entityIndex: plan.index, key: key)
  }

  /// The context, or nil for an object that left its context.
  public final var managedObjectContext: ManagedObjectContext? {
    state.isDisjoint(with: [.detached, .invalidated]) ? context : nil
  }

  final var scope: IdentifierScope {
    if let context { return context.scope(of: self) }
    return extra?.scope ?? IdentifierScope(uuid: "", model: plan.entity.model)
  }

  // MARK: Hooks

  /// Runs once in an object's life, when it is inserted, with its defaults in place (OBJ-060).
  open func awakeFromInsert() {}

  /// Runs each time the object is realised from row data; changes made in it are not tracked (OBJ-064, OBJ-065).
  open func awakeFromFetch() {}

  /// Runs when the object is deleted, before any of its links is cut (REL-255).
  open func prepareForDeletion() {}

  /// Runs in a save after validation; what it changes belongs to the save (OBJ-073, OBJ-075).
  open func willSave() {}

  /// Runs after the stores have the data (OBJ-078).
  open func didSave() {}

  /// Runs before the object gives up its values (OBJ-069).
  open func willTurnIntoFault() {}

  /// Runs after the object has given up its values.
  open func didTurnIntoFault() {}

  /// Checks an inserted object; an override calls `super` and may throw further failures (OBJ-365).
  open func validateForInsert() throws { try validateProperties() }

  /// Checks an updated object; an override calls `super` and may throw further failures.
  open func validateForUpdate() throws { try validateProperties() }

  /// Checks an object that is to be deleted.
  open func validateForDelete() throws {}

  /// Checks one property beyond the constraints of the model; the base version does nothing (OBJ-346).
  open func validateProperty(_ key: String, value: inout ProposedValue) throws {}
}

extension ManagedObject: Hashable {
  /// Identity of the instance.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

  /// Hashes the identity of the instance.
  public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ManagedObject: CustomStringConvertible {
  /// Class, identifier and, for a realised object, attributes and to-one identifiers; fires no fault (OBJ-006).
  public final var description: String {
    let head = "<\(type(of: self)) \(objectID.shortForm)"
    guard let row = currentRow, !state.contains(.fault) else { return "\(head) <fault>>" }
    let values = plan.properties.compactMap { property -> String? in
      switch property.kind {
      case .none: nil
      case .toMany: "\(property.name): <relationship fault>"
      default: "\(property.name): \(value(of: property, in: row))"
      }
    }
    return "\(head) \(values.joined(separator: ", "))>"
  }
}
