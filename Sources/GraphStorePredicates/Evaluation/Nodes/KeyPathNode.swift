/// One key of the object under test, the commonest expression.
final class KeyNode: ExpressionNode {
  private let key: PropertyKey
  private let range: SourceRange?

  init(_ key: String, range: SourceRange?) {
    self.key = PropertyKey(key)
    self.range = range
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    return try KeyWalk.operand(of: pass.object, key, range)
  }
}

/// A chain of keys and collection operators.
final class KeyPathNode: ExpressionNode {
  enum Step {
    case key(PropertyKey)
    case entityName(PropertyKey, PropertyKey)
    case collectionOperator(CollectionOperatorStep)
  }

  private let base: ExpressionNode?
  private let steps: [Step]
  private let range: SourceRange?

  init(base: ExpressionNode?, steps: [Step], range: SourceRange?) {
    self.base = base
    self.steps = steps
    self.range = range
  }

  /// The names of the steps, where all of them are keys.
  var keys: [String]? {
    var names: [String] = []
    for step in steps {
      guard case .key(let key) = step else { return nil }
      names.append(key.name)
    }
    return names
  }

  /// The value that the path starts from.
  func start(_ pass: EvaluationPass) throws -> QueryOperand { try base?.operand(pass) ?? pass.object }

  override func becomeResult() {
    if case .collectionOperator(let step)? = steps.last { step.isResult = true }
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    var current = try start(pass)
    var index = 0
    while index < steps.count {
      switch steps[index] {
      case .key(let key):
        if index + 1 < steps.count, case .collectionOperator(let step) = steps[index + 1],
          step.isCount, case .source(let source) = current, let count = try source._count(forKey: key)
        {
          return .value(.int(Int64(count)))
        }
        current = try KeyWalk.operand(of: current, key, range)
      case .entityName(let entity, let name):
        current = try KeyWalk.entityName(of: current, entityKey: entity, nameKey: name, range: range)
      case .collectionOperator(let step):
        return try step.apply(to: current, range)
      }
      index += 1
    }
    return current
  }
}
