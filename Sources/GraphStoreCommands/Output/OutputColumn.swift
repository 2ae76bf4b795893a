/// A column of a result.
struct OutputColumn: Sendable {
  /// On which side of its column a value stands.
  enum Alignment: Sendable {
    case left
    case right
  }

  /// Where a value may be cut that is too wide to be shown.
  enum Cut: Sendable {
    /// Nowhere: a part of a number, a date or an id would be taken for another one.
    case never
    case anywhere
    /// Behind a member of a list.
    case betweenMembers
  }

  /// The key, as text: an attribute's name or a key path.
  var name: String
  /// The type as people write it: `text`, `int`, `date`.
  var type: String
  var alignment: Alignment
  var cut: Cut

  /// A column; one of numbers, which stand on the right, is not cut.
  init(_ name: String, type: String = "text", alignment: Alignment = .left, cut: Cut? = nil) {
    self.name = name
    self.type = type
    self.alignment = alignment
    self.cut = cut ?? (alignment == .right ? .never : .anywhere)
  }
}
