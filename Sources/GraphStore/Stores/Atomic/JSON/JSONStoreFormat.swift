import GraphStoreModel

/// Stores in one JSON text: what the store says of itself, then one object a line (STO-077).
///
/// The text may be edited, and come in any order of keys; what is written has one form.
struct JSONStoreFormat: AtomicStoreFormat {
  /// The keys of the text, in the order in which they are written.
  enum Key {
    /// The version of the form; the first key, by which a JSON text is known as a store.
    static let format = "graphstore"
    static let writer = "writer"
    static let identifier = "uuid"
    static let metadata = "metadata"
    static let model = "model"
    static let keys = "highestKeys"
    static let objects = "objects"
    static let header = [format, identifier, metadata, model, keys]
    static let all = header + [writer, objects]
    /// No property has such a name.
    static let id = "@id"
    static let version = "@version"
  }

  /// The version of the form that is written, and the newest that is read.
  static let version = 1

  var type: StoreType { .json }

  func recognizes(_ beginning: [UInt8]) -> Bool { Self.text(beginning).first == UInt8(ascii: "{") }

  func identifies(_ beginning: [UInt8]) -> Bool {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard recognizes(beginning) else { return false }
    return Self.text(beginning).dropFirst().drop(while: isSpace).starts(with: "\"\(Key.format)\"".utf8)
  }

  /// A text without the byte order mark that some editors put before it.
  private static func text(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  func bytes(of content: AtomicContent) throws -> [UInt8] {
    var writer = JSONStoreWriter()
    try writer.write(content)
    return writer.bytes
  }

  func document(in bytes: [UInt8]) throws(AtomicDocumentFailure) -> any AtomicDocument {
    try JSONStoreDocument(bytes)
  }
}
