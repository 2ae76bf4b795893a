/// The distinct destinations of one to-one of many sources of one store, looked up together.
struct DestinationTable {
  private let context: ManagedObjectContext
  private let relationship: RelationshipLayout
  private let storeIndex: Int32
  /// By key, which is unique in the tree of the destinations: the position among them.
  private let positions = KeyTable<Int32>(empty: -1)
  private var references: [PackedReference] = []
  /// The objects of the references, once resolved, without those that are nowhere.
  private(set) var objects: [ManagedObject] = []
  private var objectsByPosition: [ManagedObject?] = []

  init(_ context: ManagedObjectContext, _ relationship: RelationshipLayout, storeIndex: Int32) {
    self.context = context
    self.relationship = relationship
    self.storeIndex = storeIndex
  }

  mutating func add(_ reference: PackedReference) {
    let place = unsafe positions.add(reference.key)
    guard unsafe place.pointee < 0 else { return }
    unsafe place.pointee = Int32(truncatingIfNeeded: references.count)
    references.append(reference)
  }

  /// Takes the registered objects and makes faults of the others.
  mutating func resolve() {
    let layouts = context.coordinator.layout.entities
    var faults: [ManagedObject] = []
    objectsByPosition = references.map { reference in
      guard reference.key > 0 else { return context.object(reference, storeIndex: storeIndex) }
      let layout = layouts[reference.entity]
      if let known = context.registry.object(layout, key: reference.key, store: storeIndex) {
        // Reading the relationship tells of another entity's object, which a damaged store may lead to.
        return relationship.leads(to: known.layout) ? known : nil
      }
      let fault = context.make(layout, key: reference.key, state: .fault, storeIndex: storeIndex)
      faults.append(fault)
      return fault
    }
    context.registry.register(faults)
    objects = objectsByPosition.compactMap { $0 }
  }

  subscript(reference: PackedReference) -> ManagedObject? {
    guard let place = unsafe positions.find(reference.key) else { return nil }
    return unsafe objectsByPosition[Int(place.pointee)]
  }
}
