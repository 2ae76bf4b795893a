/// Source text of a model or mapping file, for parsing and for positions in syntax errors.
struct ModelSource: Sendable {
  let bytes: [UInt8]
  let file: String?
  /// The kind of text expected, in words.
  let kind: String

  init(_ bytes: [UInt8], file: String?, kind: String = "a model file") {
    self.bytes = bytes
    self.file = file
    self.kind = kind
  }

  func parse() throws(ModelError) -> JSONNode {
    if let offset = firstInvalidByte {
      if bytes.starts(with: "SQLite format 3".utf8) {
        throw syntaxError(
          "This is a store, not \(kind).", at: 0,
          remedy: "Take the model out of it.")
      }
      throw syntaxError("The text is not UTF-8.", at: offset)
    }
    do {
      return try JSONParser.parse(bytes)
    } catch {
      throw syntaxError(error.message, at: error.offset)
    }
  }

  private func syntaxError(_ message: String, at offset: Int, remedy: String? = nil) -> ModelError {
    let place = TextPositions(bytes).position(of: offset)
    return ModelError(
      [
        ModelProblem(
          .syntax, at: ModelPath(), message: message, remedy: remedy, line: place.line, column: place.column)
      ], file: file)
  }

  /// The offset of the first byte that is not UTF-8.
  var firstInvalidByte: Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error, .emptyInput: return offset
      }
    }
  }
}

/// Source map of a model file: the lines and columns that paths lead to.
struct SourcePositions {
  /// An object with more members than this is searched once, and its keys are remembered.
  private static let fewMembers = 16

  private let root: JSONNode
  private let positions: TextPositions
  /// The positions of members by key, for objects with many of them, by the offsets of the objects.
  private var members: [Int: [String: Int]] = [:]

  init(_ bytes: [UInt8], _ root: JSONNode) {
    self.root = root
    positions = TextPositions(bytes)
  }

  /// The line and the column in characters, both from 1, of a key or of an item in a list.
  ///
  /// A key that is missing has no position; the object it belongs to has.
  mutating func place(of path: ModelPath) -> (line: Int, column: Int) {
    positions.position(of: offset(of: path))
  }

  /// The offset of the last part of a path that is there: of the key for a member of an object.
  private mutating func offset(of path: ModelPath) -> Int {
    var node = root
    var offset = root.offset
    for component in path.components {
      switch (component, node.content) {
      case (.key(let key), .object(let list)):
        guard let member = member(key, of: list, at: node.offset) else { return offset }
        offset = member.keyOffset
        node = member.value
      case (.index(let index), .array(let items)):
        guard items.indices.contains(index) else { return offset }
        node = items[index]
        offset = node.offset
      default: return offset
      }
    }
    return offset
  }

  /// The last member of a key.
  private mutating func member(
    _ key: String, of list: [JSONNode.Member], at offset: Int
  ) -> JSONNode.Member? {
    guard list.count > Self.fewMembers else { return list.last { $0.key == key } }
    if members[offset] == nil {
      members[offset] = Dictionary(
        list.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { _, last in last })
    }
    return members[offset]?[key].map { list[$0] }
  }
}
