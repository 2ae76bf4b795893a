/// The locations of many records, a word for each, which a batched result keeps of its elements.
struct RecordList {
  private var references: [PackedReference] = []
  /// The numbers of the stores by position; empty while all records are of one.
  private var stores: [Int32] = []
  private var store: Int32 = 0

  var count: Int { references.count }

  init() {}

  init(_ objects: [ManagedObject]) {
    references.reserveCapacity(objects.count)
    for object in objects { append(entity: object.layout.index, key: object.key, store: object.storeIndex) }
  }

  mutating func reserveCapacity(_ count: Int) { references.reserveCapacity(count) }

  mutating func append(entity: Int, key: Int64, store storeIndex: Int32) {
    if references.isEmpty { store = storeIndex }
    if storeIndex != store, stores.isEmpty { stores = [Int32](repeating: store, count: references.count) }
    references.append(PackedReference(entity: entity, key: key))
    if !stores.isEmpty || storeIndex != store { stores.append(storeIndex) }
  }

  func reference(_ position: Int) -> PackedReference { references[position] }

  func storeIndex(_ position: Int) -> Int32 { stores.isEmpty ? store : stores[position] }

  /// The positions of the entities in the model, each once.
  var entities: Set<Int> { Set(references.lazy.map(\.entity)) }

  /// The registered object of a record.
  func registered(_ position: Int, in context: ManagedObjectContext) -> ManagedObject? {
    let reference = references[position]
    let layout = context.coordinator.layout.entities[reference.entity]
    return context.registry.object(layout, key: reference.key, store: storeIndex(position))
  }
}
