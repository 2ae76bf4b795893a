import GraphStore

extension OutputColumn {
  /// On which side of its column a value stands.
  package enum Alignment: Sendable {
    case left
    case right
  }
}

extension OutputColumn.Alignment {
  /// Numbers stand on the right, so that their digits are in line; everything else on the left.
  init(of type: ExpressionType) { self = type.isNumber && type != .boolean ? .right : .left }
}
