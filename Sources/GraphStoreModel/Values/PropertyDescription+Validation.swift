import GraphStorePredicates

extension PropertyDescription {
  /// The violation of a rule of the model that is false.
  ///
  /// - Parameters:
  ///   - validation: The rule.
  ///   - value: The value that it is false for.
  ///   - entity: The object's entity, for the names in the message; the declaring one for nil.
  public func violation(
    of validation: PropertyValidation, value: Value, in entity: EntityDescription? = nil
  ) -> ValueViolation {
    let messages = ViolationMessages(property: self, entity: entity ?? self.entity)
    return ValueViolation(
      .custom, value: value, predicate: validation.text, message: messages.broken(validation))
  }
}
