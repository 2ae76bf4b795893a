import CGraphStoreShims
import Synchronization

/// Contexts that are known and not kept alive.
///
/// They are identified by their addresses, which a context removes in its `deinit`: a weak reference would
/// make each retain of a context slower.
final class ContextList: Sendable {
  private let addresses = Mutex<Set<UInt>>([])

  func add(_ context: ManagedObjectContext) {
    let address = Self.address(of: context)
    addresses.withLock { _ = $0.insert(address) }
  }

  /// Called from the context's `deinit`, when it must not be retained any more.
  func remove(_ context: ManagedObjectContext) {
    let address = Self.address(of: context)
    addresses.withLock { _ = $0.remove(address) }
  }

  /// Those whose deallocation has not begun.
  var all: [ManagedObjectContext] {
    addresses.withLock { addresses in
      addresses.compactMap { address in
        guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address),
          let retained = unsafe gs_try_retain(pointer)
        else { return nil }
        return unsafe Unmanaged<ManagedObjectContext>.fromOpaque(retained).takeRetainedValue()
      }
    }
  }

  /// The number of contexts.
  var count: Int { addresses.withLock(\.count) }

  private static func address(of context: ManagedObjectContext) -> UInt {
    UInt(bitPattern: ObjectIdentifier(context))
  }
}
