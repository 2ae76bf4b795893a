import CGraphStoreShims

/// The objects that a context knows, by store, entity tree and key; it holds none of them.
///
/// An object that is released on any thread removes itself; a look-up never returns one whose deallocation
/// has begun (FLT-080). Every object holds the registry, which therefore outlives its context.
@safe final class ObjectRegistry: @unchecked Sendable {
  typealias Table = KeyTable<UnsafeMutableRawPointer?>

  /// Keeps the layouts of the objects' entities alive.
  let layout: ModelLayout
  let rootCount: Int
  let lock = FutexLock()
  /// Not retained; nil once the context is gone.
  @exclusivity(unchecked) var context: Unmanaged<ManagedObjectContext>?
  /// The scope of the identifiers of unsaved objects.
  private let temporaryScope: StoreIdentity
  /// The scopes of the identifiers of each store, also after it was closed.
  @safe @exclusivity(unchecked) private(set) var scopes: [StoreIdentity] = []
  @safe @exclusivity(unchecked) private(set) var tables: [Table] = unsafe []
  let unsaved = unsafe Table(empty: nil)
  /// The tables, unowned: a reference count would cost more than the look-up.
  @exclusivity(unchecked) private var heldTables: [Unmanaged<Table>] = unsafe []
  private let heldUnsaved: Unmanaged<Table>
  /// The row caches by store, notified when the last holder of a row is released.
  @safe @exclusivity(unchecked) private(set) var caches: [RowCache] = []
  /// The logs of the records in use by store, of those that want to know; empty where none does.
  private var registrations: [Int: RegistrationLog] = [:]
  /// The caches, unowned: a reference count would cost more than the look-up.
  @exclusivity(unchecked) var heldCaches: [Unmanaged<RowCache>] = unsafe []
  @safe @exclusivity(unchecked) var deferred = DeferredReleases()
  /// Whether the context takes part in the open transaction, and so sees its rows.
  @safe @exclusivity(unchecked) var isInTransaction = false
  /// Objects that another has replaced; kept, so that they leave with the context as all others do.
  private var displaced: [ManagedObject] = []
  /// Objects whose deletion by others was merged, which know the context still.
  @exclusivity(unchecked) private var departed: Set<UnsafeMutableRawPointer> = unsafe []

  /// The registered objects by their addresses, while the context holds them all (FLT-155).
  @exclusivity(unchecked) private var held: [UnsafeMutableRawPointer: ManagedObject]?

  /// The number of times that an object has let go of its row: while it stays, objects that had theirs have
  /// them still, and none has to be looked at.
  @safe @exclusivity(unchecked) var droppedRowCount = 0

  /// Whether uses of the context and its objects are checked for their queue.
  let isGuarded: Bool

  init(_ layout: ModelLayout, temporaryScope: StoreIdentity, isGuarded: Bool) {
    self.isGuarded = isGuarded
    self.layout = layout
    self.temporaryScope = temporaryScope
    rootCount = layout.entities.count
    unsafe heldUnsaved = .passUnretained(unsaved)
  }

  /// Makes room for the objects of all stores that were ever mounted.
  func makeRoom(for records: [MountTable.Record]) {
    // A store that was migrated to another place has the objects of the former, under a scope of its own.
    for (place, record) in records.prefix(scopes.count).enumerated() where scopes[place] !== record.scope {
      scopes[place] = record.scope
    }
    for record in records.dropFirst(scopes.count) {
      scopes.append(record.scope)
      lock.withLock {
        if let log = record.registrations { registrations[caches.count] = log }
        caches.append(record.cache)
        unsafe heldCaches.append(Unmanaged.passUnretained(record.cache))
        for _ in 0..<rootCount {
          let table = unsafe Table(empty: nil)
          unsafe tables.append(table)
          unsafe heldTables.append(Unmanaged.passUnretained(table))
        }
      }
    }
  }

  /// The scope of the identifier of an object.
  func scope(_ key: Int64, _ store: Int32) -> StoreIdentity {
    key > 0 && Int(store) < scopes.count ? scopes[Int(store)] : temporaryScope
  }

  /// Does something with the table of an entity tree and store, or that of unsaved objects.
  @inline(__always)
  func withTable<Result>(
    root: Int, key: Int64, store: Int32, _ body: (Table) -> Result
  ) -> Result {
    unsafe (key < 0 ? heldUnsaved : heldTables[Int(store) * rootCount + root])
      ._withUnsafeGuaranteedRef { unsafe body($0) }
  }

  func register(_ object: ManagedObject) {
    let (key, root, store) = (object.key, object.layout.rootIndex, object.storeIndex)
    let log = lock.withLock {
      unsafe withTable(root: root, key: key, store: store) { unsafe put(object, into: $0) }
      return lockedLog(store)
    }
    if key > 0 { log?.register(root, CollectionOfOne(key)) }
  }

  /// The log of the records in use of a store; nil for a store that does not want to know.
  ///
  /// - Precondition: the lock is held.
  @inline(__always)
  func lockedLog(_ store: Int32) -> RegistrationLog? {
    registrations.isEmpty ? nil : registrations[Int(store)]
  }

  /// Registers objects of one entity tree, under one lock.
  func register(_ objects: [ManagedObject]) {
    guard let first = objects.first else { return }
    let root = first.layout.rootIndex
    let noted = lock.withLock { () -> (RegistrationLog, [Int64])? in
      let keys = lockedLog(first.storeIndex).map { log in
        (log, objects.filter { !$0.state.contains(.registered) && $0.key > 0 }.map(\.key))
      }
      unsafe withTable(root: root, key: first.key, store: first.storeIndex) { table in
        objects.forEachBorrowed { if !$0.state.contains(.registered) { unsafe put($0, into: table) } }
      }
      return keys
    }
    if let (log, keys) = noted { log.register(root, keys) }
  }

  private func put(_ object: ManagedObject, into table: Table) {
    unsafe put(Unmanaged.passUnretained(object).toOpaque(), object.key, table)
    object.changeState(adding: .registered)
  }

  @inline(__always)
  func put(_ pointer: UnsafeMutableRawPointer, _ key: Int64, _ table: Table) {
    let place = unsafe table.add(key)
    if let former = unsafe place.pointee, unsafe former != pointer { unsafe keepDisplaced(former) }
    unsafe place.pointee = unsafe pointer
    if unsafe held != nil { unsafe hold(pointer) }
  }

  @inline(never)
  private func hold(_ pointer: UnsafeMutableRawPointer) {
    unsafe held?[pointer] = unsafe Self.retained(pointer)
  }

  /// Whether the context holds every object that is registered.
  var holdsAll: Bool { lock.withLock { unsafe held != nil } }

  /// Holds every object, those that are registered and those that are going to be, or releases them.
  func setHoldsAll(_ holdsAll: Bool) {
    let known = holdsAll ? all() : []
    // No object is released while the lock is held, which its release would take.
    var former: [UnsafeMutableRawPointer: ManagedObject]?
    lock.withLock {
      unsafe former = unsafe held
      guard holdsAll else { return unsafe held = nil }
      unsafe held = unsafe held ?? [:]
      for object in known where object.state.contains(.registered) {
        unsafe held?[Unmanaged.passUnretained(object).toOpaque()] = object
      }
    }
    unsafe withExtendedLifetime(former) {}
  }

  @inline(never)
  private func keepDisplaced(_ pointer: UnsafeMutableRawPointer) {
    guard let object = unsafe Self.retained(pointer) else { return }
    displaced.append(object)
    // It is not in the table any more when it leaves.
    if object.key > 0 { lockedLog(object.storeIndex)?.unregister(object.layout.rootIndex, object.key) }
  }

  /// Assigns permanent keys to new objects, in their order, under one lock.
  func adopt(_ objects: [ManagedObject], _ keys: PermanentKeyMap, storeIndex: Int32) {
    lock.withLock {
      let log = lockedLog(storeIndex)
      for object in objects where object.key < 0 {
        log?.register(object.layout.rootIndex, CollectionOfOne(keys[object.key]))
        unsafe unsaved.remove(object.key)
        object.key = keys[object.key]
        object.storeIndex = storeIndex
        unsafe withTable(root: object.layout.rootIndex, key: object.key, store: storeIndex) {
          unsafe put(object, into: $0)
        }
      }
    }
  }

  /// Assigns a permanent key to the object with a temporary one; nil where there is none.
  func adopt(_ temporaryKey: Int64, key: Int64, storeIndex: Int32) -> ManagedObject? {
    lock.withLock {
      guard let object = unsafe Self.object(temporaryKey, unsaved) else { return nil }
      lockedLog(storeIndex)?.register(object.layout.rootIndex, CollectionOfOne(key))
      unsafe unsaved.remove(temporaryKey)
      object.key = key
      object.storeIndex = storeIndex
      unsafe withTable(root: object.layout.rootIndex, key: key, store: storeIndex) {
        unsafe put(object, into: $0)
      }
      return object
    }
  }

  /// Whether an object is registered; takes nothing but the lock.
  func contains(_ layout: EntityLayout, key: Int64, store: Int32) -> Bool {
    let root = layout.rootIndex
    return lock.withLock {
      unsafe withTable(root: root, key: key, store: store) { unsafe $0.find(key) != nil }
    }
  }

  /// Takes an object out, and its row out of the cache if it was the last to hold it.
  ///
  /// Called from its `deinit` too, when it must not be retained any more.
  func unregister(_ object: ManagedObject) {
    let pointer = unsafe Unmanaged.passUnretained(object).toOpaque()
    let (key, root, store) = (object.key, object.layout.rootIndex, object.storeIndex)
    let holdsRow = object.state.contains(.holdsRow)
    // Released outside of the lock; the caller that unregisters an object which is held retains it, too.
    var former: ManagedObject?
    var log: RegistrationLog?
    let block = unsafe lock.withLock { () -> UnsafeMutableRawPointer? in
      if unsafe held != nil { former = unsafe held?.removeValue(forKey: pointer) }
      unsafe withTable(root: root, key: key, store: store) { table in
        if let place = unsafe table.find(key), unsafe place.pointee == pointer {
          unsafe table.remove(key)
          if key > 0 { log = lockedLog(store) }
        }
      }
      return unsafe holdsRow ? lockedReleaseRow(key, root: root, store: Int(store)) : nil
    }
    withExtendedLifetime(former) {}
    log?.unregister(root, key)
    if let block = unsafe block { unsafe gs_release_n(block, 1) }
  }

  func object(_ layout: EntityLayout, key: Int64, store: Int32) -> ManagedObject? {
    let root = layout.rootIndex
    return lock.withLock {
      unsafe withTable(root: root, key: key, store: store) { unsafe Self.object(key, $0) }
    }
  }

  /// The registered objects of one entity tree by key, under one lock; empty where none of them is
  /// registered.
  func objects(_ layout: EntityLayout, keys: some Collection<Int64>, store: Int32) -> [ManagedObject?] {
    lock.withLock {
      let table = unsafe tables[Int(store) * rootCount + layout.rootIndex]
      guard table.count > 0, keys.contains(where: { unsafe table.find($0) != nil }) else { return [] }
      return keys.map { unsafe Self.object($0, table) }
    }
  }

  @inline(__always)
  private static func object(_ key: Int64, _ table: Table) -> ManagedObject? {
    guard let place = unsafe table.find(key) else { return nil }
    return unsafe retained(place.pointee)
  }

  @inline(__always)
  private static func retained(_ pointer: UnsafeMutableRawPointer?) -> ManagedObject? {
    guard let pointer = unsafe pointer, let retained = unsafe gs_try_retain(pointer) else { return nil }
    return unsafe Unmanaged<ManagedObject>.fromOpaque(retained).takeRetainedValue()
  }

  /// Every registered object.
  func all() -> [ManagedObject] {
    lock.withLock { registered() }
  }

  /// Every object that knows its context, registered or displaced, for them to leave it.
  func leaving() -> [ManagedObject] {
    lock.withLock {
      let objects = registered() + displaced + lockedDeparted()
      displaced = []
      return objects
    }
  }

  /// Every saved object of stores that are meant, registered or displaced, for them to leave the context.
  func leaving(_ isMeant: (Int32) -> Bool) -> [ManagedObject] {
    func isLeaving(_ object: ManagedObject) -> Bool { object.key > 0 && isMeant(object.storeIndex) }
    // No object is released while the lock is held, which its release would take.
    let (known, former) = lock.withLock { (registered() + lockedDeparted(), displaced) }
    let staying = former.filter { !isLeaving($0) }
    lock.withLock { displaced = staying }
    return (known + former).filter(isLeaving)
  }

  /// Takes an object out whose deletion by others is merged; it goes on knowing its context.
  func depart(_ object: ManagedObject) {
    unregister(object)
    let pointer = unsafe Unmanaged.passUnretained(object).toOpaque()
    lock.withLock { unsafe _ = departed.insert(pointer) }
  }

  /// Forgets an object that leaves its context, or is released. Called from its `deinit` too.
  func forgetDeparted(_ object: ManagedObject) {
    let pointer = unsafe Unmanaged.passUnretained(object).toOpaque()
    lock.withLock { unsafe _ = departed.remove(pointer) }
  }

  /// The objects whose deletion by others was merged, as far as they live.
  func departedObjects() -> [ManagedObject] { lock.withLock { lockedDeparted() } }

  private func lockedDeparted() -> [ManagedObject] {
    unsafe departed.compactMap { unsafe Self.retained($0) }
  }

  private func registered() -> [ManagedObject] {
    var objects: [ManagedObject] = []
    unsafe (tables + [unsaved]).forEach { table in
      unsafe table.forEach { _, place in
        if let object = unsafe Self.retained(place.pointee) { objects.append(object) }
      }
    }
    return objects
  }

  var count: Int {
    lock.withLock { unsafe tables.reduce(unsaved.count) { $0 + $1.count } }
  }
}
