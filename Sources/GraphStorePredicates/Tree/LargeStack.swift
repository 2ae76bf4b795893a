import Foundation

/// The nesting up to which the caller's stack is enough.
private let shallowNesting = 48
private let largeStackSize = 256 << 20

/// Whether the recursion over a tree of a nesting needs a larger stack than the caller may have.
func needsLargeStack(nesting: Int) -> Bool { nesting > shallowNesting }

/// Runs recursive work on a tree, on a thread of its own with a large stack when the nesting is deep. The
/// caller waits, and the thread adopts its role: what belongs to the caller's queue may be used in the work.
package func withLargeStack<Result, Failure: Error>(
  nesting: Int, _ work: @escaping () throws(Failure) -> Result
) throws(Failure) -> Result {
  if !needsLargeStack(nesting: nesting) { return try work() }
  @safe nonisolated(unsafe) let work = work
  @safe nonisolated(unsafe) var outcome: Swift.Result<Result, Failure>?
  let isDone = DispatchSemaphore(value: 0)
  let role = ThreadRole.current
  let thread = Thread {
    role.takeOver()
    do throws(Failure) {
      outcome = .success(try work())
    } catch {
      outcome = .failure(error)
    }
    isDone.signal()
  }
  thread.stackSize = largeStackSize
  role.waiting {
    thread.start()
    isDone.wait()
  }
  switch outcome {
  case .success(let result): return result
  case .failure(let error): throw error
  case nil: return try work()
  }
}
