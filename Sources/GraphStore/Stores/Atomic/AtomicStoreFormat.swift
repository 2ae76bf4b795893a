import GraphStoreModel

/// Form of the documents in which the stores of one type are kept: all that the other parts of atomic stores
/// know of a type.
protocol AtomicStoreFormat: Sendable {
  var type: StoreType { get }
  /// Whether keys are given by one counter for all entity trees, so that no two objects have the same.
  var hasOneCounter: Bool { get }
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

extension AtomicStoreFormat {
  var hasOneCounter: Bool { false }
}

/// Document of an atomic store, whose objects are read after what it says of itself.
protocol AtomicDocument {
  var metadata: StoreMetadata { get }
  /// Reads all objects and the highest keys.
  func read(into builder: inout AtomicStateBuilder) throws(AtomicDocumentFailure)
  /// Where it says something; nil where that cannot be told, as in a document that is no text.
  func place(of subject: AtomicDocumentFailure.Subject, _ layouts: [EntityLayout]) -> (
    line: Int, column: Int
  )?
}

extension AtomicDocument {
  /// A failure with its place, which is looked for where it was not known yet.
  func located(_ failure: AtomicDocumentFailure, _ layouts: [EntityLayout]) -> AtomicDocumentFailure {
    guard failure.place == nil, let subject = failure.subject else { return failure }
    var located = failure
    located.place = place(of: subject, layouts)
    return located
  }
}

/// Reason why a document cannot be read.
struct AtomicDocumentFailure: Error {
  enum Kind {
    case damaged
    case notAStore
    /// It was written by a newer version.
    case newerFormat
  }

  /// What in a document is wrong.
  struct Subject {
    let object: AtomicStateBuilder.Identifier
    /// The name of its property.
    let property: String
  }

  var kind = Kind.damaged
  /// What is wrong, as a sentence.
  let message: String
  /// The line and the column, both from 1, where that can be said.
  var place: (line: Int, column: Int)?
  /// What is wrong, where that showed only once all was read.
  var subject: Subject?

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
        .storeOpen, "\(path): \(message)", remedy: "Open it with a newer version of graphstore.",
        underlying: NewerStoreFormat())
    }
  }
}
