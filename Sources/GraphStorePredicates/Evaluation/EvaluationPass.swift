/// What the nodes of a prepared predicate share while one object is tested.
final class EvaluationPass {
  var options: EvaluationOptions
  let isThreeValued: Bool
  let variables: [String: Operand]
  var object: Operand = .null
  /// The members bound by the sub-queries around the current node, outermost first.
  var slots: [Operand]

  init(options: EvaluationOptions, variables: [String: Operand], slotCount: Int) {
    self.options = options
    isThreeValued = options.logic == .threeValued
    self.variables = variables
    slots = Array(repeating: .null, count: slotCount)
  }
}
