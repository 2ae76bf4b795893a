/// How a migration is run.
public struct MigrationOptions: Sendable {
  /// Where the migrated store goes; nil for the place of the old one.
  public var output: String?
  /// Whether a store that is at ``output`` is replaced.
  public var replacesOutput = false
  /// Whether the old store is removed after a migration to another place.
  public var deletesSource = false
  /// Whether the old store is kept beside the new one; nil keeps it where something is left behind, and of a store that
  /// another implementation made (MIG-268, MIG-278).
  public var keepsBackup: Bool?
  /// Whether numbers that do not convert exactly are rounded to nearest, and of several members of what becomes a to-one the
  /// first is kept (MIG-123).
  public var allowsInexactConversion = false
  /// Whether everything is done but for the replacement, and nothing is left (MIG-326).
  public var isRehearsal = false
  /// Whether steps between SQLite stores are carried out by statements over sets, and not object by object: inferred ones,
  /// and written mappings that take over values and links as they are. Both ways give stores of equal content (MIG-216).
  public var usesStoreSpecificMigrationManager = true
  /// Whether an inferred last step leaves the making of indexes that are no constraints for later (MIG-251).
  public var defersIndexes = false
  /// How many objects a step handles at a time that goes object by object.
  public var batchSize = 1_000
  /// How long it waits for locks that others hold.
  public var timeout = StoreOptions.defaultTimeout
  /// Receives the lines of the migration's log.
  public var log = Diagnostics.migrationLog

  /// Options with their defaults.
  public init() {}
}
