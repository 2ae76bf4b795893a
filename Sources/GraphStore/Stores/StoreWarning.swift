/// What was found in a store, and stops nothing but perhaps writing.
///
/// ``PersistentStoreCoordinator/warnings`` has what was found when the stores were opened; ``Diagnostics/onStoreWarning``
/// takes what comes later.
public struct StoreWarning: Hashable, Sendable {
  /// The stable word for what was found: `store-has-triggers`, `store-tracks-history`, `store-corrupt` or `metadata-large`.
  public let code: String
  /// What was found, as a sentence.
  public let message: String
  /// What to do about it.
  public let remedy: String
  /// Whether the store opens for reading only because of it, whatever was asked for.
  public let preventsWriting: Bool
}
