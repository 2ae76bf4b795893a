import CGraphStoreShims

/// A lock for sections of a few dozen instructions, at the cost of two without contention.
///
/// It is not recursive, and never held while a statement or code of the program runs.
@safe package final class FutexLock: @unchecked Sendable {
  private let word: UnsafeMutablePointer<UInt32>

  package init() {
    unsafe word = .allocate(capacity: 1)
    unsafe word.initialize(to: 0)
  }

  deinit { unsafe word.deallocate() }

  @inline(__always)
  package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    unsafe gs_lock(word)
    defer { unsafe gs_unlock(word) }
    return try body()
  }
}
