import Foundation
import GraphStoreModel
import GraphStorePredicates
import Synchronization

/// Log of a migration: what it does, line by line.
///
/// ```swift
/// var options = MigrationOptions()
/// options.log = MigrationLog(level: .steps) { line in print(line) }
/// let result = try StoreMigration(plan, options: options).run()
/// ```
public struct MigrationLog: Sendable {
  /// Level of detail.
  public enum Level: Int, Comparable, Sendable {
    /// Nothing.
    case off
    /// Store, versions, plan, each step with its counts and time, replacement and backup.
    case steps
    /// Each entity and property mapping, too, and what is left behind.
    case mappings
    /// Each statement, and each object that a policy made, too.
    case statements

    /// Whether one logs less than another.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The level of detail.
  public let level: Level
  private let sink: @Sendable (String) -> Void

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - level: How much is logged.
  ///   - sink: Receives each line, on the thread of the migration.
  public init(level: Level = .off, sink: @escaping @Sendable (String) -> Void = { _ in }) {
    self.level = level
    self.sink = sink
  }

  func write(_ level: Level, _ line: @autoclosure () -> String) {
    if level <= self.level, level > .off { sink(line()) }
  }
}

extension MigrationStep {
  /// Logs each entity and property mapping, and what is left behind (MIG-302).
  func describe(to log: MigrationLog) {
    guard log.level >= .mappings else { return }
    for mapping in mappings.flatMap(\.entityMappings) {
      let ends = "\(mapping.source?.name ?? "nothing") to \(mapping.destination?.name ?? "nothing")"
      log.write(
        .mappings, "  \(mapping.name): \(ends), \(mapping.kind.rawValue), \(Self.origin(mapping.isInferred))")
      for attribute in mapping.attributes {
        log.write(
          .mappings,
          "    \(attribute.attribute.name): \(Self.text(attribute.value)), \(Self.origin(attribute.isInferred))"
        )
      }
      for relationship in mapping.relationships {
        log.write(
          .mappings,
          "    \(relationship.relationship.name): \(Self.text(relationship.value)), "
            + Self.origin(relationship.isInferred))
      }
    }
    for loss in losses { log.write(.mappings, "  left behind: \(loss.path): \(loss.reason)") }
  }

  private static func origin(_ isInferred: Bool) -> String { isInferred ? "inferred" : "written" }

  private static func text(_ value: CheckedAttributeMapping.Source) -> String {
    switch value {
    case .defaultValue: "default"
    case .attribute(let attribute): "$source.\(attribute.name)"
    case .expression(let expression): "\(expression)"
    case .derived: "derived"
    }
  }

  private static func text(_ value: CheckedRelationshipMapping.Source) -> String {
    switch value {
    case .empty: "empty, or the inverse's"
    case .relationship(let relationship): "$source.\(relationship.name)"
    case .objects(let mapping, let expression): "objects of \(mapping) from \(expression)"
    case .expression(let expression): "\(expression)"
    }
  }
}

extension Diagnostics {
  private static let log = Mutex(MigrationLog.ofEnvironment)

  /// The log of migrations without one of their own: at the level of `GRAPHSTORE_MIGRATION_DEBUG`, 0 to 3, in
  /// lines `annotation: (migration) TEXT` on standard error; nothing where that is not set.
  public static var migrationLog: MigrationLog {
    get { log.withLock(\.self) }
    set { log.withLock { $0 = newValue } }
  }
}

extension MigrationLog {
  /// A log whose lines are written to standard error.
  ///
  /// - Parameter level: How much is logged.
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
