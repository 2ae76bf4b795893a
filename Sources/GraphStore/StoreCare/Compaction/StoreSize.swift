import GraphStoreFiles

/// Room that a store takes on the disk, in bytes.
///
/// ```swift
/// let size = StoreSize(path: "company.db")
/// print(size.total, "bytes, of them", size.externalData, "in files beside the store")
/// ```
public struct StoreSize: Hashable, Sendable {
  /// The store's file.
  public let file: Int
  /// The write-ahead log beside it.
  public let log: Int
  /// The files of external data beside it.
  public let externalData: Int

  /// All of it.
  public var total: Int { file + log + externalData }

  /// Measures the store at a path; what is not there has no size.
  public init(path: String) {
    let resolved = ResolvedPath.of(path)
    file = RegularFile.size(resolved) ?? 0
    log = RegularFile.size(resolved + "-wal") ?? 0
    externalData = ExternalDataFolder(besideStoreAt: path).files().reduce(0) { $0 + $1.size }
  }
}
