import Foundation
import GraphStoreModel

/// Store that a plan looks into, as one of type SQLite: the store itself, or of a document a copy in the
/// folder for temporary files, which goes with this.
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

  /// The path from which it is read.
  ///
  /// - Throws: What is wrong with a document; `disk-full`, `store-permission` for the folder for temporary
  ///   files.
  func readingPath() throws -> String {
    guard let format = stored.documentFormat else { return path }
    if let copy { return copy.path }
    let name = ResolvedPath.of(path).split(separator: "/").last ?? "store"
    let place = "\(NSTemporaryDirectory())/\(name)"
    TemporaryStore.removeLeftovers(beside: place)
    let copy = try TemporaryStore(beside: place)
    let options = StoreOptions(
      isReadOnly: true, timeout: timeout, configuration: stored.entities(of: model).configuration)
    let document = try DocumentStore.open(path, options, .model(model), StoreUse(), format)
    defer { document.close() }
    try SQLiteCopy.fill(copy, from: document)
    self.copy = copy
    return copy.path
  }

  /// The size of the stores that steps fill: each has one of its own and reads the one before, so that two
  /// exist at a time. Those of a document read a copy first, and the last is written as a document again.
  func sizeOfSteps(_ count: Int) throws -> Int {
    guard stored.documentFormat != nil else {
      return ["", "-wal"].compactMap { RegularFile.size(path + $0) }.reduce(0, +) * min(count, 2)
    }
    return try (RegularFile.size(readingPath()) ?? 0) * 2 + (RegularFile.size(path) ?? 0)
  }
}
