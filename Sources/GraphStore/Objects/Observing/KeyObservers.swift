import Foundation
import OrderedCollections

/// The key observations of a context, by the objects along their paths.
final class KeyObservers {
  /// One key of one object that an observation watches.
  private struct Watch {
    weak var object: ManagedObject?
    weak var observation: KeyObservation?
    let key: String
  }

  /// One key of one object that is being changed.
  private struct Change: Hashable {
    let object: ManagedObject
    let key: String
  }

  private var watches: [ObjectIdentifier: [Watch]] = [:]
  /// Changes that are being made, to be reported when the setter has ended.
  private var pending = OrderedSet<Change>()
  /// The number of nested setters.
  var depth = 0

  func add(_ observation: KeyObservation) {
    for (object, key) in observation.watched {
      object.changeState(adding: .observed)
      observation.places.insert(ObjectIdentifier(object))
      watches[ObjectIdentifier(object), default: []].append(
        Watch(object: object, observation: observation, key: key))
    }
  }

  func remove(_ observation: KeyObservation) {
    for place in observation.places {
      guard let list = watches[place] else { continue }
      let staying = list.filter {
        $0.observation != nil && $0.observation !== observation && $0.object != nil
      }
      watches[place] = staying.isEmpty ? nil : staying
      if staying.isEmpty { list.lazy.compactMap(\.object).first?.changeState(removing: .observed) }
    }
    observation.places = []
  }

  private func observations(of object: ManagedObject, _ isMeant: (String) -> Bool) -> [KeyObservation] {
    var found: [KeyObservation] = []
    for watch in watches[ObjectIdentifier(object)] ?? [] where watch.object === object && isMeant(watch.key) {
      guard let observation = watch.observation, !found.contains(where: { $0 === observation }) else {
        continue
      }
      found.append(observation)
    }
    return found
  }

  // MARK: Changes

  func willChange(_ object: ManagedObject, _ key: String) {
    guard pending.append(Change(object: object, key: key)).inserted else { return }
    for observation in observations(of: object, { $0 == key }) { observation.reportPrior() }
  }

  /// Reports what has changed, once the outermost setter has ended.
  func report() {
    while depth == 0, !pending.isEmpty {
      let changes = pending
      pending = []
      for change in changes {
        for observation in observations(of: change.object, { $0 == change.key }) { report(observation) }
      }
    }
  }

  /// Reports all observed keys of an object whose values were reset.
  func reportAll(of object: ManagedObject) {
    for observation in observations(of: object, { _ in true }) { report(observation) }
  }

  func reportFaulting(of object: ManagedObject) {
    for observation in observations(of: object, { _ in true }) {
      renew(observation)
      observation.reportFaulting()
    }
  }

  private func report(_ observation: KeyObservation) {
    renew(observation)
    observation.report()
  }

  /// Watches the objects that are along the paths now.
  private func renew(_ observation: KeyObservation) {
    remove(observation)
    add(observation)
  }
}

extension ManagedObject {
  /// Records a change of an observed object that is about to be made.
  @inline(never)
  final func noteObservedChange(of property: PropertyLayout) {
    context?.delivery.keyObservers?.willChange(self, property.name)
  }

  /// Whether a key of some object of the context is observed.
  @inline(__always)
  private final var isContextObserved: Bool {
    unsafe heldContext?._withUnsafeGuaranteedRef { $0.delivery.keyObservers != nil } ?? false
  }

  /// Runs a setter, and reports what it has changed to its observers.
  @inline(__always)
  final func reportingChanges<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard isContextObserved, let observers = context?.delivery.keyObservers else { return try body() }
    observers.depth += 1
    defer {
      observers.depth -= 1
      observers.report()
    }
    return try body()
  }
}

/// Change of an observed key path.
///
/// The change of a to-many says which members have joined and which have left:
///
/// ```swift
/// let observation = try department.observe("employees") { change in
///   print(change.inserted.count, "joined,", change.removed.count, "left")
/// }
/// employee.department = department
/// ```
public struct KeyChange {
  /// The key path that is observed.
  public let keyPath: String
  /// The value before, in the types of ``ManagedObject/value(forKey:)``, of a to-many a `Set` or
  /// an array of its members; nil too where it was not known.
  public let oldValue: Any?
  /// The value now; nil in a report before the change.
  public let newValue: Any?
  /// Whether the report precedes the change, by ``KeyObservation/Options/prior``.
  public var isPrior = false
  /// Whether the object has only become a fault, or was realised again.
  public var isFaulting = false
  /// The objects that have joined a to-many.
  public var inserted: [ManagedObject] = []
  /// The objects that have left a to-many.
  public var removed: [ManagedObject] = []
  /// The positions of those that have joined an ordered to-many.
  public var insertedIndexes = IndexSet()
  /// The former positions of those that have left an ordered to-many.
  public var removedIndexes = IndexSet()
}

extension KeyChange {
  /// Determines which members have joined and left.
  mutating func compareMembers() {
    let (old, new) = (Self.members(oldValue), Self.members(newValue))
    guard old != nil || new != nil else { return }
    let (before, after) = (old?.objects ?? [], new?.objects ?? [])
    let (wasMember, isMember) = (Set(before), Set(after))
    inserted = after.filter { !wasMember.contains($0) }
    removed = before.filter { !isMember.contains($0) }
    guard (new ?? old)?.isOrdered == true else { return }
    insertedIndexes = IndexSet(after.indices.filter { !wasMember.contains(after[$0]) })
    removedIndexes = IndexSet(before.indices.filter { !isMember.contains(before[$0]) })
  }

  private static func members(_ value: Any?) -> (objects: [ManagedObject], isOrdered: Bool)? {
    if let objects = value as? [ManagedObject] { return (objects, true) }
    if let objects = value as? Set<ManagedObject> { return (Array(objects).sortedByIdentifier(), false) }
    return nil
  }
}
