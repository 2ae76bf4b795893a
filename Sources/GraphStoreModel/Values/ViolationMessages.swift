import Foundation
import GraphStorePredicates

/// The messages of violations of one property, with the localized names of it and of its entity.
struct ViolationMessages {
  let property: PropertyDescription
  let entity: EntityDescription

  private var name: String { entity.model.localizedName(of: property, in: entity) }

  var required: String { "\(name) is a required property" }

  func broken(_ validation: PropertyValidation) -> String {
    validation.message.map { entity.model.localizedErrorText($0) } ?? "\(name) is not valid"
  }

  // MARK: Values

  var noDate: String { sentence("the value is no date") }
  var noURI: String { sentence("the URI has no text") }

  func below(_ value: Value, minimum: Value) -> String {
    sentence(
      "\(value.shownText) is \(value.isDate ? "before" : "less than") the minimum \(minimum.shownText)")
  }

  func above(_ value: Value, maximum: Value) -> String {
    sentence(
      "\(value.shownText) is \(value.isDate ? "after" : "greater than") the maximum \(maximum.shownText)")
  }

  func tooShort(_ value: Value, minimum: Int) -> String {
    sentence("\(value.shownText) is shorter than \(counted(minimum, "character"))")
  }

  func tooLong(_ value: Value, maximum: Int) -> String {
    sentence("\(value.shownText) is longer than \(counted(maximum, "character"))")
  }

  func notMatching(_ value: Value, pattern: String) -> String {
    sentence("\(value.shownText) does not match the pattern \(pattern)")
  }

  func undecided(_ value: Value, pattern: String) -> String {
    sentence("whether \(value.shownText) matches the pattern \(pattern) takes too many steps to tell")
  }

  // MARK: Members

  func tooFew(_ count: Int, minimum: Int) -> String {
    sentence("\(counted(count, "member")), fewer than the minimum \(minimum)")
  }

  func tooMany(_ count: Int, maximum: Int) -> String {
    sentence("\(counted(count, "member")), more than the maximum \(maximum)")
  }

  // MARK: Parts

  private func sentence(_ text: String) -> String {
    "\(entity.model.localizedName(of: entity)).\(name): \(text)"
  }

  /// `1 member` or `2 members`.
  private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
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

  fileprivate var isDate: Bool { if case .date = self { true } else { false } }
}
