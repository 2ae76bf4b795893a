import Dispatch
import Synchronization
import Testing

/// What a mutex guards is no race for the thread sanitizer, which alone can fail this.
@Suite struct ContendedMutexTests {
  @Test("A mutex that threads wait for orders what it guards")
  func order() {
    let counts = Mutex<[Int: Int]>([:])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for number in 0..<20_000 { counts.withLock { $0[number % 16, default: 0] += 1 } }
    }
    #expect(counts.withLock { $0.values.reduce(0, +) } == 80_000)
  }
}
