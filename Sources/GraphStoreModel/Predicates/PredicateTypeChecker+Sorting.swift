import Foundation
import GraphStorePredicates

extension PredicateTypeChecker {
  /// The sort descriptors in checked form (PRD-224, PRD-225, PRD-226).
  ///
  /// - Throws: `unsupported-sort` for a key without an order, `unknown-key`, or `transient-in-fetch`.
  package func check(
    _ descriptors: [QuerySortDescriptor]
  ) throws(QueryPredicateError) -> [QuerySortDescriptor] {
    var checked: [QuerySortDescriptor] = []
    checked.reserveCapacity(descriptors.count)
    for descriptor in descriptors { checked.append(try check(descriptor)) }
    return checked
  }

  private func check(_ descriptor: QuerySortDescriptor) throws(QueryPredicateError) -> QuerySortDescriptor {
    if descriptor.isComputed { return try check(computed: descriptor) }
    let path = descriptor.keyPath
    let range = descriptor.sourceRange
    guard path.base == nil else {
      throw refusal("A sort key begins at the object that is fetched.", path: path, range: range)
    }
    let found = try resolve(path, at: range, findsKeysOfSubentities: false)
    if purpose == .fetch, let property = found.unstoredProperty {
      throw QueryPredicateError(
        .transientInFetch,
        "The property \(property.description) is not stored, so a fetch cannot sort by it.",
        source: source, range: range, hint: "Sort the result.", subject: path.text)
    }
    try requireOrder(found, path: path, range: range)
    return QuerySortDescriptor(
      keyPath: QueryKeyPath(steps: found.keys.isEmpty ? [.key("objectID")] : found.keys),
      ascending: descriptor.ascending,
      comparator: descriptor.comparator, nilPlacement: descriptor.nilPlacement, sourceRange: range)
  }

  /// A descriptor whose expression is in checked form, with what is the same for every object folded.
  private func check(
    computed descriptor: QuerySortDescriptor
  ) throws(QueryPredicateError) -> QuerySortDescriptor {
    let time = now ?? Date()
    let (expression, type) = try check(descriptor.expression.foldingConstants(now: time))
    let text = expression.description
    guard expression.commonValue(now: time) == nil else {
      throw refusal("\(text) is the same for every object, and makes no order.", text, descriptor.sourceRange)
    }
    switch type {
    case .collection, .composite, .dictionary, .object:
      throw refusal("\(text) is \(type), which has no order.", text, descriptor.sourceRange)
    default: break
    }
    return QuerySortDescriptor(
      expression: expression, ascending: descriptor.ascending, comparator: descriptor.comparator,
      nilPlacement: descriptor.nilPlacement, sourceRange: descriptor.sourceRange)
  }

  private func requireOrder(
    _ found: ResolvedKeyPath, path: QueryKeyPath, range: SourceRange?
  ) throws(QueryPredicateError) {
    switch found.type {
    case .collection:
      throw refusal(
        "\(path.text) leads to several values, which have no place in an order.", path: path, range: range,
        hint: "Sort by an aggregate such as \(path.text).@count.")
    case .object:
      guard case .relationship(let relationships)? = found.steps.last else { return }
      guard relationships.allSatisfy({ $0.inverse?.isOrdered == true }) else {
        throw refusal(
          "\(path.text) is an object, and objects have no order.", path: path, range: range,
          hint: "Sort by one of its attributes, or by objectID.")
      }
    case .composite, .dictionary:
      throw refusal("\(path.text) is \(found.type), which has no order.", path: path, range: range)
    default: return
    }
  }

  private func refusal(
    _ message: String, path: QueryKeyPath, range: SourceRange?, hint: String? = nil
  ) -> QueryPredicateError {
    refusal(message, path.text, range, hint: hint)
  }

  private func refusal(
    _ message: String, _ subject: String, _ range: SourceRange?, hint: String? = nil
  ) -> QueryPredicateError {
    QueryPredicateError(
      .unsupportedSort, message, source: source, range: range, hint: hint, subject: subject)
  }
}
