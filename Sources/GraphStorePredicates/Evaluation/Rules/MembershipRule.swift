import Foundation

/// `IN`, and `CONTAINS` with the sides exchanged.
final class MembershipRule: ComparisonRule {
  private let comparer: ValueComparer
  private let isContains: Bool
  /// The members of a constant list, hashed; nil when they have to be compared one by one.
  private let table: MembershipTable?
  private let substring: SubstringTest

  init(
    _ comparer: ValueComparer, isContains: Bool, options: QueryComparison.Options, locale: Locale,
    constantList: [Value]?
  ) {
    self.comparer = isContains ? comparer.exchanged : comparer
    self.isContains = isContains
    table =
      comparer.collation == nil
      ? constantList.flatMap { MembershipTable($0, folding: comparer.folding) } : nil
    substring = SubstringTest(.contains, options: options, locale: locale)
  }

  override func truth(_ left: Operand, _ right: Operand, _ pass: EvaluationPass) -> Ternary {
    isContains ? membership(right, left, pass) : membership(left, right, pass)
  }

  private func membership(_ element: Operand, _ container: Operand, _ pass: EvaluationPass) -> Ternary {
    switch container {
    case .value(.list(let values)):
      if element.isMissing { return missing(pass, values.contains(where: \.isNull), values.isEmpty) }
      if let table, case .value(let value) = element, let found = table.contains(value) {
        return Ternary(found)
      }
      return Ternary(values.contains { comparer.areEqual(element, .value($0)) })
    case .collection(let members, _):
      if element.isMissing { return Ternary(members.contains(where: \.isNull)) }
      return Ternary(members.contains { comparer.areEqual(element, $0) })
    case .value(let container):
      if container.isNull || element.isNull { return pass.isThreeValued ? .unknown : .no }
      guard case .value(let part) = element else { return .no }
      return Ternary(substring.matches(container, part))
    case .source:
      return element.isNull && pass.isThreeValued ? .unknown : .no
    }
  }

  private func missing(_ pass: EvaluationPass, _ hasNull: Bool, _ isEmpty: Bool) -> Ternary {
    if hasNull { return .yes }
    return pass.isThreeValued && !isEmpty ? .unknown : .no
  }
}
