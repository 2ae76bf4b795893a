import GraphStoreModel
import GraphStorePredicates

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
    /// Each statement of steps over sets, and each object that a policy made, too.
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

  /// The log of migrations that are given none: at the level of ``Diagnostics/migrationLevel``, as lines
  /// `annotation: (migration) TEXT` where all diagnostic lines go.
  public static var ofProcess: MigrationLog {
    MigrationLog(level: Level(rawValue: Diagnostics.migrationLevel) ?? .off) { line in
      Diagnostics.write("(migration) \(line)", as: .annotation)
    }
  }

  func write(_ level: Level, _ line: @autoclosure () -> String) {
    if level <= self.level, level > .off { sink(line()) }
  }
}

extension Duration {
  /// A time as the log writes it: `0.4 s`.
  var secondsText: String {
    let tenths = Int((self / .milliseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }
}

extension MigrationPlan {
  /// Logs what is attempted, how the versions differ, and the steps.
  func describe(to log: MigrationLog) {
    guard log.level >= .steps else { return }
    log.write(
      .steps,
      "migrating \(path) from \(source.label) to \(target.label), "
        + "\(steps.count == 1 ? "1 step" : "\(steps.count) steps")")
    if steps.isEmpty { return }
    let (old, new) = (source.model.entityVersionHashesByName, target.model.entityVersionHashesByName)
    let differing = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    log.write(
      .steps,
      "\(path) has version \(source.label); what differs in \(target.label): "
        + (differing.isEmpty ? "nothing but how it is stored" : differing.joined(separator: ", ")))
    let ways = steps.map { "\($0.source.label) to \($0.destination.label) (\($0.kind.rawValue))" }
    log.write(.steps, "plan: \(ways.joined(separator: ", "))")
  }
}

extension GraphStoreError {
  /// Logs why no mapping could be inferred, a reason a line (DGN-102).
  func describeRefusals(to log: MigrationLog) {
    for reason in details { log.write(.steps, "refused: \(reason)") }
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
