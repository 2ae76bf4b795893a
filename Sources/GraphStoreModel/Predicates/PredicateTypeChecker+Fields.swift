import Foundation
import GraphStorePredicates

extension PredicateTypeChecker {
  /// The resolved key path of a field to be printed: the value of a derived attribute may be missing, one
  /// computed from many may not.
  package func resolve(field keyPath: String) throws(QueryPredicateError) -> ResolvedKeyPath {
    try resolve(keyPath: keyPath)
  }

  /// The resolved key path; nil for a text that is no key path but an expression.
  package func resolved(field text: String) throws(QueryPredicateError) -> ResolvedKeyPath? {
    do throws(QueryPredicateError) {
      return try resolve(field: text)
    } catch {
      guard (try? QueryKeyPath(parsing: text)) == nil else { throw error }
      return nil
    }
  }

  /// The expression of a text of which the values are printed, in checked form, and its type; transient
  /// properties count.
  ///
  /// - Parameter variables: The values of its variables.
  package func check(
    field text: String, variables: [String: Value] = [:]
  ) throws(QueryPredicateError) -> (expression: QueryExpression, type: ExpressionType) {
    let parsed = try QueryExpression(parsing: text).substituting(variables)
    var checker = self
    checker.purpose = .evaluation
    return try checker.check(parsed.foldingConstants(now: now ?? Date()))
  }
}
