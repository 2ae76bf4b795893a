extension ModelProblem.Code {
  /// There is no mapping file.
  public static let mappingNotFound = Self("mapping-not-found")
  /// The mapping file is there and cannot be read.
  public static let mappingUnreadable = Self("mapping-unreadable")
  /// The text is not JSON, or not of the form that mappings have.
  public static let mappingSyntax = Self("mapping-syntax")
  /// A key occurs twice in one object of a mapping.
  public static let mappingDuplicateKey = Self("mapping-duplicate-key")
  /// A key that mappings do not have.
  public static let mappingUnknownKey = Self("mapping-unknown-key")
  /// A required key is missing.
  public static let mappingMissingKey = Self("mapping-missing-key")
  /// A value of another JSON type than asked for.
  public static let mappingWrongType = Self("mapping-wrong-type")
  /// A name that occurs twice, or a pair of entities that two mappings of one step map.
  public static let mappingDuplicateName = Self("mapping-duplicate-name")
  /// A version that the directory of the mapping does not have, or hashes of another one.
  public static let mappingBadVersion = Self("mapping-bad-version")
  /// A name that no entity of the model has.
  public static let mappingUnknownEntity = Self("mapping-unknown-entity")
  /// A name that no property of the entity has.
  public static let mappingUnknownProperty = Self("mapping-unknown-property")
  /// A name that no entity mapping has.
  public static let mappingUnknownMapping = Self("mapping-unknown-mapping")
  /// A value that is not allowed at its position.
  public static let mappingBadValue = Self("mapping-bad-value")
  /// A key that has no meaning at its position.
  public static let mappingNotApplicable = Self("mapping-not-applicable")
  /// A part that the mapping leaves out and that cannot be inferred.
  public static let mappingIncomplete = Self("mapping-incomplete")
  /// An expression or predicate with a mistake.
  public static let mappingBadExpression = Self("mapping-bad-expression")

  /// The codes of all errors of mappings, in the order in which these are read and checked.
  public static let mappingErrors: [Self] = [
    .mappingNotFound, .mappingUnreadable, .mappingSyntax, .mappingDuplicateKey, .mappingUnknownKey,
    .mappingMissingKey, .mappingWrongType, .mappingDuplicateName, .mappingBadVersion, .mappingUnknownEntity,
    .mappingUnknownProperty, .mappingUnknownMapping, .mappingBadValue, .mappingNotApplicable,
    .mappingBadExpression, .mappingIncomplete,
  ]
}
