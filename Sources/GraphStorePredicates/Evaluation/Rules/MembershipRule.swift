import Foundation

/// `IN`, and `CONTAINS` with the sides exchanged.
final class MembershipRule: ComparisonRule {
  private let comparer: ValueComparer
  private let isContains: Bool
  /// Marks the members that are constants in a list that is not all constant.
  private let memberIsConstant: [Bool]?
  /// The members of a container that is the same for every object, hashed; nil when they are compared one by
  /// one.
  private let table: MembershipTable?
  private let substring: SubstringTest

  init(
    _ comparer: ValueComparer, isContains: Bool, options: QueryComparison.Options, locale: Locale,
    container: ExpressionNode
  ) {
    let comparer = isContains ? comparer.exchanged : comparer
    self.comparer = comparer
    self.isContains = isContains
    memberIsConstant = container.memberIsConstant
    table =
      comparer.collation == nil && !comparer.leftIsConstant
      ? container.constantOperand.flatMap {
        MembershipTable($0, folding: comparer.folding, areLiterals: comparer.rightIsConstant)
      } : nil
    substring = SubstringTest(.contains, options: options, locale: locale)
  }

  override func truth(_ left: QueryOperand, _ right: QueryOperand, _ pass: EvaluationPass) -> Ternary {
    isContains ? membership(right, left, pass) : membership(left, right, pass)
  }

  private func membership(_ element: QueryOperand, _ container: QueryOperand, _ pass: EvaluationPass)
    -> Ternary
  {
    switch container {
    case .value(.list(let values)):
      if pass.treatsAsMissing(element) {
        let hasMissing = values.contains { pass.treatsAsMissing(.value($0)) }
        return hasMissing ? .yes : pass.isThreeValued && !values.isEmpty ? .unknown : .no
      }
      if let found = table?.contains(element) { return Ternary(found) }
      guard let memberIsConstant, memberIsConstant.count == values.count else {
        return Ternary(values.contains { comparer.areEqual(element, .value($0)) })
      }
      return Ternary(
        zip(values, memberIsConstant).contains { value, isConstant in
          comparer.comparingConstant(isConstant).areEqual(element, .value(value))
        })
    case .collection(let members, _):
      if pass.treatsAsMissing(element) { return Ternary(members.contains { pass.treatsAsMissing($0) }) }
      if let found = table?.contains(element) { return Ternary(found) }
      return Ternary(members.contains { comparer.areEqual(element, $0) })
    case .value(let container):
      if container.isNull || element.isNull { return pass.isThreeValued ? .unknown : .no }
      guard case .value(let part) = element else { return .no }
      return Ternary(substring.matches(container, part))
    case .source:
      return element.isNull && pass.isThreeValued ? .unknown : .no
    }
  }
}

extension EvaluationPass {
  /// Whether an operand counts as missing: nil, in three-valued logic also what is no number.
  fileprivate func treatsAsMissing(_ operand: QueryOperand) -> Bool {
    isThreeValued ? operand.isMissing : operand.isNull
  }
}
