import CGraphStoreShims

extension ObjectRegistry {
  /// The cached row of an object, which is counted among its holders from now on.
  func cachedRow(for object: ManagedObject) -> Row? {
    let (key, root, store) = (object.key, object.layout.rootIndex, Int(object.storeIndex))
    let isHolder = object.state.contains(.holdsRow)
    let row = lock.withLock { () -> Row? in
      let rows = caches[store].lockedTable(root)
      guard isInTransaction else { return isHolder ? rows.row(key) : rows.retainedRow(key) }
      let row = caches[store].lockedRow(root, key, inTransaction: true)
      if row != nil, !isHolder { rows.addHolders(1, key) }
      return row
    }
    if row != nil { object.changeState(adding: .holdsRow) }
    return row
  }

  /// Looks the keys of a run of rows up under one lock; what is found is retained. False where nothing is.
  func find(
    _ keys: UnsafePointer<Int64>, _ count: Int, _ root: Int, _ store: Int32,
    into found: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> Bool {
    lock.withLock {
      let table = unsafe tables[Int(store) * rootCount + root]
      if table.count == 0 { return false }
      for index in 0..<count {
        let pointer = unsafe table.find(keys[index])?.pointee
        unsafe found[index] = unsafe pointer.flatMap { unsafe gs_try_retain($0) }
      }
      return true
    }
  }

  /// Registers the new objects of a run and puts its rows into the row cache, under one lock.
  ///
  /// - Parameters:
  ///   - run: Its block has been retained once for each row.
  ///   - objects: The objects of the run.
  ///   - isNew: A bit for each object that is not registered, nor counted as holder of its row, yet.
  ///   - isHolder: A bit for each object that is counted as holder of its row.
  ///   - origin: Where the rows come from.
  func publish(
    _ run: RowBatch.Run, _ keys: UnsafePointer<Int64>,
    _ objects: UnsafePointer<UnsafeMutableRawPointer?>, isNew: UInt64, isHolder: UInt64, _ store: Int32,
    from origin: RowCache.Origin
  ) {
    let block = unsafe Unmanaged.passUnretained(run.block).toOpaque()
    let root = run.block.layout.rootIndex
    var former: UnsafeMutableRawPointer?
    var formerCount: UInt32 = 0
    lock.withLock {
      let table = unsafe tables[Int(store) * rootCount + root]
      let cache = caches[Int(store)]
      let rows = cache.lockedTable(root)
      guard cache.takesDirectly(origin) else {
        unsafe (former, formerCount) = unsafe (block, UInt32(run.count))
        for index in 0..<run.count {
          let key = unsafe keys[index]
          if isNew >> UInt64(index) & 1 == 1, let object = unsafe objects[index] {
            unsafe put(object, key, table)
          }
          cache.lockedPut(
            root, key, Row(block: run.block, index: run.firstRow + index),
            holders: isHolder >> UInt64(index) & 1 == 1 ? 0 : 1, from: origin)
        }
        return
      }
      for index in 0..<run.count {
        let key = unsafe keys[index]
        if isNew >> UInt64(index) & 1 == 1, let object = unsafe objects[index] {
          unsafe put(object, key, table)
        }
        let holders: Int32 = isHolder >> UInt64(index) & 1 == 1 ? 0 : 1
        guard let old = unsafe rows.replace(block, run.firstRow + index, key, holders: holders) else {
          continue
        }
        if unsafe old != former {
          if let former = unsafe former { unsafe gs_release_n(former, formerCount) }
          unsafe (former, formerCount) = unsafe (old, 0)
        }
        formerCount += 1
      }
    }
    if let former = unsafe former { unsafe gs_release_n(former, formerCount) }
  }
}
