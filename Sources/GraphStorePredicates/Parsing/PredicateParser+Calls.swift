extension PredicateParser {
  /// A call: the name is the current token, the parenthesis the next.
  mutating func parseCall() throws(QueryPredicateError) -> QueryExpression {
    let name = token
    let open = following
    advance()
    advance()
    if isWord(name, "CAST") { return try parseCast(name, open) }
    if isWord(name, "TERNARY") { return try parseTernary(name, open) }
    if isWord(name, "SUBQUERY") { return try parseSubquery(name, open) }
    if isWord(name, "FUNCTION") { return try parseRegisteredCall(name, open) }
    if isWord(name, "FETCH") { return try parseFetch(name, open) }
    let spelling = word(name)
    guard FunctionNames.isKnown(spelling) else { throw unknownFunction(spelling, name) }
    let arguments = try parseArguments(open)
    let tallest = height
    try grow(over: tallest, at: name)
    return try function(spelling, name: name, arguments: arguments)
  }

  private mutating func parseArguments(_ open: PredicateToken) throws(QueryPredicateError)
    -> [QueryExpression]
  {
    var arguments: [QueryExpression] = []
    var tallest = 0
    if kind != .closeParenthesis {
      repeat {
        arguments.append(try parseExpression())
        tallest = max(tallest, height)
      } while accept(.comma)
    }
    try close(open)
    height = tallest
    return arguments
  }

  private mutating func close(_ open: PredicateToken) throws(QueryPredicateError) {
    guard accept(.closeParenthesis) else { throw unclosed(open, ")") }
  }

  private mutating func comma(after what: String) throws(QueryPredicateError) {
    guard accept(.comma) else { throw expected("a comma after \(what)") }
  }

  private func unknownFunction(_ spelling: String, _ name: PredicateToken) -> QueryPredicateError {
    if FunctionNames.unsupported.contains(spelling) {
      return error(.unsupportedFunction, "The function \(spelling) has no meaning here.", at: name.range)
    }
    return error(
      .unknownFunction, "There is no function \(spelling).", at: name.range,
      suggestions: NearestNames.names(near: spelling, among: FunctionNames.all))
  }

  private mutating func function(
    _ spelling: String, name: PredicateToken, arguments: [QueryExpression]
  ) throws(QueryPredicateError) -> QueryExpression {
    let range = range(from: name)
    switch spelling {
    case "castObject:toType:":
      guard arguments.count == 2, case .constant(.string(let type)) = arguments[1].kind else {
        throw error(
          .argumentCount, "The function \(spelling) takes a value and the name of a type in quotes.",
          at: name.range)
      }
      return try cast(
        arguments[0], typeName: type, typeRange: arguments[1].sourceRange ?? name.range, range: range)
    case "objectFrom:withIndex:":
      guard arguments.count == 2 else {
        throw argumentCount(spelling, name: name, wanted: "2 arguments", count: arguments.count)
      }
      return QueryExpression(.index(arguments[0], .at(arguments[1])), sourceRange: range)
    default:
      let candidates = FunctionNames.functions(named: spelling)
      guard let function = candidates.first(where: { $0.arity.contains(arguments.count) }) else {
        let arities = candidates.map(\.arity)
        let least = arities.map(\.lowerBound).min() ?? 0
        let most = arities.map(\.upperBound).max() ?? 0
        let isOpen = most == Int.max
        let alternative = isOpen ? "at least " : least == most ? "" : "\(least) or "
        let wanted = alternative + QueryPredicateError.counted(isOpen ? least : most, "argument")
        throw argumentCount(spelling, name: name, wanted: wanted, count: arguments.count)
      }
      return QueryExpression(.function(function, arguments), sourceRange: range)
    }
  }

  private func argumentCount(
    _ spelling: String, name: PredicateToken, wanted: String, count: Int
  ) -> QueryPredicateError {
    error(
      .argumentCount, "The function \(spelling) takes \(wanted) and is given \(count).", at: name.range)
  }

  // MARK: Forms with a syntax of their own

  private mutating func parseCast(
    _ name: PredicateToken, _ open: PredicateToken
  ) throws(QueryPredicateError) -> QueryExpression {
    let operand = try parseExpression()
    let operandHeight = height
    try comma(after: "the value to cast")
    let typeToken = token
    guard accept(.string) else { throw expected("the name of a type in quotes") }
    try close(open)
    try grow(over: operandHeight, at: name)
    return try cast(
      operand, typeName: stringValue(typeToken), typeRange: typeToken.range, range: range(from: name))
  }

  private func cast(
    _ operand: QueryExpression, typeName: String, typeRange: SourceRange, range: SourceRange
  ) throws(QueryPredicateError) -> QueryExpression {
    guard let type = QueryCastType(name: typeName) else {
      let names = QueryCastType.allCases.map(\.rawValue)
      throw error(
        .unknownType, "There is no type \(typeName) to cast to.", at: typeRange,
        hint: "The types are \(names.joined(separator: ", ")).",
        suggestions: NearestNames.names(near: typeName, among: names))
    }
    let expression = QueryExpression(.cast(operand, type), sourceRange: range)
    if expression.isBadCast {
      throw QueryPredicateError.badCast(operand, type, at: operand.sourceRange ?? range).located(in: text)
    }
    return expression
  }

  private mutating func parseTernary(
    _ name: PredicateToken, _ open: PredicateToken
  ) throws(QueryPredicateError) -> QueryExpression {
    let condition = try parsePredicate()
    var tallest = height
    try comma(after: "the condition")
    let then = try parseExpression()
    tallest = max(tallest, height)
    try comma(after: "the value when true")
    let otherwise = try parseExpression()
    try close(open)
    try grow(over: tallest, height, at: name)
    return QueryExpression(
      .ternary(condition: condition, then: then, otherwise: otherwise), sourceRange: range(from: name))
  }

  private mutating func parseSubquery(
    _ name: PredicateToken, _ open: PredicateToken
  ) throws(QueryPredicateError) -> QueryExpression {
    let collection = try parseExpression()
    let collectionHeight = height
    try comma(after: "the collection")
    let variable = token
    guard accept(.variable) else { throw expected("a variable such as $x") }
    let variableName = PredicateLexer.name(behindSign: word(variable))
    try comma(after: "the variable")
    boundVariables.append(variableName)
    let predicate = try parsePredicate()
    boundVariables.removeLast()
    try close(open)
    try grow(over: collectionHeight, height, at: name)
    return QueryExpression(
      .subquery(collection: collection, variable: variableName, predicate: predicate),
      sourceRange: range(from: name))
  }

  private mutating func parseRegisteredCall(
    _ name: PredicateToken, _ open: PredicateToken
  ) throws(QueryPredicateError) -> QueryExpression {
    let target = try parseExpression()
    var tallest = height
    try comma(after: "the target")
    let nameToken = token
    guard accept(.string) else { throw expected("the name of a function in quotes") }
    var arguments: [QueryExpression] = []
    while accept(.comma) {
      arguments.append(try parseExpression())
      tallest = max(tallest, height)
    }
    try close(open)
    try grow(over: tallest, at: name)
    return QueryExpression(
      .call(target: target, name: stringValue(nameToken), arguments: arguments),
      sourceRange: range(from: name))
  }

  private mutating func parseFetch(
    _ name: PredicateToken, _ open: PredicateToken
  ) throws(QueryPredicateError) -> QueryExpression {
    let arguments = try parseArguments(open)
    try grow(over: height, at: name)
    guard arguments.count == 3 else {
      throw argumentCount("FETCH", name: name, wanted: "3 arguments", count: arguments.count)
    }
    return QueryExpression(
      .fetch(request: arguments[0], context: arguments[1], countOnly: arguments[2]),
      sourceRange: range(from: name))
  }
}
