import Foundation
import GraphStorePredicates

/// Type checker of predicates, expressions and sort descriptors over an entity; puts them into the form in
/// which every store type and memory evaluate them alike.
///
/// Keys are resolved, constants take the type of the key they meet (PRD-068 to PRD-078), and everything
/// that a request cannot have is found before anything is read (FET-023). Variables are substituted before,
/// unless ``allowsVariables`` is set.
///
/// A checker is a value without state of its own; checking costs one walk over the tree.
package struct PredicateTypeChecker: Sendable {
  /// Purpose of a predicate.
  package enum Purpose: Sendable {
    /// A request: transient and fetched properties, closures and `FETCH` are refused.
    case fetch
    /// Evaluation over objects in memory.
    case evaluation
  }

  /// The entity that the keys are looked up in.
  package let entity: EntityDescription
  /// The purpose of the predicate.
  package var purpose = Purpose.fetch
  /// The predicate's text, when it was parsed from text: errors then have line and column.
  package var source: String?
  /// Whether variables without a value pass, for templates and checks.
  package var allowsVariables = false
  /// The types of variables that have a value of their own wherever the expression is evaluated.
  package var variables: [String: ExpressionType] = [:]
  /// The functions that `FUNCTION` may name.
  package var functions = PredicateFunctions.standard
  /// Keys beside its properties that objects of an entity answer to in memory (OBJ-183).
  package var declaredKeys: @Sendable (EntityDescription) -> Set<String> = { _ in [] }
  /// Whether aggregates of single values are those of the rows of a group, outside of sub-queries.
  package var aggregatesRows = false
  /// The time of `now()`; nil is the time of the check.
  package var now: Date?
  /// The type of SELF.
  let subject: ExpressionType
  /// The composite attribute that SELF is a value of.
  private(set) var composite: AttributeDescription?
  /// Whether what is the same for every object is folded, `now()` too; not where the predicate is kept.
  private var foldsConstants = true
  let converter: ConstantConverter

  /// Makes a checker.
  ///
  /// - Parameters:
  ///   - entity: The entity that the keys are looked up in.
  ///   - purpose: What the predicate is for.
  ///   - source: The predicate's text, for positions in errors.
  ///   - resolve: Finds the object that a URI or a short form such as `Employee/p1` names; nil for a text
  ///     that names none.
  package init(
    entity: EntityDescription, purpose: Purpose = .fetch, source: String? = nil,
    resolve: @escaping @Sendable (String) -> ObjectReference? = { _ in nil }
  ) {
    self.entity = entity
    subject = .object(entity)
    self.purpose = purpose
    self.source = source
    converter = ConstantConverter(resolve: resolve)
  }

  /// Makes a checker for the predicates over the values of an attribute, in which SELF is the value
  /// (PRD-150).
  ///
  /// Its results may be kept: `now()` stays.
  package init(attribute: AttributeDescription, source: String? = nil) {
    entity = attribute.entity
    subject = ExpressionType(attribute.type)
    composite = attribute.type == .composite ? attribute : nil
    purpose = .evaluation
    self.source = source
    foldsConstants = false
    converter = ConstantConverter { _ in nil }
  }

  /// The predicate in checked form, with everything that is the same for every object folded into constants.
  ///
  /// - Throws: The first problem in the order of the text; `predicate-too-deep`.
  package func check(_ predicate: QueryPredicate) throws(QueryPredicateError) -> QueryPredicate {
    try run(nesting: TreeDepth.depth(of: predicate)) { () throws(QueryPredicateError) in
      var walk = PredicateTyping(self)
      let checked = walk.check(predicate)
      try walk.throwFirst()
      guard foldsConstants, let folded = predicate.foldedConstants(now: now ?? Date()) else { return checked }
      var second = PredicateTyping(self)
      let foldedAndChecked = second.check(folded)
      try second.throwFirst()
      return foldedAndChecked
    }
  }

  /// The expression in checked form, and its type.
  ///
  /// - Throws: The first problem in the order of the text; `predicate-too-deep`.
  package func check(
    _ expression: QueryExpression
  ) throws(QueryPredicateError) -> (expression: QueryExpression, type: ExpressionType) {
    try run(nesting: TreeDepth.depth(of: expression)) { () throws(QueryPredicateError) in
      var walk = PredicateTyping(self)
      let checked = walk.check(expression)
      try walk.throwFirst()
      return (checked.expression, checked.type)
    }
  }

  /// Every problem of a predicate, in the order of its text (PRD-212).
  package func problems(in predicate: QueryPredicate) -> [QueryPredicateError] {
    do throws(QueryPredicateError) {
      return try run(nesting: TreeDepth.depth(of: predicate)) { () throws(QueryPredicateError) in
        var walk = PredicateTyping(self)
        _ = walk.check(predicate)
        return walk.sortedProblems
      }
    } catch {
      return [error]
    }
  }

  /// Runs the work with stack enough for the nesting, or refuses it.
  func run<Result>(
    nesting: Int, _ work: @escaping () throws(QueryPredicateError) -> Result
  ) throws(QueryPredicateError) -> Result {
    guard nesting <= TreeDepth.maximum else { throw .tooDeep(source: source) }
    return try withLargeStack(nesting: nesting, work)
  }

  /// The resolved key path of the entity, for fields and sort keys.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - range: Its range in the text.
  ///   - findsKeysOfSubentities: Whether keys that only sub-entities have are known.
  package func resolve(
    _ path: QueryKeyPath, at range: SourceRange? = nil, findsKeysOfSubentities: Bool = true
  ) throws(QueryPredicateError) -> ResolvedKeyPath {
    let resolver = KeyPathResolver(
      findsKeysOfSubentities: findsKeysOfSubentities, declaredKeys: declaredKeys)
    do throws(KeyPathResolver.Failure) {
      return try resolver.resolve(path.steps, from: .object(entity))
    } catch {
      throw self.error(error, in: path, at: range)
    }
  }

  /// The resolved form of a key path written with dots: `department.name`, `employees.@count`, `objectID`.
  package func resolve(keyPath: String) throws(QueryPredicateError) -> ResolvedKeyPath {
    let steps = keyPath.split(separator: ".", omittingEmptySubsequences: false).map { part in
      part.hasPrefix("@")
        ? QueryKeyPath.Step.collectionOperator(String(part.dropFirst()))
        : QueryKeyPath.Step.key(part.hasPrefix("#") ? String(part.dropFirst()) : String(part))
    }
    return try resolve(
      QueryKeyPath(steps: steps), at: SourceRange(offset: 0, length: keyPath.utf8.count))
  }

  func error(
    _ failure: KeyPathResolver.Failure, in path: QueryKeyPath, at range: SourceRange?
  ) -> QueryPredicateError {
    QueryPredicateError(
      failure.code, failure.message, source: source, range: path.range(ofStep: failure.step, within: range),
      hint: failure.hint, suggestions: failure.suggestions, subject: path.text)
  }
}

extension QueryKeyPath {
  /// The path as it is written; a base other than the object under test shows as three dots.
  var text: String {
    let keys = steps.map { step in
      switch step {
      case .key(let key): key
      case .collectionOperator(let name): "@\(name)"
      case .variable(let name): "$\(name)"
      }
    }
    let chain = keys.joined(separator: ".")
    guard let base else { return chain }
    if case .variable(let name) = base.kind { return "$\(name).\(chain)" }
    return "….\(chain)"
  }

  /// The range of one step, when the range holds just the path; the whole range otherwise.
  func range(ofStep step: Int, within range: SourceRange?) -> SourceRange? {
    guard let range, steps.indices.contains(step) else { return range }
    let text = text.utf8.count
    guard text == range.length || base == nil && text + 5 == range.length else { return range }
    let prefix = QueryKeyPath(base: base, steps: Array(steps[..<step]))
    let isFirst = step == 0 && base == nil
    let dot = step == 0 ? 0 : 1
    let before = (isFirst ? 0 : prefix.text.utf8.count + dot) + range.length - text
    let columns = (isFirst ? 0 : prefix.text.count + dot) + range.length - text
    let length = QueryKeyPath(steps: [steps[step]]).text.utf8.count
    return SourceRange(
      offset: range.offset + before, length: length, line: range.line,
      column: range.column.map { $0 + columns })
  }
}
