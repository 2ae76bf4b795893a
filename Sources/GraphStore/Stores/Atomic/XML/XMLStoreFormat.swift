import GraphStoreModel

/// Stores in Core Data's XML document: what the store says of itself, then an element for each object, of one
/// element for each property (STO-066).
///
/// Objects are numbered by one counter of the whole document, and so are the keys of a store of the type: an
/// object's number is its key, unless the key was given elsewhere, and an object of another tree has it too
/// (``XMLStoreNumbers``).
struct XMLStoreFormat: AtomicStoreFormat {
  /// Names of elements.
  enum Element {
    static let database = "database"
    static let info = "databaseInfo"
    static let version = "version"
    static let identifier = "UUID"
    static let nextObject = "nextObjectID"
    static let metadata = "metadata"
    static let object = "object"
    static let attribute = "attribute"
    static let relationship = "relationship"
  }

  /// Names of attributes of elements.
  enum Key {
    static let type = "type"
    static let id = "id"
    static let name = "name"
    static let destination = "destination"
    static let references = "idrefs"
    /// The key, where it is not the number.
    static let key = "key"
    static let encoding = "encoding"
    static let letterCase = "case"
  }

  /// The values of keys that are written only where they are needed.
  enum Word {
    static let base64 = "base64"
    /// The name stands in its own case.
    static let exact = "exact"
  }

  /// Core Data's version of the form.
  static let version: Int64 = 134_481_920
  /// The key of metadata that an XML property list cannot hold as they are, in a binary one.
  static let exactMetadata = "_GSExactMetadata"
  static let documentType = "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">"
  /// The deepest nesting of elements that is read.
  static let maximumDepth = 256

  var type: StoreType { .xml }
  var hasOneCounter: Bool { true }

  func recognizes(_ beginning: [UInt8]) -> Bool { Self.beginsDatabase(beginning) ?? !beginning.isEmpty }

  func identifies(_ beginning: [UInt8]) -> Bool { Self.beginsDatabase(beginning) ?? false }

  /// Whether a text begins as a database in XML does; nil where it is too short to tell.
  private static func beginsDatabase(_ beginning: [UInt8]) -> Bool? {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    var rest = beginning[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    if rest.starts(with: "<?xml".utf8) {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
      rest = rest[(end + 1)...].drop(while: isSpace)
      if rest.isEmpty { return nil }
    }
    return ["<!DOCTYPE database", "<database"].contains { rest.starts(with: $0.utf8) }
  }

  func bytes(of content: AtomicContent) throws -> [UInt8] {
    var writer = XMLStoreWriter(content)
    try writer.write()
    return writer.bytes
  }

  func document(in bytes: [UInt8]) throws(AtomicDocumentFailure) -> any AtomicDocument {
    try XMLStoreDocument(bytes)
  }
}
