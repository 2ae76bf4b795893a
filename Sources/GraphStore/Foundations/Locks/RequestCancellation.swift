import GraphStorePredicates

/// Cancellation of the request that the calling thread runs: by its task, or by whoever has begun it beside a
/// context.
package enum RequestCancellation {
  package static var isRequested: Bool { Task.isCancelled || ThreadRole.current.cancellation?() == true }

  /// Whether there is anybody who could ask for it.
  package static var isPossible: Bool {
    unsafe withUnsafeCurrentTask { unsafe $0 != nil } || ThreadRole.current.cancellation != nil
  }

  /// Runs a body that ends once a check says so.
  package static func ending<Result>(when check: @escaping () -> Bool, _ body: () throws -> Result) rethrows
    -> Result
  {
    let role = ThreadRole.current
    let outer = role.cancellation
    role.cancellation = check
    defer { role.cancellation = outer }
    return try body()
  }
}
