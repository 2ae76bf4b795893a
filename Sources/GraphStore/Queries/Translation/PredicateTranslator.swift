import Foundation
import GraphStorePredicates

/// Translation of Foundation's predicates: each form of expression says itself what it is in the language of
/// ``/GraphStorePredicates/QueryPredicate``.
struct PredicateTranslator {
  /// What the variables of the closures stand for.
  private var variables: [PredicateExpressions.VariableID: QueryExpression] = [:]

  /// Translates the predicate of a class of objects.
  static func translate<Object: ManagedObject>(
    _ predicate: Predicate<Object>
  ) throws(QueryPredicateError) -> QueryPredicate {
    var translator = PredicateTranslator()
    translator.bind(predicate.variable, to: .evaluatedObject)
    return try translator.predicate(predicate.expression)
  }

  // MARK: Variables

  mutating func bind<Bound>(
    _ variable: PredicateExpressions.Variable<Bound>, to expression: QueryExpression
  ) {
    variables[variable.key] = expression
  }

  func expression<Bound>(
    of variable: PredicateExpressions.Variable<Bound>
  ) throws(QueryPredicateError) -> QueryExpression {
    if let bound = variables[variable.key] { return bound }
    throw Self.untranslatable("a variable of another predicate")
  }

  /// Names a member of a collection for as long as a test of it is translated: `x`, and inside of that `x1`, `x2` …
  mutating func withMember<Member, Result>(
    _ variable: PredicateExpressions.Variable<Member>,
    _ body: (inout PredicateTranslator, String) throws(QueryPredicateError) -> Result
  ) throws(QueryPredicateError) -> Result {
    let names = Set(variables.values.flatMap(\.names.variables))
    let name = names.isEmpty ? "x" : "x\(names.count)"
    bind(variable, to: .variable(name))
    defer { variables[variable.key] = nil }
    return try body(&self, name)
  }

  // MARK: Parts

  mutating func part(_ node: some PredicateExpression) throws(QueryPredicateError) -> TranslatedPart {
    if let node = node as? any TranslatableExpression { return try node.translate(&self) }
    throw Self.untranslatable(Self.form(node))
  }

  mutating func predicate(_ node: some PredicateExpression) throws(QueryPredicateError) -> QueryPredicate {
    switch try part(node) {
    case .predicate(let predicate): return predicate
    case .expression(let expression): return .compare(expression, .equal, .constant(true))
    case .optionalPredicate:
      throw Self.untranslatable(
        "a condition that may be nil", hint: "Say what it is without a value: `?? false`.")
    case .range: throw Self.untranslatable("a range as a condition")
    }
  }

  mutating func expression(_ node: some PredicateExpression) throws(QueryPredicateError) -> QueryExpression {
    try part(node).expression
  }

  // MARK: Errors

  /// The error for a part that the language has no form for.
  static func untranslatable(_ part: String, hint: String? = nil) -> QueryPredicateError {
    QueryPredicateError(
      .unsupportedSyntax, "A predicate of a request cannot say \(part).",
      hint: hint ?? "Write the condition with keys or as text, or filter the objects that were fetched.",
      subject: part)
  }

  /// A form of expression by its name without the types of its parts.
  private static func form(_ node: some PredicateExpression) -> String {
    let name = "\(type(of: node))"
    return "\(name.prefix { $0 != "<" })"
  }
}

/// A form of Foundation's predicates that has a translation.
protocol TranslatableExpression {
  /// The same in the language of predicates.
  ///
  /// - Throws: `unsupported-syntax` and `unknown-key` for what cannot be said.
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart
}

/// What a part of a predicate is translated into.
enum TranslatedPart {
  case predicate(QueryPredicate)
  case expression(QueryExpression)
  /// A condition on what may be nil, and the condition that it is not.
  case optionalPredicate(QueryPredicate, presence: QueryPredicate)
  /// A range, without a bound where it is open.
  case range(lower: QueryExpression?, upper: QueryExpression?, includesUpper: Bool)

  /// The value of the part; a condition is true or false.
  var expression: QueryExpression {
    get throws(QueryPredicateError) {
      switch self {
      case .expression(let expression): return expression
      case .predicate(.constant(let value)): return .constant(value)
      case .predicate(let predicate):
        return QueryExpression(
          .ternary(condition: predicate, then: .constant(true), otherwise: .constant(false)))
      case .optionalPredicate(let predicate, let presence):
        return QueryExpression(
          .ternary(
            condition: presence, then: try Self.predicate(predicate).expression, otherwise: .null))
      case .range: throw PredicateTranslator.untranslatable("a range as a value")
      }
    }
  }
}
