import Foundation

/// Runs a body on several threads at once, and gives what each has found.
enum Threads {
  static func run<Found: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Found
  ) throws -> [Found] {
    let results = Results<Found>(count)
    DispatchQueue.concurrentPerform(iterations: count) { index in
      results.set(index, Result { try body(index) })
    }
    return try results.all.map { try $0.get() }
  }

  private final class Results<Found: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var found: [Int: Result<Found, any Error>] = [:]
    private let count: Int

    init(_ count: Int) { self.count = count }

    func set(_ index: Int, _ result: Result<Found, any Error>) { lock.withLock { found[index] = result } }

    var all: [Result<Found, any Error>] { lock.withLock { (0..<count).compactMap { found[$0] } } }
  }
}
