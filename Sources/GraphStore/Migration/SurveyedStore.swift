import Foundation
import GraphStoreModel

/// Store that a plan looks into, as one of type SQLite: the store itself, or of another type a copy in the
/// folder for temporary files, which is made when it is asked for and goes with this.
final class SurveyedStore {
  /// The path of the store that is to be migrated.
  let path: String
  private let stored: StoredVersion
  private let model: ManagedObjectModel
  private let timeout: Duration
  private var copy: TemporaryStore?

  /// - Parameter model: The model that the store has.
  init(_ path: String, _ stored: StoredVersion, of model: ManagedObjectModel, timeout: Duration) {
    (self.path, self.stored, self.model, self.timeout) = (path, stored, model, timeout)
  }

  /// Whether it is read where it is.
  var isSQLite: Bool { stored.form.isSQLite }

  /// The path from which it is read.
  ///
  /// - Throws: What is wrong with the store; `disk-full`, `store-permission` for the folder for temporary
  ///   files.
  func readingPath() throws -> String {
    if isSQLite { return path }
    if let copy { return copy.path }
    let place = MigrationPlan.temporaryPlace(for: path)
    TemporaryStore.removeLeftovers(beside: place)
    let copy = try TemporaryStore(beside: place)
    try withStore { try SQLiteCopy.fill(copy, from: $0) }
    self.copy = copy
    return copy.path
  }

  private func withStore<Result>(_ body: (any PersistentStore) throws -> Result) throws -> Result {
    let options = StoreOptions(
      isReadOnly: true, timeout: timeout, configuration: stored.entities(of: model).configuration)
    let store = try StoreRegistry.open(path, options, .model(model))
    defer { store.close() }
    return try body(store)
  }

  /// The number of its objects.
  func objectCount() throws -> Int { try withStore { try $0.objectCount() } }

  /// Whether it keeps a history.
  func keepsHistory() throws -> Bool {
    try withStore { store in
      try store.read([]) { try ($0 as? any HistoryReadSession)?.historyBounds() != nil }
    }
  }

  /// The size of the stores that steps fill: each has one of its own and reads the one before, so that two
  /// exist at a time. Those of other types read a copy first, and the last is written as such a store again.
  func sizeOfSteps(_ count: Int) throws -> Int {
    switch stored.form {
    case .sqlite: ["", "-wal"].compactMap { RegularFile.size(path + $0) }.reduce(0, +) * min(count, 2)
    case .document: try (RegularFile.size(readingPath()) ?? 0) * 2 + (RegularFile.size(path) ?? 0)
    // Its tables have indexes, as those of the copy have.
    case .onServer: try withStore { try $0.byteCount() } * 2
    }
  }
}
