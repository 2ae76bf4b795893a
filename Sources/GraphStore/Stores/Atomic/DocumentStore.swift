import Foundation
import GraphStoreModel

/// A store that is in memory as a whole, and in one document: read on opening, and written anew by each
/// commit that changes something.
///
/// It is a store in memory whose state outlives the process: the document is written first, and where that
/// fails the committed state stays what it was.
final class DocumentStore: WholeGraphStore {
  /// What it holds.
  let base: InMemoryStore
  let file: AtomicStoreFile
  let format: any AtomicStoreFormat
  let isReadOnly: Bool

  init(_ base: InMemoryStore, _ file: AtomicStoreFile, _ format: any AtomicStoreFormat, isReadOnly: Bool) {
    (self.base, self.file, self.format, self.isReadOnly) = (base, file, format, isReadOnly)
  }

  var typeName: String { format.type.rawValue }
  var path: String { file.path }
  var isInFile: Bool { true }
  var isMadeByCoreData: Bool { (try? !base.database.snapshot().metadata.isOurs) ?? false }
  var contentState: Data? { file.contentState }

  func sharing() -> any PersistentStore {
    DocumentStore(InMemoryStore(sharing: base), file, format, isReadOnly: isReadOnly)
  }

  func reopened(at path: String) throws -> any PersistentStore {
    throw GraphStoreError(
      .notSupported,
      "\(self.path) cannot be moved to \(path): stores of type \(format.type) are not moved while they are open.",
      remedy: "Remove it from the coordinator, move its file, and add it again.")
  }
}
