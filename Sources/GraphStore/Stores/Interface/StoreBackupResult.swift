/// Result of copying a store.
///
/// ```swift
/// let backup = try StoreBackup.make(ofStoreAt: "hr.db", at: "hr-backup.db")
/// print(backup.objectCount, "objects in", backup.byteCount, "bytes")
/// ```
public struct StoreBackupResult: Hashable, Sendable {
  /// The path of the copy.
  public let path: String
  /// The number of its objects.
  public let objectCount: Int
  /// The size of its file in bytes, with those of its external data.
  public let byteCount: Int
  /// The number of files of external data that rows name and the store had lost: their values cannot be read
  /// in the copy either. A check of the store lists them.
  public let missingFileCount: Int
  /// Where the store is kept that the copy has replaced; nil where there was none, or it is not kept.
  public let replacedStore: String?
}
