import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Fields that are shown of each record: key paths, and expressions.
///
/// An expression is computed of the key paths in it, which a store reads with the others; where it takes more
/// than single values, of objects.
struct RequestedFields {
  private enum Field {
    /// A key path, by its position among ``paths``.
    case path(Int, ResolvedKeyPath)
    /// An expression over an object, and the same over values of ``paths``; that is nil where it takes
    /// objects.
    case computed(QueryExpression, overPaths: QueryExpression?, ExpressionType)
  }

  private let texts: [String]
  private var fields: [Field] = []
  /// The key paths that a store is asked for.
  private(set) var paths: [String] = []
  private let checker: PredicateTypeChecker

  /// - Parameters:
  ///   - texts: The key paths and expressions.
  ///   - variables: The values of variables in the expressions.
  /// - Throws: ``/GraphStorePredicates/QueryPredicateError``, located in its text, for one that does not fit
  ///   the entity.
  init(_ texts: [String], variables: [String: Value] = [:], _ checker: PredicateTypeChecker) throws {
    self.texts = texts
    self.checker = checker
    for text in texts {
      do throws(QueryPredicateError) {
        if let path = try checker.resolved(field: text) {
          // One that is asked for twice is read twice: without expressions the fields of the store are those
          // asked for.
          fields.append(.path(paths.count, path))
          paths.append(text)
        } else {
          try addExpression(text, variables)
        }
      } catch {
        throw error.located(in: text)
      }
    }
  }

  private mutating func position(of path: String) -> Int {
    if let known = paths.firstIndex(of: path) { return known }
    paths.append(path)
    return paths.count - 1
  }

  private mutating func addExpression(
    _ text: String, _ variables: [String: Value]
  ) throws(QueryPredicateError) {
    let (expression, type) = try checker.check(field: text, variables: variables)
    var over: QueryExpression?
    var cut = self
    do throws(TakesObjects) {
      over = try withLargeStack(nesting: TreeDepth.depth(of: expression)) { () throws(TakesObjects) in
        try cut.overPaths(expression) ?? expression
      }
      self = cut
    } catch {
      over = nil
    }
    fields.append(.computed(expression, overPaths: over, type))
  }

  // MARK: Cutting

  /// An expression that takes objects.
  private struct TakesObjects: Error {}

  /// An expression over the values of key paths; nil for one without any.
  private mutating func overPaths(_ expression: QueryExpression) throws(TakesObjects) -> QueryExpression? {
    switch expression.kind {
    case .keyPath(let path):
      guard let key = pathKey(path) else { throw TakesObjects() }
      return QueryExpression(QueryExpression.key(key).kind, sourceRange: expression.sourceRange)
    case .subquery, .variable, .fetch, .block, .call: throw TakesObjects()
    default: break
    }
    var copy = self
    let result = try expression.rewritingParts(
      expression: { part throws(TakesObjects) in try copy.overPaths(part) },
      predicate: { part throws(TakesObjects) in try copy.overPaths(part) })
    self = copy
    return result
  }

  private mutating func overPaths(_ predicate: QueryPredicate) throws(TakesObjects) -> QueryPredicate? {
    if case .block = predicate { throw TakesObjects() }
    var copy = self
    let result = try predicate.rewritingParts(
      expression: { part throws(TakesObjects) in try copy.overPaths(part) },
      predicate: { part throws(TakesObjects) in try copy.overPaths(part) })
    self = copy
    return result
  }

  /// The key under which expressions name a key path of single values; nil for every other path.
  private mutating func pathKey(_ path: QueryKeyPath) -> String? {
    switch path.base?.kind {
    case nil, .evaluatedObject: break
    default: return nil
    }
    var keys: [String] = []
    for step in path.steps {
      switch step {
      case .key(let key): keys.append(key)
      case .collectionOperator(let name): keys.append("@\(name)")
      case .variable: return nil
      }
    }
    let text = keys.joined(separator: ".")
    guard let resolved = try? checker.resolve(field: text), resolved.type.member == nil else { return nil }
    return ResultQuery.leafKey(position(of: text))
  }

  // MARK: Reading

  /// The texts of the expressions.
  var computedTexts: [String] {
    zip(texts, fields).compactMap { text, field in if case .computed = field { text } else { nil } }
  }

  /// The fields as expressions over an object.
  var expressions: [QueryExpression] {
    fields.map { field in
      switch field {
      case .path(_, let resolved):
        resolved.keys.isEmpty
          ? .evaluatedObject : QueryExpression(.keyPath(QueryKeyPath(steps: resolved.keys)))
      case .computed(let expression, _, _): expression
      }
    }
  }

  /// Whether a store that has the key paths need not be asked for objects.
  var isReadByPaths: Bool {
    fields.allSatisfy { if case .computed(_, nil, _) = $0 { false } else { true } }
  }

  /// The fields as they are asked of objects.
  func objectFields(_ options: EvaluationOptions) throws -> [ObjectField] {
    try zip(texts, fields).map { text, field in
      switch field {
      case .path(_, let resolved): try ObjectField(text, resolved)
      case .computed(let expression, _, let type):
        ObjectField(
          computing: text, try ExpressionEvaluator(expression, options: options), isSingle: type == .float)
      }
    }
  }

  /// Computation of the fields from the values of a store; nil where nothing is to be computed.
  func computation(_ options: EvaluationOptions) throws -> FieldComputation? {
    guard fields.contains(where: { if case .computed = $0 { true } else { false } }) else { return nil }
    return FieldComputation(
      pathCount: paths.count,
      fields: try zip(texts, fields).map { text, field in
        switch field {
        case .path(let position, _): .path(position)
        case .computed(let expression, let over, let type):
          .computed(
            ObjectField(
              computing: text, try ExpressionEvaluator(over ?? expression, options: options),
              isSingle: type == .float))
        }
      })
  }
}

extension ObjectFieldRow {
  init(_ object: ManagedObject, fields: [ObjectField]) throws {
    try self.init(object, objectID: object.objectID, fields: fields)
  }
}
