import Synchronization

/// Token of a query generation: one state of the stores of a coordinator, at which contexts are pinned.
///
/// It is a value that names a state and keeps none: the state can be read as long as a context is pinned to
/// it. Outside of the process, and in another run of the program, it means nothing.
///
/// ```swift
/// try context.setQueryGenerationFrom(.current)
/// let count = try context.count(for: Employee.fetchRequest())
/// let token = context.queryGenerationToken
/// let other = ManagedObjectContext(coordinator: coordinator)
/// let otherCount = try other.performAndWait {
///   try other.setQueryGenerationFrom(token)
///   return try other.count(for: Employee.fetchRequest())
/// }
/// print(count == otherCount)  // true
/// try context.setQueryGenerationFrom(nil)
/// ```
public struct QueryGenerationToken: Hashable, Sendable {
  /// The number of the state, never assigned twice by a process; 0 for the newest.
  private let state: UInt64

  private init(state: UInt64) { self.state = state }

  /// The newest state at the next read of the context that is pinned to it.
  public static let current = QueryGenerationToken(state: 0)

  private static let lastState = Atomic<UInt64>(0)

  /// The token of a state that has none yet.
  static func next() -> QueryGenerationToken {
    QueryGenerationToken(state: lastState.add(1, ordering: .relaxed).newValue)
  }
}

extension QueryGenerationToken: CustomStringConvertible {
  /// What it names, for people.
  public var description: String { state == 0 ? "current" : "generation \(state)" }
}
