/// Objects in order, each once, with removal in constant time: a removed place stays empty until a quarter of all are.
///
/// The index of positions is made when first needed: most sets are only read in order.
struct ObjectSet {
  private var places: [ManagedObject?] = []
  /// Nil while no place is empty and nothing was looked for.
  private var positions: [ObjectIdentifier: Int]?

  init() {}

  init(_ objects: some Sequence<ManagedObject>) {
    for object in objects { append(object) }
  }

  /// Takes objects of which none comes twice.
  init(unique objects: [ManagedObject]) { places = objects.map { Optional($0) } }

  var count: Int { positions?.count ?? places.count }
  var isEmpty: Bool { count == 0 }
  var elements: [ManagedObject] { places.compactMap { $0 } }

  func contains(_ object: ManagedObject) -> Bool {
    guard let positions else { return places.contains { $0 === object } }
    return positions[ObjectIdentifier(object)] != nil
  }

  @discardableResult
  mutating func append(_ object: ManagedObject) -> Bool {
    makeIndex()
    let identifier = ObjectIdentifier(object)
    guard positions?[identifier] == nil else { return false }
    positions?[identifier] = places.count
    places.append(object)
    return true
  }

  @discardableResult
  mutating func remove(_ object: ManagedObject) -> Bool {
    if isEmpty { return false }
    makeIndex()
    guard let position = positions?.removeValue(forKey: ObjectIdentifier(object)) else { return false }
    places[position] = nil
    if places.count > 16, count < places.count - places.count / 4 { compact() }
    return true
  }

  mutating func removeAll() {
    places = []
    positions = nil
  }

  private mutating func makeIndex() {
    if positions != nil { return }
    var index: [ObjectIdentifier: Int] = [:]
    index.reserveCapacity(places.count)
    for (position, object) in places.enumerated() {
      if let object { index[ObjectIdentifier(object)] = position }
    }
    positions = index
  }

  private mutating func compact() {
    places = places.filter { $0 != nil }
    positions = nil
    makeIndex()
  }
}
