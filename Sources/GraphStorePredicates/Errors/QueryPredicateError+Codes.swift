extension QueryPredicateError.Code {
  /// The text does not follow the grammar.
  public static let syntax = Self(rawValue: "predicate-syntax")
  /// The grammar knows the form, but it has no meaning here.
  public static let unsupportedSyntax = Self(rawValue: "unsupported-syntax")
  /// The tree nests deeper than 500 levels.
  public static let tooDeep = Self(rawValue: "predicate-too-deep")
  /// A format, or a function, has too few or too many arguments.
  public static let argumentCount = Self(rawValue: "argument-count")
  /// An argument has a type that cannot stand there.
  public static let argumentType = Self(rawValue: "argument-type")
  /// A variable has no value.
  public static let unboundVariable = Self(rawValue: "unbound-variable")
  /// An object has no such key.
  public static let unknownKey = Self(rawValue: "unknown-key")
  /// There is no function or collection operator of that name.
  public static let unknownFunction = Self(rawValue: "unknown-function")
  /// There is no type of that name to cast to.
  public static let unknownType = Self(rawValue: "unknown-type")
  /// A constant cannot be cast to the type.
  public static let badCast = Self(rawValue: "bad-cast")
  /// A known function or operator has no meaning here.
  public static let unsupportedFunction = Self(rawValue: "unsupported-function")
  /// The types of the sides do not compare.
  public static let typeMismatch = Self(rawValue: "type-mismatch")
  /// A collection stands where one value is wanted, or the reverse.
  public static let toManyPath = Self(rawValue: "to-many-path")
  /// A key path is incomplete.
  public static let invalidKeyPath = Self(rawValue: "invalid-key-path")
  /// A position is asked of a collection without order.
  public static let unorderedCollection = Self(rawValue: "unordered-collection")
  /// An aggregate function stands over a key that is no collection.
  public static let aggregateOverScalar = Self(rawValue: "aggregate-over-scalar")
  /// A property that is not stored stands in a fetch.
  public static let transientInFetch = Self(rawValue: "transient-in-fetch")
  /// The form works in memory only.
  public static let unsupportedInFetch = Self(rawValue: "unsupported-in-fetch")
  /// The store cannot run the form.
  public static let unsupportedInStore = Self(rawValue: "unsupported-in-store")
  /// The form needs a part of the library that is not built.
  public static let notSupported = Self(rawValue: "not-supported")
  /// The sort key or comparator cannot be used.
  public static let unsupportedSort = Self(rawValue: "unsupported-sort")
  /// A regular expression does not compile.
  public static let badRegularExpression = Self(rawValue: "bad-regular-expression")
  /// A sum of integers exceeds 64 bits.
  public static let arithmeticOverflow = Self(rawValue: "arithmetic-overflow")
}
