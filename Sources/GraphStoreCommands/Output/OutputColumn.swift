/// A column of a result.
struct OutputColumn: Sendable {
  /// On which side of its column a value stands.
  enum Alignment: Sendable {
    case left
    case right
  }

  /// The key, as text: an attribute's name or a key path.
  var name: String
  /// The type as people write it: `text`, `int`, `date`.
  var type: String
  var alignment: Alignment

  init(_ name: String, type: String = "text", alignment: Alignment = .left) {
    self.name = name
    self.type = type
    self.alignment = alignment
  }
}
