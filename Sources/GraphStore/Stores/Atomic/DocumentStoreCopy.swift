import GraphStoreFiles
import GraphStoreModel

/// Copy of a store in one document: the document, once it is known to be one that can be opened.
///
/// Whoever replaces the document meanwhile leaves the one that was read.
struct DocumentStoreCopy {
  private let source: String
  private let destination: String
  private let format: any AtomicStoreFormat
  private let timeout: Duration

  init(of source: String, to destination: String, _ format: any AtomicStoreFormat, timeout: Duration) {
    (self.source, self.destination, self.format) = (source, destination, format)
    self.timeout = timeout
  }

  /// - Throws: As ``StoreDriver/copy(_:to:_:isOneFile:timeout:)``; `store-type-mismatch` for a store of
  ///   another type that is to be replaced.
  func make(_ present: PresentStore) throws -> StoreBackupResult {
    let target = try StoreDestination(destination, from: nil, isReplacing: present != .refused).path
    guard FileIdentity(source) == nil || FileIdentity(source) != FileIdentity(target) else {
      throw GraphStoreError(
        .migrationDestination, "\(destination) is the store itself.",
        remedy: "Give another path for the copy.")
    }
    let bytes = try AtomicStoreFile(source).read()
    let count = try objectCount()
    var replaced: String?
    if ResolvedPath.isFree(target) {
      try AtomicStoreFile(target).create(bytes)
    } else {
      try checkType(target)
      let kept =
        present == .keptAsBackup ? { StoreReplacement(path: target).freeBackupPath(version: nil) } : nil
      replaced = try AtomicStoreFile(target).replace(by: bytes, timeout: timeout, keepingAt: kept)
    }
    return StoreBackupResult(
      path: target, objectCount: count, byteCount: bytes.count, missingFileCount: 0, replacedStore: replaced)
  }

  private func objectCount() throws -> Int {
    let options = StoreOptions(isReadOnly: true, timeout: timeout)
    let store = try DocumentStore.open(source, options, .carried, StoreUse(), format)
    defer { store.close() }
    let state = try store.base.database.snapshot()
    return store.layout.entities.filter { $0.rootIndex == $0.index }.reduce(0) {
      $0 + state.rowCount($1.index)
    }
  }

  private func checkType(_ target: String) throws {
    let found = StoreType.detected(at: target)
    guard found != format.type else { return }
    throw GraphStoreError(
      .storeTypeMismatch,
      "\(target) is \(found.map { "a store of type \($0)" } ?? "no store"), and \(source) is of type \(format.type).",
      remedy: "Choose another path, or move what is there away.")
  }
}
