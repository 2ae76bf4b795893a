/// What was found in a store when it was opened, and stops nothing but perhaps writing.
///
/// ``PersistentStoreCoordinator/warnings`` has those of the open stores.
public struct StoreWarning: Hashable, Sendable {
  /// The stable word for what was found: `store-has-triggers`, `store-tracks-history` or `store-corrupt`.
  public let code: String
  /// What was found, as a sentence.
  public let message: String
  /// What to do about it.
  public let remedy: String
  /// Whether the store opens for reading only because of it, whatever was asked for.
  public let preventsWriting: Bool
}
