import CGraphStoreShims

extension ObjectRegistry {
  /// The cached row of an object, which is counted among its holders from now on.
  func cachedRow(for object: ManagedObject) -> Row? {
    let (key, root, store) = (object.key, object.layout.rootIndex, Int(object.storeIndex))
    let isHolder = object.state.contains(.holdsRow)
    let row = unsafe heldCaches[store]._withUnsafeGuaranteedRef { cache in
      cache.drainReleases()
      return cache.lock.withLock { () -> Row? in
        let rows = cache.lockedTable(root)
        guard isInTransaction else { return isHolder ? rows.row(key) : rows.retainedRow(key) }
        let row = cache.lockedRow(root, key, in: .transaction)
        if row != nil, !isHolder { rows.addHolders(1, key) }
        return row
      }
    }
    if row != nil { object.changeState(adding: .holdsRow) }
    return row
  }

  /// Counts a new fault among the holders of its row, if that is cached already (FLT-057).
  func holdCachedRow(of fault: ManagedObject) {
    let (key, root) = (fault.key, fault.layout.rootIndex)
    let isCached = unsafe heldCaches[Int(fault.storeIndex)]._withUnsafeGuaranteedRef { cache in
      cache.drainReleases()
      return cache.addHolder(root, key)
    }
    if isCached { fault.changeState(adding: .holdsRow) }
  }

  /// Counts faults of one entity tree and store as holders, under one lock.
  func holdCachedRows(of faults: [ManagedObject]) {
    guard let first = faults.first else { return }
    let cache = caches[Int(first.storeIndex)]
    cache.drainReleases()
    cache.lock.withLock {
      let rows = cache.lockedTable(first.layout.rootIndex)
      if rows.isEmpty { return }
      faults.forEachBorrowed { if rows.addHolderIfKnown($0.key) { $0.changeState(adding: .holdsRow) } }
    }
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

  /// Registers the new objects of a run, under one lock, and puts its rows into the row cache, under another,
  /// unless they are of a query generation.
  ///
  /// - Parameters:
  ///   - run: Its block has been retained once for each row.
  ///   - objects: The objects of the run.
  ///   - isNew: A bit for each object that is not registered, nor counted as holder of its row, yet.
  ///   - isHolder: A bit for each object that is counted as holder of its row.
  ///   - origin: The origin of the rows.
  func publish(
    _ run: RowBatch.Run, _ keys: UnsafePointer<Int64>,
    _ objects: UnsafePointer<UnsafeMutableRawPointer?>, isNew: UInt64, isHolder: UInt64, _ store: Int32,
    from origin: RowCache.Origin
  ) {
    if isNew != 0 {
      let log = lock.withLock {
        let table = unsafe tables[Int(store) * rootCount + run.block.layout.rootIndex]
        for index in 0..<run.count where isNew >> UInt64(index) & 1 == 1 {
          guard let object = unsafe objects[index] else { continue }
          unsafe put(object, keys[index], table)
          unsafe Unmanaged<ManagedObject>.fromOpaque(object)._withUnsafeGuaranteedRef {
            $0.changeState(adding: .registered)
          }
        }
        return lockedLog(store)
      }
      log?.register(
        run.block.layout.rootIndex,
        (0..<run.count).lazy.filter { isNew >> UInt64($0) & 1 == 1 }.map { unsafe keys[$0] })
    }
    if case .generation = origin { return }
    unsafe caches[Int(store)].put(run, keys: keys, isHolder: isHolder, from: origin)
  }
}

extension RowCache {
  /// Puts in the rows that saved objects of one entity tree have, under one lock, and counts the objects as
  /// holders.
  func hold(_ root: Int, rowsOf objects: ArraySlice<ManagedObject>, from origin: Origin) {
    lock.withLock {
      for object in objects {
        guard let row = object.currentRow else { continue }
        lockedPut(row, key: object.key, holders: object.state.contains(.holdsRow) ? 0 : 1, from: origin)
        object.changeState(adding: .holdsRow)
      }
    }
  }
}
