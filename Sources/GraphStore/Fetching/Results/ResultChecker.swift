import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Checks what a request for dictionaries asks for against the model, and determines its leaves (FET-023).
struct ResultChecker {
  /// A value of results or groups, with the names in it resolved.
  struct Named {
    var name: String
    /// Over the row, aggregates included.
    var expression: QueryExpression
    var type: ExpressionType
    var attribute: AttributeDescription?
    var conversion: AttributeType?
  }

  let entity: EntityDescription
  let options: ResultOptions
  /// Values of the variables in expressions and in the condition on groups.
  let variables: [String: Value]
  var checker: PredicateTypeChecker
  /// Whether a store may hold values of an attribute.
  let holds: (AttributeDescription) -> Bool
  var query = ResultQuery()
  /// What rows are grouped by.
  var groups: [Named] = []
  var named: [Named] = []

  init(
    _ request: FetchRequest<ManagedObject>, _ checker: PredicateTypeChecker,
    holds: @escaping (AttributeDescription) -> Bool
  ) {
    entity = checker.entity
    options = request.resultOptions
    variables = request.variables
    self.checker = checker
    self.holds = holds
  }

  /// The checked form.
  ///
  /// - Throws: `invalid-property`, `duplicate-result-name`, `group-by-required`, `invalid-having`,
  ///   `invalid-request`, and ``/GraphStorePredicates/QueryPredicateError`` for expressions and keys that do
  ///   not fit the entity.
  mutating func check(_ descriptors: [QuerySortDescriptor], isWindowed: Bool) throws -> ResultQuery {
    for property in options.propertiesToGroupBy ?? [] {
      let key = try named(property, isKey: true)
      groups.append(key)
    }
    if options.havingPredicate != nil, groups.isEmpty {
      throw groupByRequired(
        "A condition on groups needs groups.", remedy: "Set propertiesToGroupBy, or use predicate.", nil)
    }
    named = try results()
    try checkNames()
    query.isDistinct = options.returnsDistinctResults
    query.groupTexts = groups.map(\.name)
    for group in groups {
      query.leaves.append(.init(role: .value, expression: group.expression, type: group.type))
    }
    query.keyCount = groups.count
    query.isGrouped =
      try !groups.isEmpty || named.contains { try RowAggregate.isPart(of: $0.expression, checker) }
    try addResults()
    if let having = options.havingPredicate {
      query.writtenHaving = having
      query.having = try condition(having)
    }
    for descriptor in descriptors { query.order.append(try order(descriptor)) }
    breakTies(descending: descriptors.last?.ascending == false, isNeeded: isWindowed || !descriptors.isEmpty)
    return query
  }

  // MARK: Names

  private mutating func results() throws -> [Named] {
    if let properties = options.propertiesToFetch {
      guard !properties.isEmpty else {
        throw GraphStoreError(
          .invalidRequest, "A request for dictionaries of \(entity.name) names no property.",
          remedy: "Name one, or leave propertiesToFetch nil for all attributes.", entity: entity.name)
      }
      return try properties.map { try named($0, isKey: false) }
    }
    guard groups.isEmpty else { return groups }
    return try entity.attributes.filter { !$0.isTransient && holds($0) }.map {
      try named(.keyPath($0.name), isKey: false)
    }
  }

  private mutating func named(_ property: ResultProperty, isKey: Bool) throws -> Named {
    switch property {
    case .keyPath(let path):
      if entity.property(named: path) == nil, let description = description(named: path) {
        return try named(description, isKey: isKey)
      }
      return try named(keyPath: path, isKey: isKey)
    case .expression(let description): return try named(description, isKey: isKey)
    }
  }

  /// The expression of the request that has a name.
  private func description(named name: String) -> ExpressionDescription? {
    for case .expression(let description) in (options.propertiesToFetch ?? [])
      + (options.propertiesToGroupBy ?? []) where description.name == name
    {
      return description
    }
    return nil
  }

  private mutating func named(keyPath text: String, isKey: Bool) throws -> Named {
    let path: QueryKeyPath
    let found: ResolvedKeyPath
    do throws(QueryPredicateError) {
      path = try QueryKeyPath(parsing: text)
      found = try checker.resolve(path, at: SourceRange(offset: 0, length: text.utf8.count))
    } catch {
      throw error.located(in: text)
    }
    if let property = found.unstoredProperty {
      let kind = property is FetchedPropertyDescription ? "a fetched property" : "not stored"
      throw invalidProperty(text, "\(property.description) is \(kind)", remedy: "Read it from objects.")
    }
    if found.type.member != nil {
      var named = try named(membersOf: found, text, isKey: isKey)
      named.attribute = attribute(atEndOf: found)
      if isKey { try checkKey(named) }
      return named
    }
    let keys = found.keys.filter { $0 != .key("objectID") }
    let expression =
      keys.isEmpty ? QueryExpression.evaluatedObject : QueryExpression(.keyPath(QueryKeyPath(steps: keys)))
    var named = Named(name: text, expression: expression, type: found.type)
    named.attribute = attribute(atEndOf: found)
    if isKey { try checkKey(named) }
    return named
  }

  private mutating func named(_ description: ExpressionDescription, isKey: Bool) throws -> Named {
    guard !description.name.isEmpty else {
      throw GraphStoreError(
        .invalidRequest, "An expression of a request for \(entity.name) has no name.",
        remedy: "Give each ExpressionDescription a name, which is its key in the results.",
        entity: entity.name)
    }
    switch description.resultType {
    case .transformable?, .composite?, .undefined?:
      throw GraphStoreError(
        .invalidRequest,
        "The result \(description.name) cannot be converted to \(description.resultType?.rawValue ?? "").",
        remedy: "Name a type of single values, or none.", entity: entity.name, property: description.name)
    default: break
    }
    let substituted = try description.expression.substituting(variables)
    let folded = substituted.foldingConstants(now: checker.now ?? Date())
    let (expression, type) = try checked(folded, isKey: isKey)
    try check(aggregatesIn: expression, of: description.name)
    var named = Named(name: description.name, expression: expression, type: type)
    named.conversion = description.resultType
    if type.member != nil, try RowAggregate(expression, checker)?.function.function != .mode {
      throw invalidProperty(
        description.name, "\(description.name) yields several values",
        remedy: "Aggregate them, for example by .@count.")
    }
    if case .keyPath(let path) = folded.kind, path.base == nil {
      named.attribute = attribute(atEndOf: try checker.resolve(path))
    }
    if isKey {
      if try RowAggregate.isPart(of: expression, checker) {
        throw invalidProperty(
          description.name, "\(description.name) is an aggregate, and groups are made before that",
          remedy: "Use it in havingPredicate or propertiesToFetch.")
      }
      try checkKey(named)
    }
    return named
  }

  /// The attribute, or element of a composite, that a path ends in.
  private func attribute(atEndOf path: ResolvedKeyPath) -> AttributeDescription? {
    guard path.collectionOperator == nil else { return nil }
    return switch path.steps.last {
    case .attribute(let attributes): attributes.first
    case .element(let element): element
    default: nil
    }
  }

  private func checkKey(_ key: Named) throws {
    switch key.type {
    case .composite, .dictionary, .collection:
      throw invalidProperty(
        key.name, "\(key.name) is \(key.type), by which rows are not grouped",
        remedy: "Name one of its elements.")
    default: return
    }
  }

  /// Refuses aggregates of values of a wrong type, and aggregates of aggregates.
  func check(aggregatesIn expression: QueryExpression, of name: String) throws {
    if let aggregate = try RowAggregate(expression, checker) {
      if let refusal = aggregate.refusal {
        throw invalidProperty(name, refusal, remedy: "Name another key, or count its values.")
      }
      if try RowAggregate.isPart(of: aggregate.argument, checker) {
        throw GraphStoreError(
          .invalidRequest, "\(name) is an aggregate of an aggregate.",
          remedy: "Aggregate values of rows, and compute with the aggregates.", entity: entity.name,
          property: name)
      }
      return
    }
    if case .subquery = expression.kind { return }
    for child in expression.children { try check(aggregatesIn: child, of: name) }
  }

  private func checkNames() throws {
    var seen: Set<String> = []
    for result in named where !seen.insert(result.name).inserted {
      throw GraphStoreError(
        .duplicateResultName, "Two results of the request for \(entity.name) are called \(result.name).",
        remedy: "Give one of them another name.", entity: entity.name, property: result.name)
    }
  }

  // MARK: Errors

  func invalidProperty(_ name: String, _ message: String, remedy: String) -> GraphStoreError {
    GraphStoreError(
      .invalidProperty, "\(message).", remedy: remedy, entity: entity.name, property: name)
  }

  func groupByRequired(_ message: String, remedy: String, _ name: String?) -> GraphStoreError {
    GraphStoreError(.groupByRequired, message, remedy: remedy, entity: entity.name, property: name)
  }
}
