import Foundation
import GraphStorePredicates

extension AttributeDescription {
  /// Checks a value against the attribute's constraints, apart from the predicates among
  /// ``PropertyDescription/validations``.
  ///
  /// A missing value breaks nothing but a mandatory attribute. All constraints that are broken are returned,
  /// in the order minimum, maximum, minimum length, maximum length, pattern.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - entity: The object's entity, for the names in messages; the declaring one for nil.
  public func validate(_ value: Value, in entity: EntityDescription? = nil) -> [ValueViolation] {
    let messages = ViolationMessages(property: self, entity: entity ?? self.entity)
    if value.isNull {
      guard !isOptional else { return [] }
      return [ValueViolation(.missingMandatoryProperty, value: value, message: messages.required)]
    }
    if case .dictionary(let members) = value, type == .composite {
      return elements.flatMap { $0.validate(members[$0.name] ?? .null, in: entity) }
    }
    return forms(of: value, messages) + limits(of: value, messages) + lengths(of: value, messages)
  }

  /// Violations of the type itself, independent of limits.
  private func forms(of value: Value, _ messages: ViolationMessages) -> [ValueViolation] {
    switch value {
    case .date(let date) where type == .date && !date.timeIntervalSinceReferenceDate.isFinite:
      [ValueViolation(.invalidDate, value: value, message: messages.noDate)]
    case .uri(let uri) where type == .uri && uri.absoluteString.isEmpty:
      [ValueViolation(.invalidURI, value: value, message: messages.noURI)]
    case .string("") where type == .uri:
      [ValueViolation(.invalidURI, value: value, message: messages.noURI)]
    default: []
    }
  }

  private func limits(of value: Value, _ messages: ViolationMessages) -> [ValueViolation] {
    guard constraints.checksNumber else { return [] }
    var violations: [ValueViolation] = []
    let isDate = type == .date
    if let minimum, value.precedes(minimum) {
      violations.append(
        ValueViolation(
          isDate ? .dateTooSoon : .numberTooSmall, value: value,
          message: messages.below(value, minimum: minimum)))
    }
    if let maximum, maximum.precedes(value) {
      violations.append(
        ValueViolation(
          isDate ? .dateTooLate : .numberTooLarge, value: value,
          message: messages.above(value, maximum: maximum)))
    }
    return violations
  }

  private func lengths(of value: Value, _ messages: ViolationMessages) -> [ValueViolation] {
    guard case .string(let text) = value else { return [] }
    var violations: [ValueViolation] = []
    if constraints.checksLength {
      let length = text.utf16.count
      if let minLength, length < minLength {
        violations.append(
          ValueViolation(
            .stringTooShort, value: value,
            message: messages.tooShort(value, minimum: minLength)))
      }
      if let maxLength, length > maxLength {
        violations.append(
          ValueViolation(
            .stringTooLong, value: value,
            message: messages.tooLong(value, maximum: maxLength)))
      }
    }
    return violations + patternViolations(of: text, messages)
  }

  private func patternViolations(of text: String, _ messages: ViolationMessages) -> [ValueViolation] {
    guard let pattern else { return [] }
    let value = Value.string(text)
    switch matchesPattern(text) {
    case true?: return []
    case false?:
      return [
        ValueViolation(
          .stringPatternMatching, value: value, message: messages.notMatching(value, pattern: pattern))
      ]
    case nil:
      return [
        ValueViolation(.patternLimit, value: value, message: messages.undecided(value, pattern: pattern))
      ]
    }
  }
}
