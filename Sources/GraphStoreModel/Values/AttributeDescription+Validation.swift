import Foundation
import GraphStorePredicates

extension AttributeDescription {
  /// Checks a value against the attribute's constraints, apart from the predicates among
  /// ``PropertyDescription/validations``.
  ///
  /// A missing value breaks nothing but a mandatory attribute. All constraints that are broken are returned, in the order
  /// minimum, maximum, minimum length, maximum length, pattern.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - entity: The object's entity, for the names in messages; the declaring one for nil.
  public func validate(_ value: Value, in entity: EntityDescription? = nil) -> [ValueViolation] {
    let names = ValidationNames(property: self, entity: entity ?? self.entity)
    if value.isNull {
      guard !isOptional else { return [] }
      return [ValueViolation(.missingMandatoryProperty, value: value, message: names.required)]
    }
    if case .dictionary(let members) = value, type == .composite {
      return elements.flatMap { $0.validate(members[$0.name] ?? .null, in: entity) }
    }
    if constraints.isEmpty { return [] }
    return limits(of: value, names) + lengths(of: value, names)
  }

  private func limits(of value: Value, _ names: ValidationNames) -> [ValueViolation] {
    guard constraints.checksNumber else { return [] }
    var violations: [ValueViolation] = []
    let isDate = type == .date
    if let minimum, value.precedes(minimum) {
      let word = isDate ? "before" : "less than"
      violations.append(
        ValueViolation(
          isDate ? .dateTooSoon : .numberTooSmall, value: value,
          message: names.sentence("\(value.shownText) is \(word) the minimum \(minimum.shownText)")))
    }
    if let maximum, maximum.precedes(value) {
      let word = isDate ? "after" : "greater than"
      violations.append(
        ValueViolation(
          isDate ? .dateTooLate : .numberTooLarge, value: value,
          message: names.sentence("\(value.shownText) is \(word) the maximum \(maximum.shownText)")))
    }
    return violations
  }

  private func lengths(of value: Value, _ names: ValidationNames) -> [ValueViolation] {
    guard case .string(let text) = value else { return [] }
    var violations: [ValueViolation] = []
    if constraints.checksLength {
      let length = text.utf16.count
      if let minLength, length < minLength {
        violations.append(
          ValueViolation(
            .stringTooShort, value: value,
            message: names.sentence("\(value.shownText) is shorter than \(counted(minLength, "character"))")))
      }
      if let maxLength, length > maxLength {
        violations.append(
          ValueViolation(
            .stringTooLong, value: value,
            message: names.sentence("\(value.shownText) is longer than \(counted(maxLength, "character"))")))
      }
    }
    if let pattern, !matchesPattern(text) {
      violations.append(
        ValueViolation(
          .stringPatternMatching, value: value,
          message: names.sentence("\(value.shownText) does not match the pattern \(pattern)")))
    }
    return violations
  }
}

extension PropertyDescription {
  /// The violation of a rule of the model that came out false.
  ///
  /// - Parameters:
  ///   - validation: The rule.
  ///   - value: The value that it is false for.
  ///   - entity: The object's entity, for the names in the message; the declaring one for nil.
  public func violation(
    of validation: PropertyValidation, value: Value, in entity: EntityDescription? = nil
  ) -> ValueViolation {
    let names = ValidationNames(property: self, entity: entity ?? self.entity)
    let message =
      validation.message.map { names.entity.model.localizedErrorText($0) } ?? "\(names.name) is not valid"
    return ValueViolation(.custom, value: value, predicate: validation.text, message: message)
  }
}

extension RelationshipDescription {
  /// Checks the number of members: none is a matter of ``requiresMember``, any other number one of the count limits.
  ///
  /// - Parameters:
  ///   - count: The number of members.
  ///   - entity: The object's entity, for the names in messages; the declaring one for nil.
  public func validate(count: Int, in entity: EntityDescription? = nil) -> [ValueViolation] {
    let names = ValidationNames(property: self, entity: entity ?? self.entity)
    func violation(_ code: ValueViolation.Code, _ message: String) -> [ValueViolation] {
      [ValueViolation(code, value: isToMany ? .int(Int64(count)) : .null, message: message)]
    }
    if count == 0 { return requiresMember ? violation(.missingMandatoryProperty, names.required) : [] }
    guard isToMany else { return [] }
    if count < minCount {
      return violation(
        .relationshipLacksMinimumCount,
        names.sentence("\(counted(count, "member")), fewer than the minimum \(minCount)"))
    }
    if maxCount > 0, count > maxCount {
      return violation(
        .relationshipExceedsMaximumCount,
        names.sentence("\(counted(count, "member")), more than the maximum \(maxCount)"))
    }
    return []
  }
}

/// `1 member` or `2 members`.
private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// The localized names that messages use.
private struct ValidationNames {
  let property: PropertyDescription
  let entity: EntityDescription

  var name: String { entity.model.localizedName(of: property, in: entity) }
  var required: String { "\(name) is a required property" }

  func sentence(_ text: String) -> String {
    "\(entity.model.localizedName(of: entity)).\(name): \(text)"
  }
}

extension Value {
  /// The value as messages show it: at most 80 characters, strings in quotes.
  fileprivate var shownText: String {
    switch self {
    case .int(let value): String(value)
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .date(let value): DateText.text(of: value.timeIntervalSinceReferenceDate) ?? "\(value)"
    case .string(let text): text.count > 80 ? "\"\(text.prefix(80))…\"" : "\"\(text)\""
    default: "the value"
    }
  }
}
