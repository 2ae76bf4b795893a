import GraphStoreModel

/// Form of the documents in which the stores of one type are kept: all that the other parts of atomic stores
/// know of a type.
protocol AtomicStoreFormat: Sendable {
  var type: StoreType { get }
  /// Whether the first bytes of a file are those of a text or property list in which such a store may be.
  func recognizes(_ beginning: [UInt8]) -> Bool
  /// Whether the first bytes of a file say that it is such a store.
  func identifies(_ beginning: [UInt8]) -> Bool
  /// The document of what a store holds; of one content always the same bytes.
  ///
  /// - Throws: `external-data-missing` for a value that is in a file which is gone.
  func bytes(of content: AtomicContent) throws -> [UInt8]
  /// The document that some bytes are, of which no object has been read.
  func document(in bytes: [UInt8]) throws(AtomicDocumentFailure) -> any AtomicDocument
}

/// Document of an atomic store, whose objects are read after what it says of itself.
protocol AtomicDocument {
  var metadata: StoreMetadata { get }
  /// Reads all objects and the highest keys.
  func read(into builder: inout AtomicStateBuilder) throws(AtomicDocumentFailure)
}

/// Reason why a document cannot be read.
struct AtomicDocumentFailure: Error {
  enum Kind {
    case damaged
    case notAStore
    /// It was written by a newer version.
    case newerFormat
  }

  var kind = Kind.damaged
  /// What is wrong, as a sentence.
  let message: String
  /// The line and the column, both from 1, where that can be said.
  var place: (line: Int, column: Int)?

  /// The failure in the words of a store.
  func error(at path: String) -> GraphStoreError {
    let place = place.map { ", line \($0.line), column \($0.column)" } ?? ""
    switch kind {
    case .damaged:
      return GraphStoreError(
        .storeCorrupt, "\(path) is damaged\(place). \(message)",
        remedy: "Mend that place, or restore the file from a backup.")
    case .notAStore:
      return GraphStoreError(
        .notAStore, "\(path) is no store. \(message)",
        remedy: "Name a store, or read the file's records with import.")
    case .newerFormat:
      return GraphStoreError(
        .storeOpen, "\(path): \(message)", remedy: "Open it with a newer version of graphstore.")
    }
  }
}
