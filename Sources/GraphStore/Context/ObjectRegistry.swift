import CGraphStoreShims
import Synchronization

/// The objects that a context knows, by store, entity tree and key; it holds none of them.
///
/// An object that is let go of on any thread takes itself out; a look-up never hands out one whose deallocation has
/// begun (FLT-080).
final class ObjectRegistry: @unchecked Sendable {
  private typealias Table = KeyTable<UnsafeMutableRawPointer?>

  private let rootCount: Int
  private let lock = Mutex(())
  @exclusivity(unchecked) private var tables: [Table] = []
  private let unsaved = Table(empty: nil)
  /// The row caches by store, told when the last holder of a row goes.
  @exclusivity(unchecked) private var caches: [RowCache] = []

  init(entityCount: Int) { rootCount = entityCount }

  /// Makes room for a store's objects.
  func addStore(_ cache: RowCache) {
    lock.withLock { _ in
      caches.append(cache)
      for _ in 0..<rootCount { tables.append(Table(empty: nil)) }
    }
  }

  private func table(_ plan: EntityPlan, _ key: Int64, _ store: Int32) -> Table {
    key < 0 ? unsaved : tables[Int(store) * rootCount + plan.rootIndex]
  }

  func register(_ object: ManagedObject) {
    lock.withLock { _ in
      Self.put(object, into: table(object.plan, object.key, object.storeIndex))
    }
  }

  /// Registers objects of one entity tree, under one lock.
  func register(_ objects: ArraySlice<ManagedObject>) {
    guard let first = objects.first else { return }
    lock.withLock { _ in
      let table = table(first.plan, first.key, first.storeIndex)
      for object in objects where !object.state.contains(.registered) { Self.put(object, into: table) }
    }
  }

  private static func put(_ object: ManagedObject, into table: Table) {
    table[at: table.add(object.key)] = Unmanaged.passUnretained(object).toOpaque()
    object.state.insert(.registered)
  }

  /// Gives new objects, in their order, their permanent keys, under one lock.
  func adopt(_ objects: [ManagedObject], _ keys: PermanentKeys, storeIndex: Int32) {
    lock.withLock { _ in
      for object in objects {
        if let position = unsaved.position(of: object.key) { unsaved.remove(at: position) }
        object.key = keys[object.key]
        object.storeIndex = storeIndex
        Self.put(object, into: table(object.plan, object.key, storeIndex))
      }
    }
  }

  /// Takes an object out; called from its `deinit` too, when it must not be retained any more.
  func unregister(_ object: ManagedObject) {
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    lock.withLock { _ in
      let table = table(object.plan, object.key, object.storeIndex)
      if let position = table.position(of: object.key), table[at: position] == pointer {
        table.remove(at: position)
      }
    }
    if object.state.contains(.holdsRow) {
      caches[Int(object.storeIndex)].release(object.plan.rootIndex, object.key)
    }
  }

  func object(_ plan: EntityPlan, _ key: Int64, _ store: Int32) -> ManagedObject? {
    lock.withLock { _ in Self.object(key, table(plan, key, store)) }
  }

  /// The registered objects of one entity tree by key, under one lock; empty where none of the tree is registered.
  func objects(_ plan: EntityPlan, _ keys: ArraySlice<Int64>, _ store: Int32) -> [ManagedObject?] {
    lock.withLock { _ in
      let table = tables[Int(store) * rootCount + plan.rootIndex]
      if table.count == 0 { return [] }
      return keys.map { Self.object($0, table) }
    }
  }

  @inline(__always)
  private static func object(_ key: Int64, _ table: Table) -> ManagedObject? {
    guard let position = table.position(of: key) else { return nil }
    return retained(table[at: position])
  }

  @inline(__always)
  private static func retained(_ pointer: UnsafeMutableRawPointer?) -> ManagedObject? {
    guard let pointer, let retained = gs_try_retain(pointer) else { return nil }
    return Unmanaged<ManagedObject>.fromOpaque(retained).takeRetainedValue()
  }

  /// Every registered object.
  func all() -> [ManagedObject] {
    lock.withLock { _ in
      var objects: [ManagedObject] = []
      for table in tables + [unsaved] {
        table.forEach { _, pointer in
          if let object = Self.retained(pointer) { objects.append(object) }
        }
      }
      return objects
    }
  }

  var count: Int {
    lock.withLock { _ in tables.reduce(unsaved.count) { $0 + $1.count } }
  }
}
