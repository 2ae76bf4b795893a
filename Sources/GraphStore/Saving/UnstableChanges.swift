import OrderedCollections

/// The objects and keys that change in the last rounds of a save that does not resolve, for its error
/// (DGN-172).
final class UnstableChanges {
  private var keys: OrderedDictionary<ManagedObject, OrderedSet<String>> = [:]

  /// Records a change; further changes of the object are delivered too, even to values that it has already.
  func note(_ object: ManagedObject, _ property: PropertyLayout? = nil) {
    object.changeState(adding: .watched)
    keys[object, default: []].formUnion(property.map { [$0.name] } ?? [])
  }

  /// The objects in the order in which they changed first, each with its keys.
  var list: [(object: ManagedObject, keys: [String])] { keys.map { ($0, Array($1)) } }

  deinit {
    for object in keys.keys { object.changeState(removing: .watched) }
  }
}
