/// Objects in order, each once, with removal in constant time: a removed position stays empty until a quarter
/// of all are.
///
/// The index of positions is made when first needed: most sets are only read in order.
struct ObjectSet {
  /// The objects, while no position is empty.
  private var objects: [ManagedObject] = []
  /// The objects by position, once one is empty; used instead of the above.
  private var places: [ManagedObject?] = []
  /// Nil while nothing was looked for, added or removed.
  private var positions: [ObjectIdentifier: Int]?

  init() {}

  init(_ objects: some Sequence<ManagedObject>) {
    for object in objects { append(object) }
  }

  /// Makes a set of objects without duplicates.
  init(unique objects: [ManagedObject]) { self.objects = objects }

  var count: Int { positions?.count ?? objects.count }
  var isEmpty: Bool { count == 0 }
  var elements: [ManagedObject] { places.isEmpty ? objects : places.compactMap { $0 } }

  /// The objects in another order, those that it does not name behind the others.
  func elements(as order: [ManagedObject]) -> [ManagedObject] {
    let own = Set(elements)
    let first = order.filter(own.contains)
    let known = Set(first)
    return first + elements.filter { !known.contains($0) }
  }

  func contains(_ object: ManagedObject) -> Bool {
    guard let positions else { return objects.contains { $0 === object } }
    return positions[ObjectIdentifier(object)] != nil
  }

  /// Looks an object up in the index, which is made unless the set is small.
  mutating func containsByIndex(_ object: ManagedObject) -> Bool {
    if positions == nil, objects.count > 16 { makeIndex() }
    return contains(object)
  }

  @discardableResult
  mutating func append(_ object: ManagedObject) -> Bool {
    makeIndex()
    let identifier = ObjectIdentifier(object)
    guard positions?[identifier] == nil else { return false }
    if places.isEmpty {
      positions?[identifier] = objects.count
      objects.append(object)
    } else {
      positions?[identifier] = places.count
      places.append(object)
    }
    return true
  }

  @discardableResult
  mutating func remove(_ object: ManagedObject) -> Bool {
    if isEmpty { return false }
    makeIndex()
    guard let position = positions?.removeValue(forKey: ObjectIdentifier(object)) else { return false }
    if isEmpty {
      removeAll()
    } else if places.isEmpty, position == objects.count - 1 {
      objects.removeLast()
    } else {
      empty(position)
    }
    return true
  }

  mutating func removeAll() { self = ObjectSet() }

  private mutating func empty(_ position: Int) {
    if places.isEmpty {
      places = objects.map { Optional($0) }
      objects = []
    }
    places[position] = nil
    if places.count > 16, count < places.count - places.count / 4 { compact() }
  }

  private mutating func makeIndex() {
    if positions != nil { return }
    var index: [ObjectIdentifier: Int] = [:]
    index.reserveCapacity(objects.count)
    for (position, object) in objects.enumerated() { index[ObjectIdentifier(object)] = position }
    positions = index
  }

  private mutating func compact() {
    objects = elements
    places = []
    positions = nil
    makeIndex()
  }
}
