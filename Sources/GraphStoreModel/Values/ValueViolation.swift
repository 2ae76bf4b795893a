import GraphStorePredicates

/// A constraint of the model that a value breaks.
///
/// ```swift
/// if let salary = try model.entity(named: "Employee").attribute(named: "salary") {
///   for violation in salary.validate(.decimal(-1)) {
///     print(violation.message)  // Employee.salary: -1 is less than the minimum 0
///   }
/// }
/// ```
public struct ValueViolation: Hashable, Sendable {
  /// The well-known numbers of constraints.
  public enum Code: Int, CaseIterable, Hashable, Sendable {
    /// A rule of the model is false.
    case custom = 1550
    /// A mandatory property has no value.
    case missingMandatoryProperty = 1570
    /// A to-many relationship has too few members.
    case relationshipLacksMinimumCount = 1580
    /// A to-many relationship has too many members.
    case relationshipExceedsMaximumCount = 1590
    /// A number is too large.
    case numberTooLarge = 1610
    /// A number is too small.
    case numberTooSmall = 1620
    /// A date is too late.
    case dateTooLate = 1630
    /// A date is too soon.
    case dateTooSoon = 1640
    /// A date is not a date.
    case invalidDate = 1650
    /// A string is too long.
    case stringTooLong = 1660
    /// A string is too short.
    case stringTooShort = 1670
    /// A string does not match its pattern.
    case stringPatternMatching = 1680
    /// A URI has no text.
    case invalidURI = 1690
    /// Whether a string matches its pattern takes too many steps to decide.
    case patternLimit = 136035
  }

  /// The constraint that is violated.
  public let code: Code
  /// The value.
  public let value: Value
  /// The rule's predicate, for a rule of the model.
  public let predicate: String?
  /// The message, as a sentence with the localized names.
  public let message: String

  /// Makes a violation.
  public init(_ code: Code, value: Value, predicate: String? = nil, message: String) {
    self.code = code
    self.value = value
    self.predicate = predicate
    self.message = message
  }
}
