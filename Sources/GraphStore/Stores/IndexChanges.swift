/// What was done to bring the indexes of a store into line with its model.
public struct IndexChanges: Hashable, Sendable {
  /// The names of the indexes that were made.
  public var made: [String]
  /// The names of the indexes that were removed: the model does not have them.
  public var removed: [String]

  /// Whether nothing had to be done.
  public var isEmpty: Bool { made.isEmpty && removed.isEmpty }
}
