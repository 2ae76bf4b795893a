import Foundation
import GraphStorePredicates
import Synchronization

extension Diagnostics {
  private static let log = Mutex(MigrationLog.ofEnvironment)

  /// The log of migrations that are given none of their own: what `GRAPHSTORE_MIGRATION_DEBUG` says, 0 to 3, in lines
  /// `annotation: (migration) TEXT` on standard error; nothing where it says nothing (DGN-004, MIG-301).
  public static var migrationLog: MigrationLog {
    get { log.withLock(\.self) }
    set { log.withLock { $0 = newValue } }
  }
}

extension MigrationLog {
  /// A log whose lines go to standard error.
  ///
  /// - Parameter level: How much is told.
  public static func onStandardError(level: Level) -> MigrationLog {
    MigrationLog(level: level) { line in
      try? FileHandle.standardError.write(contentsOf: Data("annotation: (migration) \(line)\n".utf8))
    }
  }

  fileprivate static var ofEnvironment: MigrationLog {
    let text = EnvironmentVariable.value(of: "GRAPHSTORE_MIGRATION_DEBUG") ?? ""
    return onStandardError(level: Int(text).flatMap(Level.init) ?? .off)
  }
}
