/// The objects that have left a context by deletion and can be restored, with the reversals that wait for
/// their return.
struct RemovedObjects {
  private struct Place: Hashable {
    let record: RecordKey
    let storeIndex: Int32
  }

  private var removedObjects: [ObjectIdentifier: RemovedObject] = [:]
  private var objects: [Place: ManagedObject] = [:]
  /// By the object that is to return: the reversals to carry out then, in order.
  private var postponements: [ObjectIdentifier: [Postponement]] = [:]

  /// The state of an object when it left; nil for one that cannot return.
  subscript(object: ManagedObject) -> RemovedObject? { removedObjects[ObjectIdentifier(object)] }

  /// The object of a record that has left; nil where there is none.
  func object(of record: RecordKey, in storeIndex: Int32) -> ManagedObject? {
    objects[Place(record: record, storeIndex: storeIndex)]
  }

  /// Keeps what an object is that is about to leave.
  mutating func keep(_ object: ManagedObject) {
    removedObjects[ObjectIdentifier(object)] = RemovedObject(object)
    objects[place(of: object)] = object
  }

  /// Keeps a membership of an object that is about to leave.
  mutating func keep(_ membership: RemovedObject.Membership, of object: ManagedObject) {
    removedObjects[ObjectIdentifier(object)]?.memberships.append(membership)
  }

  /// Removes and returns the state of an object that returns, with all that waits for it.
  mutating func take(_ object: ManagedObject) -> RemovedObject? {
    postponements[ObjectIdentifier(object)] = nil
    objects[place(of: object)] = nil
    return removedObjects.removeValue(forKey: ObjectIdentifier(object))
  }

  private func place(of object: ManagedObject) -> Place {
    Place(record: RecordKey(object), storeIndex: object.key > 0 ? object.storeIndex : 0)
  }

  /// Finds the destinations of the to-ones of an object to be restored, where that was not checked before.
  mutating func findDestinations(of object: ManagedObject, in context: ManagedObjectContext) {
    guard var removedObject = removedObjects[ObjectIdentifier(object)] else { return }
    removedObject.findDestinations(of: object) { reference in
      let root = context.coordinator.layout.entities[reference.entity].rootIndex
      return self.object(of: RecordKey(root: root, key: reference.key), in: object.storeIndex)
        ?? context.object(reference, storeIndex: object.storeIndex)
    }
    removedObjects[ObjectIdentifier(object)] = removedObject
  }

  /// Forgets the objects that are not among some, and what waits for them.
  mutating func keepOnly(_ mentioned: Set<ObjectIdentifier>) {
    removedObjects = removedObjects.filter { mentioned.contains($0.key) }
    objects = objects.filter { mentioned.contains(ObjectIdentifier($0.value)) }
    postponements = postponements.filter { mentioned.contains($0.key) }
  }

  var isEmpty: Bool { removedObjects.isEmpty && postponements.isEmpty }

  // MARK: Postponing

  /// Puts something off until its object returns.
  mutating func postpone(_ postponement: Postponement) {
    postponements[ObjectIdentifier(postponement.absent), default: []].append(postponement)
  }

  /// Discards postponed reversals.
  ///
  /// - Returns: The reversals that still waited.
  mutating func withdraw(_ void: [Postponement]) -> [ObjectReversal] {
    void.filter { postponement in
      let absent = ObjectIdentifier(postponement.absent)
      guard let index = postponements[absent]?.firstIndex(where: { $0 === postponement }) else {
        return false
      }
      postponements[absent]?.remove(at: index)
      return true
    }.map(\.reversal)
  }

  /// The reversals to carry out when an object returns: others have it as a member again, and those that were
  /// postponed.
  func waiting(for object: ManagedObject) -> [ObjectReversal] {
    let memberships = removedObjects[ObjectIdentifier(object)]?.memberships ?? []
    return memberships.map { ObjectReversal(of: $0, object) }
      + (postponements[ObjectIdentifier(object)] ?? []).map(\.reversal)
  }
}

/// Reversal that an undo could not carry out, since it concerns an object that has left the context and may
/// be restored by another one.
final class Postponement {
  let absent: ManagedObject
  let reversal: ObjectReversal

  init(of reversal: ObjectReversal, until absent: ManagedObject) {
    self.reversal = reversal
    self.absent = absent
  }
}
