import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Turns checked predicates into expressions of a statement, or says why they cannot be.
package struct SQLTranslator {
  package let schema: SQLSchema
  package let dialect: any SQLDialect
  /// The object under test.
  package let root: SQLEntityReference
  /// The store whose objects have rows here; nil where there is one store only.
  package let storeUUID: String?
  /// The members that the variables of enclosing sub-queries denote.
  package var variables: [String: SQLEntityReference] = [:]
  /// The operands of the leaves of results, by the keys under which expressions name them.
  package var leaves: [String: SQLOperand] = [:]
  /// The locale of the order of texts, the time of `now()`, and the functions that `FUNCTION` calls.
  package let evaluation: EvaluationOptions
  /// Notes on the forms that were chosen.
  package let notes: SQLNotes

  package init(
    schema: SQLSchema, dialect: any SQLDialect, root: SQLEntityReference, storeUUID: String? = nil,
    evaluation: EvaluationOptions = EvaluationOptions(logic: .threeValued), notes: SQLNotes = SQLNotes()
  ) {
    self.schema = schema
    self.dialect = dialect
    self.root = root
    self.storeUUID = storeUUID
    self.evaluation = evaluation
    self.notes = notes
  }

  package func translate(_ predicate: QueryPredicate) throws(NotPushable) -> SQLExpression {
    switch predicate {
    case .constant(let value): return value ? .always : .never
    case .and(let parts): return .and(try all(parts))
    case .or(let parts):
      if let list = sharedComparison(of: parts) { return try translate(list) }
      return .or(try all(parts))
    case .not(let operand): return .not(try translate(operand))
    case .comparison(let comparison): return try translate(comparison)
    case .block: throw NotPushable(.closure, "a closure runs in memory only")
    }
  }

  private func all(_ parts: [QueryPredicate]) throws(NotPushable) -> [SQLExpression] {
    var translated: [SQLExpression] = []
    translated.reserveCapacity(parts.count)
    for part in parts { translated.append(try translate(part)) }
    return translated
  }

  /// `a == 1 OR a == 2 OR …` as `a IN {1, 2, …}`, so that a long chain is one parameter and one look-up.
  private func sharedComparison(of parts: [QueryPredicate]) -> QueryPredicate? {
    guard parts.count >= 8 else { return nil }
    var shared: QueryComparison?
    var values: [Value] = []
    values.reserveCapacity(parts.count)
    for part in parts {
      guard case .comparison(let comparison) = part, comparison.comparator == .equal,
        comparison.modifier == .direct, case .keyPath = comparison.left.kind,
        let value = comparison.right.constantValue
      else { return nil }
      if case .list = value { return nil }
      if let shared, shared.left != comparison.left || shared.options != comparison.options { return nil }
      shared = comparison
      values.append(value)
    }
    guard let shared else { return nil }
    return .comparison(
      QueryComparison(
        left: shared.left, comparator: .in, options: shared.options,
        right: QueryExpression(.constant(.list(values)))))
  }

  /// The expression of an answer.
  package func require(_ answer: SQLAnswer) throws(NotPushable) -> SQLExpression {
    switch answer {
    case .exact(let expression, let note):
      if let note { notes.add(note) }
      return expression
    case .no(let reason, let detail): throw NotPushable(reason, detail)
    }
  }

  /// The value of an answer.
  package func require(_ answer: SQLValueAnswer) throws(NotPushable) -> SQLOperand {
    switch answer {
    case .exact(let operand): return operand
    case .no(let reason, let detail): throw NotPushable(reason, detail)
    }
  }
}

/// Collector of notes on a part of a request, for people.
package final class SQLNotes {
  package private(set) var texts: [String] = []

  package func add(_ text: String) {
    if !texts.contains(text) { texts.append(text) }
  }

  /// Removes and returns the notes.
  package func consume() -> [String] {
    defer { texts = [] }
    return texts
  }
}
