import CGraphStoreShims
import Synchronization

/// The objects that a context knows, by store, entity tree and key; it holds none of them.
///
/// An object that is let go of on any thread takes itself out; a look-up never hands out one whose deallocation has
/// begun (FLT-080).
final class ObjectRegistry: @unchecked Sendable {
  private let rootCount: Int
  private let lock = Mutex(())
  private var tables: [KeyTable] = []
  private let unsaved = KeyTable()
  /// The row caches by store, told when the last holder of a row goes.
  private var caches: [RowCache] = []

  init(entityCount: Int) { rootCount = entityCount }

  /// Makes room for a store's objects.
  func addStore(_ cache: RowCache) {
    lock.withLock { _ in
      caches.append(cache)
      for _ in 0..<rootCount { tables.append(KeyTable()) }
    }
  }

  private func table(_ plan: EntityPlan, _ key: Int64, _ store: Int32) -> KeyTable {
    key < 0 ? unsaved : tables[Int(store) * rootCount + plan.rootIndex]
  }

  func register(_ object: ManagedObject) {
    lock.withLock { _ in
      table(object.plan, object.key, object.storeIndex)
        .insert(Unmanaged.passUnretained(object).toOpaque(), for: object.key)
    }
    object.state.insert(.registered)
  }

  /// Takes an object out; called from its `deinit` too, when it must not be retained any more.
  func unregister(_ object: ManagedObject) {
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    lock.withLock { _ in
      let table = table(object.plan, object.key, object.storeIndex)
      if table[object.key] == pointer { table.remove(object.key) }
    }
    if object.state.contains(.holdsRow) {
      caches[Int(object.storeIndex)].release(object.plan.rootIndex, object.key)
    }
  }

  func object(_ plan: EntityPlan, _ key: Int64, _ store: Int32) -> ManagedObject? {
    lock.withLock { _ in Self.retained(table(plan, key, store)[key]) }
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
