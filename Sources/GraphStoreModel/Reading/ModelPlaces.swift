/// Lines and columns of what paths lead to in the text of a model file.
struct ModelPlaces {
  private let root: JSONNode
  private let positions: TextPositions

  init(_ bytes: [UInt8], _ root: JSONNode) {
    self.root = root
    positions = TextPositions(bytes)
  }

  /// The line and the column in characters, both from 1, of a key or of an item in a list.
  ///
  /// A key that is missing has no place; the object it belongs to has.
  func place(of path: ModelPath) -> (line: Int, column: Int) {
    var path = path
    while root.offset(of: path) == nil, !path.components.isEmpty { path.components.removeLast() }
    return positions.position(of: root.offset(of: path) ?? root.offset)
  }
}
