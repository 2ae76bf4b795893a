extension RelationshipDescription {
  /// Checks the number of members: none is a matter of ``requiresMember``, any other number one of the count
  /// limits.
  ///
  /// - Parameters:
  ///   - count: The number of members.
  ///   - entity: The object's entity, for the names in messages; the declaring one for nil.
  public func validate(count: Int, in entity: EntityDescription? = nil) -> [ValueViolation] {
    let messages = ViolationMessages(property: self, entity: entity ?? self.entity)
    func violation(_ code: ValueViolation.Code, _ message: String) -> [ValueViolation] {
      [ValueViolation(code, value: isToMany ? .int(Int64(count)) : .null, message: message)]
    }
    if count == 0 { return requiresMember ? violation(.missingMandatoryProperty, messages.required) : [] }
    guard isToMany else { return [] }
    if count < minCount {
      return violation(
        .relationshipLacksMinimumCount,
        messages.tooFew(count, minimum: minCount))
    }
    if maxCount > 0, count > maxCount {
      return violation(
        .relationshipExceedsMaximumCount,
        messages.tooMany(count, maximum: maxCount))
    }
    return []
  }
}
