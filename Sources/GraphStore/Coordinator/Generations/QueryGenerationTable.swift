import Synchronization

/// The query generations of a coordinator that are alive, none of which it keeps so.
final class QueryGenerationTable: Sendable {
  private struct Entry {
    let token: QueryGenerationToken
    weak var generation: QueryGeneration?
  }

  /// In the order in which they began.
  private let entries = Mutex<[Entry]>([])

  /// The generation that began last.
  var newest: QueryGeneration? { entries.withLock { $0.reversed().lazy.compactMap(\.generation).first } }

  /// The number of those that are alive.
  var count: Int { entries.withLock { $0.count { $0.generation != nil } } }

  subscript(token: QueryGenerationToken) -> QueryGeneration? {
    entries.withLock { $0.first { $0.token == token }?.generation }
  }

  func add(_ generation: QueryGeneration) {
    entries.withLock { entries in
      entries.removeAll { $0.generation == nil }
      entries.append(Entry(token: generation.token, generation: generation))
    }
  }
}
