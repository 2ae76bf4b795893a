/// Feature that not every type of stores has; promises that need one which a type lacks are skipped, and
/// counted.
///
/// ```swift
/// let lacking: Set<StoreFeature> = [.severalWriters, .history]
/// print(lacking.contains(.persistence))  // false
/// ```
public enum StoreFeature: String, CaseIterable, Sendable {
  /// A store can be closed, and opened again with what it held.
  case persistence
  /// Several coordinators can have one store open at the same time, and write to it.
  case severalWriters
  /// A store can keep a history of its changes.
  case history
  /// Requests over sets are run: batch inserts, updates and deletes.
  case batchRequests
  /// Several saves can be made one, which is taken back as a whole.
  case transactions
  /// A save is refused whose object another writer has changed meanwhile.
  case conflictDetection
  /// A save is refused which would make two objects equal in what the model calls unique.
  case uniquenessConstraints
  /// Metadata of programs are kept.
  case metadata
}
