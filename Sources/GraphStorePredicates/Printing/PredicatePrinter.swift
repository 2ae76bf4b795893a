/// Writes trees as text that parses to equal trees.
struct PredicatePrinter {
  var text = ""

  // MARK: Predicates

  mutating func print(_ predicate: QueryPredicate) {
    let (operand, negations) = predicate.withoutNegations
    for _ in 0..<negations { text += "NOT " }
    if negations > 0 { return printMember(operand) }
    switch operand {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): print(comparison)
    case .and(let members): print(members, " AND ")
    case .or(let members): print(members, " OR ")
    case .not: break
    case .block: text += "BLOCKPREDICATE"
    }
  }

  private mutating func print(_ members: [QueryPredicate], _ connective: String) {
    var isFirst = true
    for member in members {
      if !isFirst { text += connective }
      isFirst = false
      printMember(member)
    }
  }

  private mutating func printMember(_ predicate: QueryPredicate) {
    let member = predicate.unwrapped
    switch member {
    case .and, .or:
      text += "("
      print(member)
      text += ")"
    default:
      print(member)
    }
  }

  private mutating func print(_ comparison: QueryComparison) {
    if comparison.modifier != .direct { text += comparison.modifier.rawValue + " " }
    print(comparison.left)
    text += " " + comparison.comparator.rawValue + comparison.options.text + " "
    print(comparison.right)
  }

  // MARK: Expressions

  /// Precedence of forms; operators of arithmetic have the numbers between.
  private enum Precedence {
    static let set = 1
    static let unary = 8
    static let power = 9
    static let postfix = 10
    static let primary = 11
  }

  mutating func print(_ expression: QueryExpression, minimum: Int = 0) {
    if precedence(of: expression) < minimum {
      text += "("
      printBare(expression)
      text += ")"
    } else {
      printBare(expression)
    }
  }

  private func precedence(of expression: QueryExpression) -> Int {
    switch expression.kind {
    case .constant(let value): value.isNegativeNumber ? Precedence.unary : Precedence.primary
    case .setOperation: Precedence.set
    case .keyPath, .index: Precedence.postfix
    case .function(let function, let arguments):
      function.operatorForm(arguments)?.precedence ?? Precedence.primary
    default: Precedence.primary
    }
  }

  private mutating func printBare(_ expression: QueryExpression) {
    switch expression.kind {
    case .constant(let value): print(value)
    case .evaluatedObject: text += "SELF"
    case .variable(let name): text += "$" + name
    case .keyPath(let path): print(path)
    case .function(let function, let arguments): print(function, arguments)
    case .call(let target, let name, let arguments):
      text += "FUNCTION("
      print(target)
      text += ", "
      StringLiteral.append(name, to: &text)
      for argument in arguments {
        text += ", "
        print(argument)
      }
      text += ")"
    case .cast(let operand, let type):
      text += "CAST("
      print(operand)
      text += ", \"\(type.rawValue)\")"
    case .aggregate(let members):
      text += "{"
      print(list: members)
      text += "}"
    case .subquery(let collection, let variable, let predicate):
      text += "SUBQUERY("
      print(collection)
      text += ", $\(variable), "
      print(predicate)
      text += ")"
    case .ternary(let condition, let then, let otherwise):
      text += "TERNARY("
      print(condition)
      text += ", "
      print(list: [then, otherwise])
      text += ")"
    case .index(let collection, let index):
      print(collection, minimum: Precedence.postfix)
      text += "["
      print(index)
      text += "]"
    case .setOperation(let setOperator, let left, let right):
      print(left, minimum: Precedence.set)
      text += " \(setOperator.rawValue) "
      print(right, minimum: Precedence.set + 1)
    case .fetch(let request, let context, let countOnly):
      text += "FETCH("
      print(list: [request, context, countOnly])
      text += ")"
    case .block: text += "BLOCK"
    }
  }

  private mutating func print(list expressions: [QueryExpression]) {
    var isFirst = true
    for expression in expressions {
      if !isFirst { text += ", " }
      isFirst = false
      print(expression)
    }
  }

  private mutating func print(_ function: QueryFunction, _ arguments: [QueryExpression]) {
    guard let form = function.operatorForm(arguments) else {
      text += function.rawValue + "("
      print(list: arguments)
      text += ")"
      return
    }
    if arguments.count == 1 {
      text += form.symbol
      print(arguments[0], minimum: Precedence.unary)
    } else if function == .power {
      print(arguments[0], minimum: Precedence.postfix)
      text += " ** "
      print(arguments[1], minimum: Precedence.unary)
    } else {
      print(arguments[0], minimum: form.precedence)
      text += " \(form.symbol) "
      print(arguments[1], minimum: form.precedence + 1)
    }
  }

  mutating func print(_ path: QueryKeyPath) {
    var isFirst = true
    if let base = path.base {
      print(base, minimum: Precedence.postfix)
      isFirst = false
    } else if case .variable = path.steps.first {
      text += "SELF"
      isFirst = false
    }
    for step in path.steps {
      if !isFirst { text += "." }
      switch step {
      case .key(let key):
        guard PredicateLexer.isIdentifier(key) else {
          text += "`\(key)`"
          break
        }
        if isFirst, ReservedWords.contains(key) { text += "#" }
        text += key
      case .collectionOperator(let name): text += "@" + name
      case .variable(let name): text += "$" + name
      }
      isFirst = false
    }
  }

  private mutating func print(_ index: QueryIndex) {
    switch index {
    case .first: text += "FIRST"
    case .last: text += "LAST"
    case .size: text += "SIZE"
    case .at(let expression):
      if case .keyPath(let path) = expression.kind, let keys = path.plainKeys, keys.count == 1,
        ["FIRST", "LAST", "SIZE"].contains(keys[0].uppercased())
      {
        text += "#"
      }
      print(expression)
    }
  }

  mutating func print(_ value: Value) {
    value.appendLiteral(to: &text)
  }
}
