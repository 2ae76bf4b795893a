/// What the nodes of a prepared predicate share while one object is tested.
final class EvaluationPass {
  var options: EvaluationOptions
  let isThreeValued: Bool
  let variables: [String: QueryOperand]
  var object: QueryOperand = .null
  /// The members bound by the sub-queries around the current node, outermost first.
  var slots: [QueryOperand]

  init(options: EvaluationOptions, variables: [String: QueryOperand], slotCount: Int) {
    self.options = options
    isThreeValued = options.logic == .threeValued
    self.variables = variables
    slots = Array(repeating: .null, count: slotCount)
  }
}
