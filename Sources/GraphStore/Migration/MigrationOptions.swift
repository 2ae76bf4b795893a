/// Options with which a migration is run.
///
/// ```swift
/// var options = MigrationOptions()
/// options.isRehearsal = true
/// let result = try StoreMigration(plan, options: options).run()
/// print(result.objectCounts, result.seconds)
/// ```
public struct MigrationOptions: Sendable {
  /// The path of the migrated store; nil for the path of the old one.
  public var output: String?
  /// Whether a store that is at ``output`` is replaced.
  public var replacesOutput = false
  /// What is advised where the path is in use, and nothing there is to be replaced.
  static let remedyForTakenOutput = "Choose another path, or let the store there be replaced."
  /// Whether the old store is removed after a migration to another path.
  public var deletesSource = false
  /// Whether the old store is kept beside the new one; nil keeps it where something is left behind, and of a
  /// store that another implementation made.
  public var keepsBackup: Bool?
  /// Whether numbers that do not convert exactly are rounded to nearest, and of several members of what
  /// becomes a to-one the first is kept.
  public var allowsInexactConversion = false
  /// Whether everything is done but for the replacement, and nothing is left.
  public var isRehearsal = false
  /// Whether steps between SQLite stores are carried out by statements over sets, and not object by object:
  /// inferred ones, and written mappings that copy values and links as they are. Both ways make stores of
  /// equal content.
  public var usesStoreSpecificMigrationManager = true
  /// Whether an inferred last step leaves the making of indexes that are no constraints for later.
  public var defersIndexes = false
  /// The number of objects that a step by objects handles at a time.
  public var batchSize = 1_000
  /// How long it waits for locks that others hold.
  public var timeout = StoreOptions.defaultTimeout
  /// Receives the lines of the migration's log; at first that of the process.
  public var log = MigrationLog.ofProcess

  /// Options with their defaults.
  public init() {}
}
