import GraphStoreModel
import GraphStorePredicates

/// An instance of an entity: a record of a store, or one that is going to be.
///
/// An object has one entity for life and belongs to at most one context. It is either realised, with its
/// values in memory, or a fault, whose values are loaded when one is first asked for. Objects are confined to
/// the queue of their context and are not `Sendable`; hand their ``objectID`` to other queues. Only
/// ``objectID``, ``entity``, ``managedObjectContext``, equality, hash and ``description`` may be asked for
/// anywhere.
///
/// Equality is identity and the hash never changes, so objects can be kept in sets before and after their
/// first save.
///
/// A subclass is tied to an entity by ``ManagedObjectContext`` only when it was registered under the entity's
/// `className`; without one, `ManagedObject` itself represents the entity and every property is reached by
/// key.
///
/// Without a class, values are reached by key:
///
/// ```swift
/// let ada = try context.insert(entityNamed: "Employee")
/// try ada.setValue("Ada Lovelace", forKey: "name")
/// print(try ada.value(forKey: "name") ?? "-", ada.hasChanges)
/// ```
///
/// A class has properties, rules and hooks of its own:
///
/// ```swift
/// final class Employee: ManagedObject {
///   enum Keys { static let name = AttributeKey<Employee, String>("name") }
///   var name: String { get { self[default: Keys.name] } set { self[Keys.name] = newValue } }
///
///   override func awakeFromInsert() { name = "New employee" }
/// }
/// ```
@safe open class ManagedObject {
  /// Retained: an object may outlive its context, and unregisters in its `deinit`.
  final let heldRegistry: Unmanaged<ObjectRegistry>
  @safe @exclusivity(unchecked) final var key: Int64
  /// The flags, changed by ``changeState(removing:adding:)`` alone.
  @safe @exclusivity(unchecked) final private(set) var state: ObjectState
  /// The identity of the layout while values can be read in place, else ``EntityLayout/noIdentity``: what a
  /// typed key compares before it reads, so that one comparison shows that it knows the slot, and that
  /// nothing is to be loaded or to be checked first.
  @safe @exclusivity(unchecked) @usableFromInline final private(set) var readableIdentity: UInt32
  /// The first slot of the row; nil for a fault, and without a row.
  @exclusivity(unchecked) @usableFromInline final private(set) var values: UnsafeMutablePointer<UInt64>?
  @safe @exclusivity(unchecked) final private(set) var rowIndex: Int32
  @safe @exclusivity(unchecked) final var storeIndex: Int32
  /// The relationship, by its position, of an attached destination.
  @safe @exclusivity(unchecked) final var attachedRelationship: Int32 = 0
  /// The block of the row, retained.
  @exclusivity(unchecked) final private(set) var heldBlock: Unmanaged<RowBlock>?
  @safe @exclusivity(unchecked) final var attachment = ObjectAttachment.nothing
  /// Kept alive by the registry.
  @safe final unowned(unsafe) let layout: EntityLayout

  /// Origin of an instance: made by a context for an insertion, a fetch or a look-up.
  @safe public struct Origin {
    @safe unowned(unsafe) let layout: EntityLayout
    /// Retained for the object.
    let registry: Unmanaged<ObjectRegistry>
    let key: Int64
    let state: ObjectState
    let storeIndex: Int32
    /// A block, retained for the object, with the row of a fault.
    var block: Unmanaged<RowBlock>?
    var rowIndex: Int32 = 0
  }

  /// Makes an instance for a context; a subclass that overrides it calls `super`.
  ///
  /// It runs for fetched faults as well. Code for once in a life belongs in ``awakeFromInsert()``.
  public required init(_ origin: Origin) {
    layout = origin.layout
    unsafe heldRegistry = unsafe origin.registry
    key = origin.key
    state = origin.state
    storeIndex = origin.storeIndex
    readableIdentity = EntityLayout.noIdentity
    unsafe heldBlock = unsafe origin.block
    rowIndex = origin.rowIndex
  }

  deinit {
    if state.contains(.registered) {
      unsafe heldRegistry._withUnsafeGuaranteedRef { $0.unregister(self) }
    } else if state.contains(.deletedElsewhere) {
      unsafe heldRegistry._withUnsafeGuaranteedRef { $0.forgetDeparted(self) }
    }
    if hasOwnClass, state.isDisjoint(with: [.fault, .invalidated]) {
      notifyOfRelease()
    }
    unsafe heldBlock?.release()
    if case .destination = attachment { releaseDestination() }
    unsafe heldRegistry.release()
  }

  /// Runs the last hook of an object without a reference, whose stored properties are still there (FLT-121).
  /// It belongs to no context by then: every value the hook reads is nil, and values it sets are discarded.
  private func notifyOfRelease() {
    changeState(
      removing: ObjectState.membership.union(.propagated), adding: [.invalidated, .refaulting])
    didTurnIntoFault()
  }

  /// The object's entity, for life.
  public final var entity: EntityDescription { layout.entity }

  /// The object's identifier; temporary until the first save that writes the object.
  public final var objectID: ManagedObjectID {
    ManagedObjectID(scope: scope, entityIndex: layout.index, key: key)
  }

  /// The context, or nil for an object that left its context.
  public final var managedObjectContext: ManagedObjectContext? { context }

  final var scope: StoreIdentity {
    unsafe heldRegistry._withUnsafeGuaranteedRef { $0.scope(key, storeIndex) }
  }

  final var context: ManagedObjectContext? { unsafe heldContext?.takeUnretainedValue() }

  /// The context, which outlives the objects that have not left it, without a retain.
  @inline(__always)
  final var heldContext: Unmanaged<ManagedObjectContext>? {
    guard state.isDisjoint(with: [.detached, .invalidated]) else { return nil }
    return unsafe heldRegistry._withUnsafeGuaranteedRef { unsafe $0.context }
  }

  // MARK: Row

  /// The block that has the object's row, or nil for a fault without one.
  final var block: RowBlock? { unsafe heldBlock?.takeUnretainedValue() }

  @inline(__always)
  final func withHeldBlock<Result>(_ body: (RowBlock) -> Result) -> Result? {
    unsafe heldBlock?._withUnsafeGuaranteedRef { body($0) }
  }

  /// Takes another row; a fault stays one.
  final func setRow(_ block: RowBlock, _ index: Int) {
    let former = unsafe heldBlock
    unsafe heldBlock = unsafe Unmanaged.passRetained(block)
    rowIndex = Int32(truncatingIfNeeded: index)
    updateReadableValues()
    unsafe former?.release()
  }

  final func dropRow() {
    let former = unsafe heldBlock
    unsafe heldBlock = nil
    unsafe heldRegistry._withUnsafeGuaranteedRef { $0.droppedRowCount &+= 1 }
    updateReadableValues()
    unsafe former?.release()
  }

  // MARK: State

  /// The one transition of the flags: takes some away, adds others, and keeps what typed keys read in step
  /// with whether the object is a fault.
  @inline(__always)
  final func changeState(removing removed: ObjectState = [], adding added: ObjectState = []) {
    let next = state.subtracting(removed).union(added)
    assert(next.contradiction == nil, "\(next.contradiction ?? "")")
    let changesFault = next.symmetricDifference(state).contains(.fault)
    state = next
    if changesFault { updateReadableValues() }
  }

  /// Works out whether typed keys can read in place, after the row or the state of being a fault has changed.
  private func updateReadableValues() {
    guard let heldBlock = unsafe heldBlock, !state.contains(.fault) else {
      readableIdentity = EntityLayout.noIdentity
      return unsafe values = nil
    }
    unsafe values = unsafe heldBlock._withUnsafeGuaranteedRef { unsafe $0.values(Int(rowIndex)) }
    // The guard sees accesses that take the slow path.
    readableIdentity = isGuarded ? EntityLayout.noIdentity : layout.identity
  }

  // MARK: Keys

  /// The accessors of the class for access by key; an override adds its own to those of `super`.
  open class var keyedAccessors: [KeyedAccessor] { [] }

  /// The key paths on which the value of a key depends: a change of any is reported to observers of the key.
  ///
  /// A path may lead through to-ones. An override adds to the answer of `super`.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

  /// The names of transient attributes whose changes leave the object unchanged; an override adds to the
  /// answer of `super`.
  ///
  /// Such a change sets no flag, causes no save, and outlives ``ManagedObjectContext/rollback()``. It belongs
  /// to its event like any other: observers are notified, and undo reverts it. The value is discarded when
  /// the object becomes a fault. Names of other properties have no effect.
  open class var keysNotDirtyingContext: Set<String> { [] }

  /// The mutators of the class for to-many relationships; an override adds its own to those of `super`.
  ///
  /// They are called for changes that are made at the other end, too, but for what a deletion cuts or undo
  /// puts back.
  open class var relationshipMutators: [RelationshipMutators] { [] }

  /// The value of a key that neither the entity nor the class has; an override yields one for the keys that
  /// it knows.
  ///
  /// - Throws: The base version throws `unknown-key` with near names.
  open func value(forUndefinedKey key: String) throws -> Any? { throw notCompliant(key) }

  /// Takes the value of a key that neither the entity nor the class has.
  ///
  /// - Throws: The base version throws `unknown-key` with near names.
  open func setValue(_ value: Any?, forUndefinedKey key: String) throws { throw notCompliant(key) }

  // MARK: Requests

  /// The name of the entity that requests made of the class ask for; nil, as here, for the one that the class
  /// represents.
  open class var entityName: String? { nil }

  /// The order of ``FetchableObject/sortedFetchRequest``; none here.
  open class var defaultSortDescriptors: [QuerySortDescriptor] { [] }

  /// The condition of ``FetchableObject/sortedFetchRequest``; always true here.
  open class var defaultPredicate: QueryPredicate { .constant(true) }

  // MARK: Hooks

  /// Runs once in an object's life, when it is inserted, with its defaults set.
  open func awakeFromInsert() {}

  /// Runs each time the object is realised from row data; changes made in it are not tracked.
  open func awakeFromFetch() {}

  /// Runs after values of the object were reset as a whole: by undo, redo, rollback, a merging refresh or the
  /// resolution of a conflict.
  ///
  /// Values set here by primitive accessors do not mark the object as changed.
  open func awake(fromSnapshotEvents events: SnapshotEvents) {}

  /// Runs when the object is deleted, before any of its links is cut.
  open func prepareForDeletion() {}

  /// Runs in a save after validation; what it changes belongs to the save.
  open func willSave() {}

  /// Runs after the stores have the data; in a save inside a transaction once the transaction has them, which
  /// may still be rolled back.
  open func didSave() {}

  /// Runs before the object releases its values.
  open func willTurnIntoFault() {}

  /// Runs after the object has given up its values, also when a realised object is released by its last
  /// holder: then on the releasing thread, and without ``willTurnIntoFault()`` before it. It must not hand
  /// `self` on.
  open func didTurnIntoFault() {}

  /// Checks an inserted object; an override calls `super` and may throw further failures.
  open func validateForInsert() throws { try validateProperties() }

  /// Checks an updated object; an override calls `super` and may throw further failures.
  open func validateForUpdate() throws { try validateProperties() }

  /// Checks an object that is to be deleted: its Deny relationships must be empty. An override calls `super`
  /// and may throw further failures.
  open func validateForDelete() throws { try checkDenyRelationships() }

  /// Checks one property of which the constraints of the model hold, and may replace its value; the base
  /// version does nothing.
  ///
  /// It runs in saves, for each attribute and to-one and for a to-many that has changed, and by
  /// ``validateValue(_:forKey:)``.
  open func validateProperty(_ key: String, value: inout ProposedValue) throws {}
}

/// Objects stay on their queue, and no subclass can be declared to do otherwise (CTX-318).
@available(*, unavailable)
extension ManagedObject: Sendable {}

extension ManagedObject: Hashable {
  /// Identity of the instance.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

  /// Hashes the identity of the instance.
  public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ManagedObject: CustomStringConvertible {
  /// Class, identifier and, for a realised object, attributes and the identifiers of relationships; fires no
  /// fault.
  public final var description: String {
    let name = "\(type(of: self)) \(objectID.shortForm)"
    let head = context == nil ? "\(name) (without a context)" : name
    guard let row = currentRow, !state.contains(.fault) else { return "<\(head) <fault>>" }
    let values = layout.properties.compactMap { property in
      text(of: property, in: row).map { "\(property.name): \($0)" }
    }
    return "<\(head) \(values.joined(separator: ", "))>"
  }

  private final func text(of property: PropertyLayout, in row: Row) -> String? {
    switch property.kind {
    case .none: return nil
    case .toOne:
      return identifier(of: layout.relationships[property.relationship], in: row)?.shortForm ?? "nil"
    case .toMany:
      let members = relationshipIfTouched(property.relationship) as? ToManyRelationship
      guard let members = members?.members else { return "<relationship fault>" }
      return "[\(members.elements.map(\.objectID.shortForm).joined(separator: ", "))]"
    case .external: return row.text(of: property)
    default: return (try? value(of: property, in: row))?.shownText ?? "?"
    }
  }
}
