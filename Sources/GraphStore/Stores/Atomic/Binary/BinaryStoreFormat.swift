import GraphStoreModel

/// Stores in one binary property list of a form of our own (STO-075, STO-076): nothing in it is an archived
/// object.
struct BinaryStoreFormat: AtomicStoreFormat {
  enum Key {
    /// The version of the form; by it a property list is known as a store.
    static let format = "GraphStoreFormat"
    static let writer = "writer"
    static let identifier = "UUID"
    static let metadata = "metadata"
    static let keys = "highestKeys"
    static let objects = "objects"
    static let id = "@id"
    static let version = "@version"
  }

  /// The version of the form that is written, and the newest that is read.
  static let version: Int64 = 1
  private static let beginning = Array("bplist00".utf8)

  var type: StoreType { .binary }

  func recognizes(_ beginning: [UInt8]) -> Bool { beginning.starts(with: Self.beginning) }

  func identifies(_ beginning: [UInt8]) -> Bool { recognizes(beginning) }

  func bytes(of content: AtomicContent) throws -> [UInt8] {
    BinaryPropertyListWriter.bytes(of: try BinaryStoreWriter.node(of: content))
  }

  func document(in bytes: [UInt8]) throws(AtomicDocumentFailure) -> any AtomicDocument {
    try BinaryStoreDocument(bytes)
  }
}
