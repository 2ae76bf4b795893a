/// A comparison of two expressions, the leaf of a predicate.
///
/// ```swift
/// let comparison = QueryComparison(
///   left: .key("name"), comparator: .beginsWith, options: .caseInsensitive, right: .constant("a"))
/// print(QueryPredicate.comparison(comparison))  // name BEGINSWITH[c] "a"
/// ```
public struct QueryComparison: Hashable, Sendable {
  /// Quantifier over the members of the left side for which the comparison must hold.
  public enum Modifier: String, Hashable, Sendable {
    /// The left side as it is.
    case direct = ""
    /// At least one member of the left collection.
    case any = "ANY"
    /// Every member of the left collection.
    case all = "ALL"
  }

  /// Operator that compares the sides; the raw value is the printed operator.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    /// `==`
    case equal = "=="
    /// `!=`
    case notEqual = "!="
    /// `<`
    case less = "<"
    /// `<=`
    case lessOrEqual = "<="
    /// `>`
    case greater = ">"
    /// `>=`
    case greaterOrEqual = ">="
    /// `BETWEEN`, both bounds included.
    case between = "BETWEEN"
    /// `IN`: the left side is a member or part of the right.
    case `in` = "IN"
    /// `CONTAINS`: the right side is a member or part of the left.
    case contains = "CONTAINS"
    /// `BEGINSWITH`
    case beginsWith = "BEGINSWITH"
    /// `ENDSWITH`
    case endsWith = "ENDSWITH"
    /// `LIKE`, with `?` and `*`.
    case like = "LIKE"
    /// `MATCHES`, a regular expression for the whole string.
    case matches = "MATCHES"
    /// `UTI-CONFORMS-TO`, which parses and prints but cannot be evaluated.
    case typeConformsTo = "UTI-CONFORMS-TO"
    /// `UTI-EQUALS`, which parses and prints but cannot be evaluated.
    case typeEquals = "UTI-EQUALS"
  }

  /// Options of comparing text.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes options from their bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// `[c]`: without regard to case.
    ///
    /// A search with `[c]` or `[d]` reads every text. Where many are searched, and often, keep a normalised
    /// copy of the text with an index, and search that with `[n]`. Which texts count as equal is a choice of
    /// each application.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`: without regard to diacritics.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `[n]`: the text is already in the form wanted; overrides the other options.
    public static let normalized = Options(rawValue: 4)
    /// `[l]`: by the rules of the locale.
    public static let localized = Options(rawValue: 8)
  }

  /// The expression on the left.
  public let left: QueryExpression
  /// The quantifier over the members of the left side.
  public let modifier: Modifier
  /// The operator.
  public let comparator: Operator
  /// The text options.
  public let options: Options
  /// The expression on the right.
  public let right: QueryExpression
  /// The range of the operator in the text, when there was one.
  public let operatorRange: SourceRange?

  /// Makes a comparison. `[n]` drops every other option, since it overrides them.
  public init(
    left: QueryExpression, modifier: Modifier = .direct, comparator: Operator, options: Options = [],
    right: QueryExpression, operatorRange: SourceRange? = nil
  ) {
    self.left = left
    self.modifier = modifier
    self.comparator = comparator
    self.options = options.contains(.normalized) ? .normalized : options
    self.right = right
    self.operatorRange = operatorRange
  }

  /// Whether both are equal, as the type says.
  public static func == (left: QueryComparison, right: QueryComparison) -> Bool {
    left.comparator == right.comparator && left.modifier == right.modifier
      && left.options == right.options && left.left == right.left && left.right == right.right
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(comparator)
    hasher.combine(modifier)
    hasher.combine(options)
    hasher.combine(left)
    hasher.combine(right)
  }
}
