import CGraphStoreShims

/// Guards what a coordinator's row caches and its contexts' registries know of objects.
///
/// It is one lock for all of them, so that an object that goes takes itself out of both at the cost of one. It is held
/// for a few look-ups at a time, never while a statement or code of a subclass runs.
@safe final class RegistryLock: @unchecked Sendable {
  private let word: UnsafeMutablePointer<UInt32>

  init() {
    unsafe word = .allocate(capacity: 1)
    unsafe word.initialize(to: 0)
  }

  deinit { unsafe word.deallocate() }

  @inline(__always)
  func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    unsafe gs_lock(word)
    defer { unsafe gs_unlock(word) }
    return try body()
  }
}
