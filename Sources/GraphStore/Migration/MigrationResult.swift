/// What a migration has done.
public struct MigrationResult: Sendable {
  /// Where the migrated store is.
  public let path: String
  /// The version that the store had.
  public let source: ModelVersion
  /// The version that it has.
  public let target: ModelVersion
  /// How many steps were taken; 0 for a store that had the version already.
  public let stepCount: Int
  /// The number of objects by the names of the entities of the new version.
  public let objectCounts: [String: Int]
  /// Where the old store is kept; nil where it is not, or is where it was.
  public let backup: String?
  /// How long it took.
  public let seconds: Double
}
