/// Does the same work on several threads at once; the answer is that of one, which all have to give.
final class ParallelContender: Contender {
  let name: String
  let side: Side
  private let threads: Int
  private let body: @Sendable (Int) throws -> Answer
  private var found: [Answer] = []

  init(_ name: String, _ side: Side, threads: Int, _ body: @escaping @Sendable (Int) throws -> Answer) {
    self.name = name
    self.side = side
    self.threads = threads
    self.body = body
  }

  func work() throws { found = try Threads.run(threads, body) }

  func answer() throws -> Answer {
    guard let first = found.first, found.count == threads, found.allSatisfy({ $0 == first }) else {
      throw BenchmarkError("\(name): the threads have found different things")
    }
    return first
  }
}
