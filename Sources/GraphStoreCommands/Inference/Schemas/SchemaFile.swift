import GraphStore
import GraphStoreModel
import GraphStoreReports

/// File of JSON that describes records: a JSON schema, with the schemas that it defines.
struct SchemaFile {
  let path: String
  let root: JSONNode
  private let bytes: [UInt8]

  /// Larger files are records.
  static let sizeLimit = 64 << 20

  init(path: String, bytes: [UInt8], root: JSONNode) {
    (self.path, self.bytes, self.root) = (path, bytes, root)
  }

  /// Whether a text of JSON describes records, and is none.
  static func isSchema(_ root: JSONNode) -> Bool {
    guard let members = root.members else { return false }
    if case .string(let uri)? = root["$schema"]?.content, uri.contains("json-schema") { return true }
    if root["properties"]?.members != nil,
      members.allSatisfy({
        SchemaFile.keywords.contains($0.key) || $0.key.hasPrefix("$") || $0.key.hasPrefix("x-")
      })
    {
      return true
    }
    if !definitions(of: root).isEmpty { return true }
    return !members.isEmpty && members.allSatisfy { $0.value["properties"]?.members != nil }
  }

  private static let keywords: Set<String> = [
    "title", "type", "properties", "required", "description", "additionalProperties", "definitions", "allOf",
    "id",
    "examples", "default", "name", "extends", "patternProperties", "minProperties", "maxProperties",
    "comment",
    "anyOf", "oneOf", "dependencies", "version",
  ]

  /// The schemas that a schema defines, by their names.
  private static func definitions(of root: JSONNode) -> [JSONNode.Member] {
    let places = [root["$defs"], root["definitions"], root["components"]?["schemas"]]
    return places.compactMap { $0?.members }.flatMap { $0 }.filter { $0.value.members != nil }
  }

  /// All schemas of the file with their names, that of the file first.
  var schemas: [(name: String, schema: JSONNode)] {
    var schemas: [(name: String, schema: JSONNode)] = []
    if root["properties"]?.members != nil || root["allOf"] != nil {
      let title = root["title"]?.text ?? root["name"]?.text
      schemas.append((title ?? EntityNames.name(ofFile: path), root))
    }
    schemas += Self.definitions(of: root).map { ($0.key, $0.value) }
    if schemas.isEmpty {
      schemas = (root.members ?? []).filter { $0.value["properties"]?.members != nil }.map {
        ($0.key, $0.value)
      }
    }
    return schemas
  }

  /// An error at a place of the file.
  func failure(_ message: String, at node: JSONNode, hint: String) -> Diagnostic {
    let place = unsafe bytes.withUnsafeBufferPointer { unsafe TextPosition(of: node.offset, in: $0) }
    return Diagnostic(
      code: "schema-invalid", message: message,
      location: Diagnostic.Location(file: path, line: place.line, column: place.column), hints: [hint],
      exitCode: .dataError)
  }
}

extension JSONNode {
  /// The members of an object; nil of what is none.
  var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The elements of a list; nil of what is none.
  var items: [JSONNode]? {
    if case .array(let items) = content { items } else { nil }
  }

  /// The text of a string; nil of what is none.
  var text: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The value of a key; nil where there is none.
  subscript(key: String) -> JSONNode? { members?.last { $0.key == key }?.value }
}
