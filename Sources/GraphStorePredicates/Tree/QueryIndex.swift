/// What stands in the brackets after a collection.
public indirect enum QueryIndex: Hashable, Sendable {
  /// `[FIRST]`
  case first
  /// `[LAST]`
  case last
  /// `[SIZE]`
  case size
  /// A position from 0 or a dictionary's key.
  case at(QueryExpression)
}
