import Foundation
import GraphStoreTestSupport
import Synchronization

@testable import GraphStore

/// Turns of tests that set `Diagnostics`.
enum DiagnosticsTurn {
  /// Runs a body with the destinations and levels of `Diagnostics` to itself, and puts them back behind it.
  static func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ProcessTurn.alone {
      defer {
        Diagnostics.tracedKinds = []
        Diagnostics.sqlLevel = 0
        Diagnostics.migrationLevel = 0
        Diagnostics.sink = nil
        Diagnostics.file = nil
      }
      return try body()
    }
  }

  /// The lines of the log of migrations that a body gives on the calling thread at a level, each with its
  /// head, and `T` for times.
  static func migrationLines(level: Int, _ body: () throws -> Void) rethrows -> [String] {
    try alone {
      let thread = ObjectIdentifier(Thread.current)
      let lines = Mutex<[String]>([])
      Diagnostics.sink = { line in
        guard ObjectIdentifier(Thread.current) == thread, line.text.hasPrefix("(migration) ") else { return }
        lines.withLock { $0.append("\(line)".replacing(/\d+\.\d s$/, with: "T")) }
      }
      Diagnostics.migrationLevel = level
      try body()
      return lines.withLock(\.self)
    }
  }

  /// The lines of the SQL log that a body gives on the calling thread, and what others write of the stores.
  ///
  /// - Parameter stores: The identifiers of these stores.
  static func sqlLines(
    level: Int, of stores: Set<String> = [], _ body: () throws -> Void
  ) rethrows -> [DiagnosticLine] {
    try alone {
      let thread = ObjectIdentifier(Thread.current)
      let lines = Mutex<[DiagnosticLine]>([])
      Diagnostics.sink = { line in
        let isOwn = ObjectIdentifier(Thread.current) == thread || stores.contains(line.storeIdentifier ?? "")
        if isOwn, line.category != .trace { lines.withLock { $0.append(line) } }
      }
      Diagnostics.sqlLevel = level
      try body()
      Diagnostics.sqlLevel = 0
      return lines.withLock(\.self)
    }
  }
}

extension TestStack {
  /// The lines of the SQL log that a body gives at a level, without their heads, with `T` for times and `URI`
  /// for the beginning of identifiers.
  func sqlLog(level: Int = 1, _ body: () throws -> Void) throws -> [String] {
    let identifiers = Set(coordinator.persistentStores.map(\.identifier.uuidString))
    return try DiagnosticsTurn.sqlLines(level: level, of: identifiers, body).map(Self.plain)
  }

  static func plain(_ line: DiagnosticLine) -> String {
    "\(line.category.rawValue): \(line.text)"
      .replacing(/\d+\.\d{4}s/, with: "T")
      .replacing(/<[a-z-]+:\/\/[0-9A-F-]+\//, with: "<URI/")
  }
}
