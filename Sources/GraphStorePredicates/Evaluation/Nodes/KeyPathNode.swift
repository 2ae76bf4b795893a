/// One key of the object under test, the commonest expression.
final class KeyNode: ExpressionNode {
  private let key: PropertyKey
  private let range: SourceRange?

  init(_ key: String, range: SourceRange?) {
    self.key = PropertyKey(key)
    self.range = range
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    if case .source(let source) = pass.object, key.name != "self" { return try source.operand(forKey: key) }
    return try KeyWalk.operand(of: pass.object, key, range)
  }
}

/// A chain of keys and collection operators.
final class KeyPathNode: ExpressionNode {
  enum Step {
    case key(PropertyKey)
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

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    var current = try base?.operand(pass) ?? pass.object
    var index = 0
    while index < steps.count {
      switch steps[index] {
      case .key(let key):
        if index + 1 < steps.count, case .collectionOperator(let step) = steps[index + 1],
          step.isCount, case .source(let source) = current, let count = try source.count(forKey: key)
        {
          return .value(.int(Int64(count)))
        }
        current = try KeyWalk.operand(of: current, key, range)
      case .collectionOperator(let step):
        return try step.apply(to: current, range)
      }
      index += 1
    }
    return current
  }
}

/// Reading of one key from whatever an expression yields.
enum KeyWalk {
  static func operand(of operand: Operand, _ key: PropertyKey, _ range: SourceRange?) throws -> Operand {
    if key.name == "self" { return operand }
    switch operand {
    case .source(let source):
      return try source.operand(forKey: key)
    case .collection(let members, let isOrdered):
      return .collection(try flat(members, key, range), isOrdered: isOrdered)
    case .value(.list(let values)):
      return .collection(try flat(values.map(Operand.value), key, range), isOrdered: true)
    case .value(.null):
      return .null
    case .value(.dictionary(let values)):
      return .value(values[key.name] ?? .null)
    case .value(.string(let text)) where key.name == "length":
      return .value(.int(Int64(text.utf16.count)))
    case .value(.object) where key.name == "objectID":
      return operand
    case .value(let value):
      throw QueryPredicateError(
        .unknownKey, "The value \(value.literal) has no key \(key.name).", range: range, subject: key.name)
    }
  }

  private static func flat(
    _ members: [Operand], _ key: PropertyKey, _ range: SourceRange?
  ) throws -> [Operand] {
    var ends: [Operand] = []
    ends.reserveCapacity(members.count)
    for member in members {
      let end = try operand(of: member, key, range)
      if let inner = end.members { ends += inner } else { ends.append(end) }
    }
    return ends
  }
}
