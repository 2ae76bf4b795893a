import Synchronization

/// Tests take turns where they set what the whole process has, as its diagnostics.
public enum ProcessTurn {
  private static let turn = Mutex(())

  /// Runs a body while no other test has its turn.
  public static func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    try turn.withLock { _ in try body() }
  }
}
