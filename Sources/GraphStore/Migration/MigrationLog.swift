/// Log of a migration: what it does, line by line (MIG-301, MIG-302).
public struct MigrationLog: Sendable {
  /// How much is told.
  public enum Level: Int, Comparable, Sendable {
    /// Nothing.
    case off
    /// Store, versions, plan, each step with its counts and time, replacement and backup.
    case steps
    /// Each entity and property mapping, too, and what is left behind.
    case mappings
    /// Each statement, and each object that a policy made, too.
    case statements

    /// Whether one tells less than another.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// How much is told.
  public let level: Level
  private let sink: @Sendable (String) -> Void

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - level: How much is told.
  ///   - sink: Receives each line, on the thread of the migration.
  public init(level: Level = .off, sink: @escaping @Sendable (String) -> Void = { _ in }) {
    self.level = level
    self.sink = sink
  }

  func write(_ level: Level, _ line: @autoclosure () -> String) {
    if level <= self.level, level > .off { sink(line()) }
  }
}
