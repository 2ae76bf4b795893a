import GraphStore

/// A column of a result.
package struct OutputColumn: Sendable {
  /// The key, as text: an attribute's name or a key path.
  package var name: String
  /// The type as people write it: `text`, `int`, `date`.
  package var type: String
  /// On which side a value stands.
  package var alignment: Alignment
  /// Where a value may be cut.
  package var cut: Cut

  /// A column; one of numbers, which stand on the right, is not cut.
  package init(_ name: String, type: String = "text", alignment: Alignment = .left, cut: Cut? = nil) {
    self.name = name
    self.type = type
    self.alignment = alignment
    self.cut = cut ?? (alignment == .right ? .never : .anywhere)
  }
}

extension OutputColumn.Cut {
  init(of type: ExpressionType) {
    switch type {
    case .anything, .dictionary, .string, .entity, .uri, .data, .transformable, .composite: self = .anywhere
    case .boolean, .integer, .double, .float, .decimal, .date, .uuid, .object: self = .never
    case .collection: self = .betweenMembers
    }
  }
}

extension OutputColumn {
  /// The column of values of a type, which decides on alignment and cut; the type is named in the words of
  /// models.
  package init(_ name: String, of type: ExpressionType) {
    self.init(name, type: Self.word(type), alignment: Alignment(of: type), cut: Cut(of: type))
  }

  private static func word(_ type: ExpressionType) -> String {
    switch type {
    case .anything, .dictionary: "any"
    case .boolean: "bool"
    case .integer: "int"
    case .double: "double"
    case .float: "float"
    case .decimal: "decimal"
    case .string, .entity: "text"
    case .date: "date"
    case .uuid: "uuid"
    case .uri: "uri"
    case .data, .transformable: "data"
    case .composite: "composite"
    case .object(let entity): entity?.name ?? "id"
    case .collection(let member, _): "[\(word(member))]"
    }
  }
}
