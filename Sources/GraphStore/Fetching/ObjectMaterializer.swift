import CGraphStoreShims

/// Turns the rows of a fetch into objects of a context, each once, taking the lock twice for each run of
/// rows.
@safe struct ObjectMaterializer: ~Copyable {
  private let context: ManagedObjectContext
  private let storeIndex: Int32
  /// The objects, each retained once; accessed without reference counting.
  private var found: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private var count = 0
  private var capacity = RowBatch.capacity

  init(_ context: ManagedObjectContext, storeIndex: Int32) {
    self.context = context
    self.storeIndex = storeIndex
    unsafe found = .allocate(capacity: capacity)
  }

  deinit {
    for index in 0..<count { unsafe Self.object(found[index])?.release() }
    unsafe found.deallocate()
  }

  /// The objects found so far, which the materializer has no more then.
  mutating func consumeObjects() -> [ManagedObject] {
    let taken = count
    // The standard library writes to the storage that all empty arrays share, when it makes one this way.
    guard taken > 0 else { return [] }
    count = 0
    return unsafe [ManagedObject](unsafeUninitializedCapacity: taken) { buffer, initialized in
      for index in 0..<taken {
        guard let object = unsafe Self.object(found[index]) else { continue }
        unsafe (buffer.baseAddress! + initialized).initialize(to: object.takeRetainedValue())
        initialized += 1
      }
    }
  }

  /// - Throws: `class-not-found`, before any object of the batch is made.
  mutating func take(_ batch: RowBatch, from origin: RowCache.Origin) throws {
    let runs = batch.runs
    for run in runs { try context.checkClass(run.block.layout.index) }
    makeRoom(for: batch.count)
    for run in runs {
      if run.block.isPrivate {
        unsafe takePrivate(run, batch.keys + run.firstKey)
      } else {
        unsafe take(run, batch.keys + run.firstKey, origin)
      }
    }
  }

  /// Takes rows of a parent context, which enter no row cache, and of which some may have temporary keys.
  private mutating func takePrivate(_ run: RowBatch.Run, _ keys: UnsafePointer<Int64>) {
    for index in 0..<run.count {
      let row = Row(block: run.block, index: run.firstRow + index)
      let object = unsafe context.object(of: row, keys[index], storeIndex)
      if object.isFault { object.renewRow(row.block, row.index) }
      unsafe found[count] = unsafe Unmanaged.passRetained(object).toOpaque()
      count += 1
    }
  }

  private mutating func makeRoom(for more: Int) {
    guard count + more > capacity else { return }
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: capacity)
    unsafe larger.update(from: found, count: count)
    unsafe found.deallocate()
    unsafe found = unsafe larger
  }

  /// Takes rows that are put into the row cache, unless they are of a query generation: then the objects
  /// alone have them.
  private mutating func take(
    _ rows: RowBatch.Run, _ keys: UnsafePointer<Int64>, _ origin: RowCache.Origin
  ) {
    let isCached = if case .generation = origin { false } else { true }
    let newState: ObjectState = isCached ? [.fault, .holdsRow] : .fault
    assert(rows.count > 0 && rows.count <= UInt64.bitWidth, "a bit of a word for each row")
    let layout = rows.block.layout
    let block = unsafe Unmanaged.passUnretained(rows.block)
    let type = context.coordinator.objectClass(layout)
    let run = unsafe found + count
    var isNew = UInt64.max >> UInt64(UInt64.bitWidth - rows.count)
    var isHolder: UInt64 = 0
    // Once for each entry of the row cache, and for each object where, as mostly, all are new.
    unsafe gs_retain_n(block.toOpaque(), UInt32(rows.count) * (isCached ? 2 : 1))
    if unsafe context.registry.find(keys, rows.count, layout.rootIndex, storeIndex, into: run) {
      for index in 0..<rows.count where unsafe isKnown(run + index, layout) {
        let bit = UInt64(1) << UInt64(index)
        isNew &= ~bit
        unsafe Self.object(run[index])?._withUnsafeGuaranteedRef { known in
          if known.state.contains(.holdsRow) {
            isHolder |= bit
          } else if isCached {
            known.changeState(adding: .holdsRow)
          }
          if known.isFault { known.renewRow(rows.block, rows.firstRow + index) }
        }
      }
      let knownCount = rows.count - isNew.nonzeroBitCount
      if knownCount > 0 { unsafe gs_release_n(block.toOpaque(), UInt32(knownCount)) }
    }
    let registry = unsafe Unmanaged.passUnretained(context.registry)
    unsafe gs_retain_n(registry.toOpaque(), UInt32(isNew.nonzeroBitCount))
    for index in 0..<rows.count where isNew >> UInt64(index) & 1 == 1 {
      let object = unsafe type.init(
        ManagedObject.Origin(
          layout: layout, registry: registry, key: keys[index], state: newState,
          storeIndex: storeIndex, block: block, rowIndex: Int32(truncatingIfNeeded: rows.firstRow + index)))
      unsafe run[index] = unsafe Unmanaged.passRetained(object).toOpaque()
    }
    count += rows.count
    unsafe context.registry.publish(
      rows, keys, run, isNew: isNew, isHolder: isHolder, storeIndex, from: origin)
  }

  /// Whether a row has a registered object; a fault that was made under another entity of the tree is
  /// replaced (FLT-092).
  @inline(__always)
  private func isKnown(_ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ layout: EntityLayout)
    -> Bool
  {
    guard let object = unsafe Self.object(place.pointee) else { return false }
    if unsafe object._withUnsafeGuaranteedRef({ $0.layout === layout }) { return true }
    unsafe object.release()
    unsafe place.pointee = nil
    return false
  }

  @inline(__always)
  private static func object(_ pointer: UnsafeMutableRawPointer?) -> Unmanaged<ManagedObject>? {
    unsafe pointer.map { unsafe Unmanaged.fromOpaque($0) }
  }
}
