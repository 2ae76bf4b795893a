/// Turns the rows of a fetch into objects of a context, each once, taking each lock once a run of rows.
struct ObjectMaterializer {
  private let context: ManagedObjectContext
  private let storeIndex: Int32
  private let cache: RowCache
  private let root: Int
  private(set) var objects: [ManagedObject] = []

  init(_ context: ManagedObjectContext, storeIndex: Int32, cache: RowCache, root: Int) {
    self.context = context
    self.storeIndex = storeIndex
    self.cache = cache
    self.root = root
  }

  mutating func take(_ batch: RowBatch) {
    for run in batch.runs { take(run, batch.keys(of: run)) }
  }

  private mutating func take(_ run: RowBatch.Run, _ keys: ArraySlice<Int64>) {
    let first = objects.count
    let plan = run.block.plan
    let known = context.registry.objects(plan, keys, storeIndex)
    let type = context.coordinator.objectClass(plan)
    for (offset, key) in keys.enumerated() {
      // A fault that was made under another entity of the tree gives way (FLT-092).
      let object =
        (known.isEmpty ? nil : known[offset].flatMap { $0.plan === plan ? $0 : nil })
        ?? type.init(
          ManagedObject.Origin(
            plan: plan, context: context, key: key, state: .fault, storeIndex: storeIndex))
      if object.isFault {
        object.block = run.block
        object.rowIndex = Int32(truncatingIfNeeded: run.firstRow + offset)
      }
      objects.append(object)
    }
    context.registry.register(objects[first...])
    cache.hold(root, run, for: objects[first...])
  }
}
