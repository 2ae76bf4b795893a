import GraphStorePredicates

extension EntityDescription: ValueConvertible {
  /// The entity's name, with which `entity` is compared.
  public var queryValue: Value { .string(name) }
}
