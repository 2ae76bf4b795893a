/// One key of an order: a key path, a direction and a comparator.
public struct QuerySortDescriptor: Hashable, Sendable {
  /// How two values of the key are compared; the raw value is the name in text.
  public enum Comparator: String, Hashable, Sendable, CaseIterable {
    /// Strings by their UTF-8 bytes, everything else as `<` does.
    case compare
    /// Strings by the bytes of their `[c]` keys.
    case caseInsensitive
    /// By the locale's collation, with all differences.
    case localized
    /// By the locale's collation, without case.
    case localizedCaseInsensitive
    /// As file browsers do, with runs of digits by value.
    case localizedStandard
  }

  /// What is compared.
  public let keyPath: QueryKeyPath
  /// Whether small values come first.
  public let ascending: Bool
  /// How strings are compared.
  public let comparator: Comparator
  /// Where the descriptor stood in its text, when there was one.
  public let sourceRange: SourceRange?

  /// Makes a descriptor of a key path.
  public init(
    keyPath: QueryKeyPath, ascending: Bool = true, comparator: Comparator = .compare,
    sourceRange: SourceRange? = nil
  ) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.comparator = comparator
    self.sourceRange = sourceRange
  }

  /// The same order the other way round.
  public var reversed: QuerySortDescriptor {
    QuerySortDescriptor(keyPath: keyPath, ascending: !ascending, comparator: comparator)
  }
}
