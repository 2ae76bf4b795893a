import GraphStorePredicates

extension PredicateTypeChecker {
  /// Warnings of surprises in a valid predicate, in the order of its text (PRD-095, PRD-257).
  ///
  /// `quoted-variable`: a text such as `'$name'`. `missing-value`: a comparison that leaves out objects
  /// without a value in a fetch, and keeps them in memory, without a test for nil of the same key. With
  /// `portable` also `not-portable`: what the original store in SQLite refuses. For a tree that is too deep
  /// to be used `predicate-too-deep` alone.
  ///
  /// - Parameters:
  ///   - predicate: A predicate without problems; keys that are not known are passed over.
  ///   - portable: Whether to look for what other stores refuse.
  package func warnings(in predicate: QueryPredicate, portable: Bool = false) -> [QueryPredicateError] {
    do throws(QueryPredicateError) {
      return try run(nesting: TreeDepth.depth(of: predicate)) {
        var missing = MissingValueAdvice(self)
        missing.visit(predicate)
        var quoted = QuotedVariableAdvice(self)
        predicate.walk(&quoted)
        var warnings = missing.warnings + quoted.warnings
        if portable {
          var refused = PortabilityAdvice(self)
          refused.visit(predicate)
          warnings += refused.warnings
        }
        return warnings.inTextOrder
      }
    } catch {
      return [error]
    }
  }
}

extension PredicateTypeChecker {
  /// What the original store in SQLite refuses of an order.
  package func portabilityWarnings(in descriptor: QuerySortDescriptor) -> [QueryPredicateError] {
    portabilityWarnings(nesting: TreeDepth.depth(of: descriptor.expression)) { $0.visit(descriptor) }
  }

  /// What it refuses of a value that is fetched, or that rows are grouped by.
  package func portabilityWarnings(
    in expression: QueryExpression, isGroup: Bool = false
  ) -> [QueryPredicateError] {
    portabilityWarnings(nesting: TreeDepth.depth(of: expression)) { advice in
      if isGroup { advice.visit(group: expression) } else { advice.visit(expression) }
    }
  }

  /// What it refuses of a condition.
  package func portabilityWarnings(in predicate: QueryPredicate) -> [QueryPredicateError] {
    portabilityWarnings(nesting: TreeDepth.depth(of: predicate)) { $0.visit(predicate) }
  }

  private func portabilityWarnings(
    nesting: Int, _ visit: @escaping (inout PortabilityAdvice) -> Void
  ) -> [QueryPredicateError] {
    do throws(QueryPredicateError) {
      return try run(nesting: nesting) {
        var advice = PortabilityAdvice(self)
        visit(&advice)
        return advice.warnings.inTextOrder
      }
    } catch {
      return [error]
    }
  }
}

extension [QueryPredicateError] {
  /// The errors in the order of the text; those without a range keep the order in which they were found.
  var inTextOrder: [QueryPredicateError] {
    enumerated().sorted {
      ($0.element.offset ?? 0, $0.offset) < ($1.element.offset ?? 0, $1.offset)
    }.map(\.element)
  }
}

extension QueryPredicateError.Code {
  /// A comparison that is unknown, and so not true, for objects without a value.
  public static let missingValue = Self(rawValue: "missing-value")
  /// A variable in quotes, which is literal text.
  public static let quotedVariable = Self(rawValue: "quoted-variable")
  /// A form that the original SQLite store refuses.
  public static let notPortable = Self(rawValue: "not-portable")
}

extension QueryComparison {
  /// The range of the comparison in its text, quantifier not included.
  var sourceRange: SourceRange? {
    guard let left = left.sourceRange, let right = right.sourceRange else { return operatorRange }
    return left.extended(to: right.end)
  }
}

/// Scope of names in which advice on a predicate resolves key paths.
struct AdviceScope {
  let checker: PredicateTypeChecker
  private var members: [String: ExpressionType] = [:]

  init(_ checker: PredicateTypeChecker) {
    self.checker = checker
  }

  /// The resolved key path of an expression that is one; nil for every other expression, and where it is not
  /// known.
  func path(of expression: QueryExpression) -> ResolvedKeyPath? {
    guard case .keyPath(let path) = expression.kind else { return nil }
    var start = ExpressionType.object(checker.entity)
    if let base = path.base {
      guard case .variable(let name) = base.kind, let member = members[name] else { return nil }
      start = member
    }
    return try? KeyPathResolver().resolve(path.steps, from: start)
  }

  /// The scope inside of a sub-query, where its variable is a member of the collection.
  func adding(_ variable: String, memberOf collection: QueryExpression) -> AdviceScope {
    var inner = self
    inner.members[variable] = path(of: collection)?.type.member
    return inner
  }
}
