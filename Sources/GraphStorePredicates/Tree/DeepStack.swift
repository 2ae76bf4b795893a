import Foundation

/// Runs work on trees that nest deeply, where the caller's stack may be too small for it.
package enum DeepStack {
  /// The nesting up to which the caller's stack is enough.
  private static let shallow = 48
  private static let stackSize = 256 << 20

  /// Whether the caller's stack is enough, so that work need not be handed over.
  static func isCallersEnough(for nesting: Int) -> Bool { nesting <= shallow }

  /// Runs the work, on a thread of its own with a large stack when the nesting is deep. The caller waits.
  package static func run<Result, Failure: Error>(
    nesting: Int, _ work: @escaping () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isCallersEnough(for: nesting) { return try work() }
    nonisolated(unsafe) let work = work
    nonisolated(unsafe) var outcome: Swift.Result<Result, Failure>?
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      do throws(Failure) {
        outcome = .success(try work())
      } catch {
        outcome = .failure(error)
      }
      isDone.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    isDone.wait()
    switch outcome {
    case .success(let result): return result
    case .failure(let error): throw error
    case nil: return try work()
    }
  }
}
