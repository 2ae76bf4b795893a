import GraphStoreModel

/// What a variable of a predicate stands for.
indirect enum VariableType: Hashable, Sendable {
  /// Any value.
  case anything
  /// A value of an attribute's type.
  case attribute(AttributeType)
  /// An object of an entity.
  case object(EntityDescription)
  /// Several of them.
  case list(VariableType)

  init(_ type: ExpressionType) {
    self =
      switch type {
      case .boolean: .attribute(.boolean)
      case .integer: .attribute(.int64)
      case .double: .attribute(.double)
      case .float: .attribute(.float)
      case .decimal: .attribute(.decimal)
      case .string: .attribute(.string)
      case .date: .attribute(.date)
      case .uuid: .attribute(.uuid)
      case .uri: .attribute(.uri)
      case .data: .attribute(.binary)
      case .object(let entity?): .object(entity)
      case .collection(let member, _): VariableType(member)
      case .anything, .transformable, .composite, .entity, .object(nil), .dictionary: .anything
      }
  }
}
