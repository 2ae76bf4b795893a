/// Lines and columns of what paths lead to in the text of a model file.
struct ModelPlaces {
  /// An object with more members than this is looked at once, and its keys are remembered.
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
  /// A key that is missing has no place; the object it belongs to has.
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
