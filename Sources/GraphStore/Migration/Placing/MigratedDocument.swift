import Foundation
import Glibc
import GraphStoreModel

/// Document that is migrated: the steps read a copy of type SQLite, and what the last has made is written as
/// a document again, beside the old one, before it takes its place (MIG-277).
///
/// Where it is going to be replaced, other programs of the library wait to save it from the first read on;
/// one that takes no turn is noticed, and keeps what it has written.
final class MigratedDocument: MigratedStore {
  let path: String
  let metadata: StoreMetadata
  private let plan: MigrationPlan
  private let format: any AtomicStoreFormat
  /// The path beside which files are made.
  private let place: String
  private let timeout: Duration
  private let isCancelled: () -> Bool
  private var turn: SavingTurn?
  /// The document as it was read; emptied with the end of reading.
  private var bytes: [UInt8]
  /// The state of the file that was read.
  private let stamp: FileStamp
  private var copy: TemporaryStore?
  private var file: TemporaryStore?
  /// The state of the new file before others could write to it.
  private var placedStamp: FileStamp?

  /// Takes the turn to replace a document, and reads it.
  ///
  /// - Parameters:
  ///   - isLocked: Whether it is going to be replaced or removed; else it is read alone.
  ///   - place: The path of the migrated store.
  ///   - isCancelled: Asked while others are waited for, and between batches of objects.
  /// - Throws: ``LockedStore/Cancelled``; `store-timeout`, `store-permission`; what is wrong with the path,
  ///   from `store-not-found` to `store-corrupt`.
  init(
    _ plan: MigrationPlan, _ format: any AtomicStoreFormat, isLocked: Bool, beside place: String,
    timeout: Duration, isCancelled: @escaping () -> Bool
  ) throws {
    (self.plan, self.format, self.place) = (plan, format, place)
    (self.timeout, self.isCancelled) = (timeout, isCancelled)
    path = ResolvedPath.of(plan.path)
    let file = AtomicStoreFile(path)
    (turn, bytes, stamp) =
      try isLocked ? Self.locked(file, timeout: timeout, isCancelled: isCancelled) : Self.read(file)
    metadata = try DocumentStore.document(bytes, at: path, format).metadata
    guard isLocked else { return }
    try file.checkWritable()
    StoreReplacement(path: path).removeSecondNames()
  }

  /// A document as it was read, with the turn to replace it.
  private typealias Content = (turn: SavingTurn?, bytes: [UInt8], stamp: FileStamp)

  private static func read(_ file: AtomicStoreFile) throws -> Content {
    let (bytes, stamp) = try file.content()
    return (nil, bytes, stamp)
  }

  private static func locked(
    _ file: AtomicStoreFile, timeout: Duration, isCancelled: () -> Bool
  ) throws -> Content {
    while true {
      let turn = try turn(at: file.path, timeout: timeout, isCancelled: isCancelled)
      let (bytes, stamp) = try file.content()
      // Else who takes no turn has replaced the file in between: that of the new one is another.
      if turn.isOf(stamp) { return (turn, bytes, stamp) }
    }
  }

  private static func turn(
    at path: String, timeout: Duration, isCancelled: () -> Bool
  ) throws -> SavingTurn {
    if let turn = SavingTurn(at: path, timeout: timeout, isCancelled: isCancelled) { return turn }
    if isCancelled() { throw LockedStore.Cancelled() }
    throw GraphStoreError.beingSaved(path)
  }

  // MARK: Reading

  func readingPath() throws -> String { try makeCopy().path }

  func makeCopy() throws -> TemporaryStore {
    if let copy { return copy }
    let store = try opened()
    defer { store.close() }
    let copy = try TemporaryStore(beside: place)
    try SQLiteCopy.fill(copy, from: store, onBatch: checkCancelled)
    self.copy = copy
    return copy
  }

  func endReading() { (copy, bytes) = (nil, []) }

  /// The store that the document is.
  private func opened() throws -> DocumentStore {
    let document = try DocumentStore.document(bytes, at: path, format)
    return try DocumentStore.open(
      document, of: AtomicStoreFile(path), options(of: plan.source.model), .model(plan.source.model),
      StoreUse(), format)
  }

  private func options(of model: ManagedObjectModel) -> StoreOptions {
    StoreOptions(
      isReadOnly: true, timeout: timeout, configuration: plan.stored.entities(of: model).configuration)
  }

  private func checkCancelled() throws { if isCancelled() { throw LockedStore.Cancelled() } }

  // MARK: Completing

  func complete(_ result: TemporaryStore, identifier: UUID) throws {
    let model = plan.target.model
    let copy = SQLiteCopy(path: result.path, model: model, options: options(of: model))
    let (document, count) = try copy.document(format, identifier: identifier, onBatch: checkCancelled)
    try write(document, of: model, objectCount: count)
  }

  func completeCopy(identifier: UUID?) throws {
    let store = try opened()
    defer { store.close() }
    let document = try identifier.map { try store.document(identifier: $0) } ?? bytes
    try write(document, of: plan.source.model, objectCount: store.objectCount())
  }

  /// Writes a document into a file of its own, and opens that.
  private func write(_ document: [UInt8], of model: ManagedObjectModel, objectCount count: Int) throws {
    let file = try TemporaryStore(beside: place)
    try file.write(document)
    do {
      let store = try DocumentStore.open(file.path, options(of: model), .model(model), StoreUse(), format)
      defer { store.close() }
      let found = try store.objectCount()
      guard found == count else { throw GraphStoreError.wrongCopy("it has \(found) of \(count) objects") }
    } catch let error as GraphStoreError where error.code == .storeCorrupt {
      throw GraphStoreError.wrongCopy("as a document it cannot be read: \(error.message)")
    }
    self.file = file
  }

  // MARK: Placing

  func replace(keepingOldAs name: StoreReplacement.KeptName) throws -> String? {
    guard let file else { throw GraphStoreError.changedSincePlanned(path) }
    let kept = try DocumentReplacement(path: path).replace(
      by: file, keepingOldAs: name, timeout: timeout, ifIt: checkUnchanged)
    placedStamp = FileStamp(path)
    // Others may save the new one from now on.
    (self.file, turn) = (nil, nil)
    return kept
  }

  private func checkUnchanged() throws {
    guard FileStamp(path) == stamp else { throw ReplacedMeanwhile(failure: changed) }
  }

  private var changed: GraphStoreError {
    GraphStoreError(
      .fileChanged,
      "Another program has changed the file \(path) while it was migrated, and it is as that left it.",
      remedy: "Migrate it again.")
  }

  func place(at target: StoreDestination, removesSource: Bool) throws {
    guard let file else { return }
    defer { self.file = nil }
    if removesSource, FileStamp(path) != stamp { throw changed }
    file.adoptAttributes(of: path)
    guard target.isTaken, target.isReplacing else {
      try target.place(file)
      return
    }
    let replacement = DocumentReplacement(path: target.path)
    let kept = try replacement.replaceInTurn(by: file, keepingOldAs: .hidden, timeout: timeout)
    DocumentReplacement.removeKept(kept)
  }

  func putBack(_ backup: String) throws {
    guard let turn = SavingTurn(at: path, timeout: timeout) else { throw GraphStoreError.beingSaved(path) }
    defer { withExtendedLifetime(turn) {} }
    guard let placedStamp, FileStamp(path) == placedStamp else { throw WrittenMeanwhile() }
    try DocumentReplacement(path: path).putBack(backup)
  }

  func removeBackup(_ backup: String) { DocumentReplacement.removeKept(backup) }

  func remove() {
    // What others have made of it since the new one is at its path is theirs.
    if FileStamp(path) == stamp { unsafe unlink(path) }
    release()
  }

  func release() { turn = nil }
}
