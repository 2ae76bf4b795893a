/// A function as it was registered.
package struct RegisteredFunction: Sendable {
  /// The name in predicates.
  package let name: String
  /// A number that no other registration of the process has, under the same name neither.
  package let number: Int
  /// Whether equal values always give an equal result.
  package let isDeterministic: Bool
  /// What the function is in SQL.
  package let sqlForm: PredicateFunctions.SQLForm?
  /// The function of the language that it acts as.
  package var equivalent: QueryFunction?
  let body: PredicateFunctions.Body

  /// The result for a target and arguments.
  ///
  /// - Throws: What the function throws; `type-mismatch` for a result that is not of the registered type.
  package func result(_ target: QueryOperand, _ arguments: [QueryOperand]) throws -> QueryOperand {
    let result = try body(target, arguments)
    guard let type = sqlForm?.result, !type.holds(result) else { return result }
    throw QueryPredicateError(
      .typeMismatch,
      "The function \(name) is registered to give \(type.rawValue) or nil, and gave something else.",
      hint: "Register it with the type that it gives.", subject: name)
  }
}

extension PredicateFunctions.SQLForm.ResultType {
  fileprivate func holds(_ operand: QueryOperand) -> Bool {
    guard case .value(let value) = operand else { return false }
    return switch (self, value) {
    case (_, .null), (.boolean, .bool), (.integer, .int), (.double, .double), (.decimal, .decimal),
      (.string, .string), (.date, .date), (.uuid, .uuid), (.uri, .uri), (.data, .data):
      true
    default: false
    }
  }
}
