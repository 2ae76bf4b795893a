import CGraphStoreShims
import Synchronization

/// The contexts of a coordinator, none of which it keeps alive.
///
/// They are known by their addresses, which a context takes out in its `deinit`: a weak reference would make each retain
/// of a context slower.
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

  /// How many there are.
  var count: Int { addresses.withLock(\.count) }

  private static func address(of context: ManagedObjectContext) -> UInt {
    UInt(bitPattern: ObjectIdentifier(context))
  }
}
