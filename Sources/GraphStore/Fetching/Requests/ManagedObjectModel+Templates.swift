import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectModel {
  /// A new request made of a stored one, with every variable replaced by its value.
  ///
  /// An explicit null makes a null test. Keys that the stored request does not use are ignored. The request
  /// belongs to the caller; the stored one stays as it is.
  ///
  /// - Parameters:
  ///   - name: The name of the stored request.
  ///   - variables: The values by the names of the variables, without `$`; nil for none.
  /// - Throws: ``/GraphStoreModel/ModelLookupError`` `unknown-template` with the nearest name;
  ///   ``/GraphStorePredicates/QueryPredicateError`` `unbound-variable` with all names that have no value.
  public func fetchRequest(
    fromTemplate name: String, substituting variables: [String: Value]? = nil
  ) throws -> FetchRequest<ManagedObject> {
    try FetchRequest(try fetchRequestTemplate(named: name), substituting: variables ?? [:])
  }

  /// A new request made of a stored one; the classic name of ``fetchRequest(fromTemplate:substituting:)``.
  ///
  /// - Throws: see there.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Value]
  ) throws -> FetchRequest<ManagedObject> {
    try fetchRequest(fromTemplate: name, substituting: variables)
  }
}

extension FetchRequest<ManagedObject> {
  /// Makes a request of a stored one, with every variable replaced by its value.
  ///
  /// - Throws: `unbound-variable` with all names that have no value, of the condition on groups too.
  public init(_ template: FetchRequestTemplate, substituting variables: [String: Value] = [:]) throws {
    let unbound = template.variables.filter { variables[$0] == nil }
    if let first = unbound.first {
      throw QueryPredicateError(
        .unboundVariable, "No value is given for \(unbound.map { "$" + $0 }.joined(separator: ", ")).",
        suggestions: NearestNames.names(near: first, among: variables.keys.sorted()), subject: "$" + first)
    }
    let results = Set(template.definition.properties.map(\.name))
    let replaced: (QueryExpression) -> QueryExpression = { expression in
      guard case .variable(let name) = expression.kind, !results.contains(name), let value = variables[name]
      else { return expression }
      return QueryExpression(.constant(value), sourceRange: expression.sourceRange)
    }
    try self.init(
      template, predicate: template.predicate?.substituting(variables),
      having: template.having?.mapExpressions(replaced))
    propertiesToFetch = propertiesToFetch?.map { property in
      guard case .expression(var description) = property else { return property }
      description.expression = description.expression.map(replaced)
      return .expression(description)
    }
  }

  /// Makes a request of a stored one with its variables as they are.
  package init(unbound template: FetchRequestTemplate) throws {
    try self.init(template, predicate: template.predicate, having: template.having)
  }

  private init(
    _ template: FetchRequestTemplate, predicate: QueryPredicate?, having: QueryPredicate?
  ) throws {
    let definition = template.definition
    self.init(
      entityName: template.entity.name, predicate: predicate, sortDescriptors: template.sortDescriptors,
      fetchLimit: definition.limit, fetchOffset: definition.offset,
      includesSubentities: definition.includesSubentities)
    relationshipKeyPathsForPrefetching = definition.prefetch
    fetchBatchSize = definition.batchSize
    resultType = FetchRequestResultType(definition.resultType)
    propertiesToFetch =
      try definition.properties.isEmpty ? nil : definition.properties.map(ResultProperty.init)
    propertiesToGroupBy = definition.groupBy.isEmpty ? nil : definition.groupBy.map(ResultProperty.keyPath)
    havingPredicate = having
    returnsDistinctResults = definition.distinct
  }
}

extension FetchRequestResultType {
  /// The type that model files have a word for.
  init(_ type: FetchResultType) {
    switch type {
    case .objects: self = .managedObject
    case .ids: self = .managedObjectID
    case .dictionaries: self = .dictionary
    case .count: self = .count
    }
  }
}

extension ResultProperty {
  /// Makes a property of what a model file says.
  init(_ definition: ResultPropertyDefinition) throws(QueryPredicateError) {
    guard let expression = definition.expression else {
      self = .keyPath(definition.name)
      return
    }
    self = .expression(
      try ExpressionDescription(name: definition.name, parsing: expression, resultType: definition.type))
  }
}
