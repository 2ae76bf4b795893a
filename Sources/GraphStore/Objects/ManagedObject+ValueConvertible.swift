import GraphStorePredicates

extension ManagedObject: ValueConvertible {
  /// The object's identifier.
  public final var queryValue: Value { .object(ObjectReference(objectID)) }
}

extension ManagedObjectID: ValueConvertible {
  /// The identifier as a value.
  public var queryValue: Value { .object(ObjectReference(self)) }
}
