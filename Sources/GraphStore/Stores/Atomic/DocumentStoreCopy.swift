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
    let replaced = try Self.place(
      bytes, at: target, named: source, of: format.type, present, timeout: timeout)
    return StoreBackupResult(
      path: target, objectCount: count, byteCount: bytes.count, missingFileCount: 0, replacedStore: replaced)
  }

  private func objectCount() throws -> Int {
    let options = StoreOptions(isReadOnly: true, timeout: timeout)
    let store = try DocumentStore.open(source, options, .carried, StoreUse(), format)
    defer { store.close() }
    return try store.objectCount()
  }

  /// Puts a document at a path, in the place of one that may be there.
  ///
  /// - Parameter name: What the document is, for messages.
  /// - Returns: The path of the backup; nil where none is kept.
  static func place(
    _ bytes: [UInt8], at target: String, named name: String, of type: StoreType, _ present: PresentStore,
    timeout: Duration
  ) throws -> String? {
    if ResolvedPath.isFree(target) {
      try AtomicStoreFile(target).create(bytes)
      return nil
    }
    try StoreType.checkIsReplaceable(target, byDocument: name, of: type)
    TemporaryStore.removeLeftovers(beside: target)
    let new = try TemporaryStore(beside: target)
    try new.write(bytes)
    let keepsBackup = present == .keptAsBackup
    let kept = try DocumentReplacement(path: target).replaceInTurn(
      by: new, keepingOldAs: keepsBackup ? .backup(version: nil) : .hidden, timeout: timeout)
    if keepsBackup { return kept }
    DocumentReplacement.removeKept(kept)
    return nil
  }
}
