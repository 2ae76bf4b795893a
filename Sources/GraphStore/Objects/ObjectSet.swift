/// Objects in order, each once, with removal in constant time: a removed place stays empty until a quarter of all are.
struct ObjectSet {
  private var places: [ManagedObject?] = []
  private var positions: [ObjectIdentifier: Int] = [:]

  init() {}

  init(_ objects: some Sequence<ManagedObject>) {
    for object in objects { append(object) }
  }

  var count: Int { positions.count }
  var isEmpty: Bool { positions.isEmpty }
  var elements: [ManagedObject] { places.compactMap { $0 } }

  func contains(_ object: ManagedObject) -> Bool { positions[ObjectIdentifier(object)] != nil }

  @discardableResult
  mutating func append(_ object: ManagedObject) -> Bool {
    let identifier = ObjectIdentifier(object)
    guard positions[identifier] == nil else { return false }
    positions[identifier] = places.count
    places.append(object)
    return true
  }

  @discardableResult
  mutating func remove(_ object: ManagedObject) -> Bool {
    guard let position = positions.removeValue(forKey: ObjectIdentifier(object)) else { return false }
    places[position] = nil
    if places.count > 16, positions.count < places.count - places.count / 4 { compact() }
    return true
  }

  mutating func removeAll() {
    places = []
    positions = [:]
  }

  private mutating func compact() {
    places = places.filter { $0 != nil }
    for (position, object) in places.enumerated() {
      if let object { positions[ObjectIdentifier(object)] = position }
    }
  }
}
