/// A prepared predicate.
class PredicateNode {
  /// The truth value for the object of a pass.
  func truth(_ pass: EvaluationPass) throws -> Ternary { .unknown }

  /// The truth value for an object that is not in the pass; nodes that need it there put it there.
  func truth(of source: any PropertySource, _ pass: EvaluationPass) throws -> Ternary {
    pass.object = .source(source)
    return try truth(pass)
  }
}

/// TRUEPREDICATE or FALSEPREDICATE.
final class ConstantPredicateNode: PredicateNode {
  private let value: Ternary

  init(_ value: Bool) {
    self.value = Ternary(value)
  }

  override func truth(_ pass: EvaluationPass) -> Ternary { value }

  override func truth(of source: any PropertySource, _ pass: EvaluationPass) -> Ternary { value }
}

/// NOT.
final class NotNode: PredicateNode {
  private let operand: PredicateNode

  init(_ operand: PredicateNode) {
    self.operand = operand
  }

  override func truth(_ pass: EvaluationPass) throws -> Ternary {
    try !operand.truth(pass)
  }

  override func truth(of source: any PropertySource, _ pass: EvaluationPass) throws -> Ternary {
    try !operand.truth(of: source, pass)
  }
}

/// AND or OR: stops at the first member that decides.
final class ConnectiveNode: PredicateNode {
  private let members: [PredicateNode]
  private let deciding: Ternary
  private let neutral: Ternary

  init(_ members: [PredicateNode], isAnd: Bool) {
    self.members = members
    deciding = isAnd ? .no : .yes
    neutral = isAnd ? .yes : .no
  }

  override func truth(_ pass: EvaluationPass) throws -> Ternary {
    var result = neutral
    for member in members {
      let truth = try member.truth(pass)
      if truth == deciding { return deciding }
      if truth == .unknown { result = .unknown }
    }
    return result
  }

  override func truth(of source: any PropertySource, _ pass: EvaluationPass) throws -> Ternary {
    var result = neutral
    for member in members {
      let truth = try member.truth(of: source, pass)
      if truth == deciding { return deciding }
      if truth == .unknown { result = .unknown }
    }
    return result
  }
}

/// A closure.
final class BlockPredicateNode: PredicateNode {
  private let block: PredicateBlock

  init(_ block: PredicateBlock) {
    self.block = block
  }

  override func truth(_ pass: EvaluationPass) throws -> Ternary {
    Ternary(try block(pass.object, pass.variables))
  }
}
