import GraphStore

/// Fetch request made of texts, which it keeps, so that an error can be located in them.
package struct EntityQuery {
  /// One condition, with the text it was given as and where that was.
  package struct Condition {
    var label: String
    var text: String
    var predicate: QueryPredicate
  }

  /// The entity whose objects are asked for.
  package let entity: EntityDescription
  /// The request that the texts make.
  package private(set) var request: FetchRequest<ManagedObject>
  let conditions: [Condition]
  let sort: String?
  /// What is shown of groups, or of different rows.
  let selection: ResultSelection?
  /// The names of the variables that the texts ask for; none where no variable has a value.
  package private(set) var askedVariables: [String] = []
  private let limit: Int?
  let resolve: @Sendable (String) -> ObjectReference?

  /// Reads a query for objects of an entity.
  ///
  /// - Parameters:
  ///   - store: The store that is asked; nil for all.
  ///   - coordinator: Finds the objects that the texts name; nil where no store is open.
  /// - Throws: ``LocatedPredicateError`` for a text that cannot be read.
  package init(
    _ entity: EntityDescription, _ text: QueryText, of store: PersistentStoreReference? = nil,
    in coordinator: PersistentStoreCoordinator?
  ) throws {
    self.entity = entity
    sort = text.sort
    limit = text.limit
    resolve = { text in
      (coordinator?.managedObjectID(forShortForm: text)).map { ObjectReference($0) }
    }
    let stored = try text.template.map { try Self.template($0, for: entity) }
    selection = try ResultSelection(text, template: stored, of: entity, in: coordinator)
    request = try Self.request(text, template: stored, of: entity)
    request.affectedStores = store.map { [$0] }
    selection?.apply(to: &request)
    if let paths = text.prefetched.joinedList { try Self.add(prefetched: paths, to: &request, of: entity) }
    conditions = try Self.conditions(text, template: stored, of: entity)
    if let keys = try sortDescriptors() { request.sortDescriptors = keys }
    if !request.variables.isEmpty { try recordVariables(of: text, template: stored) }
    if !conditions.isEmpty { request.predicate = .all(of: conditions.map(\.predicate)) }
  }

  /// The request with all that needs no reading.
  private static func request(
    _ text: QueryText, template: FetchRequestTemplate?, of entity: EntityDescription
  ) throws -> FetchRequest<ManagedObject> {
    var request = try template.map { try FetchRequest(unbound: $0) } ?? FetchRequest(entityName: entity.name)
    request.entityName = entity.name
    if let limit = text.limit { request.fetchLimit = limit }
    if let offset = text.offset { request.fetchOffset = offset }
    request.includesSubentities = request.includesSubentities && text.includesSubentities
    if text.isStrict { request.inMemoryEvaluation = .refused }
    request.variables = text.variables
    return request
  }

  /// Adds the relationships to prefetch to those of the template.
  private static func add(
    prefetched list: String, to request: inout FetchRequest<ManagedObject>, of entity: EntityDescription
  ) throws {
    for path in try prefetchPaths(list, of: entity, request.resultType)
    where !request.relationshipKeyPathsForPrefetching.contains(path) {
      request.relationshipKeyPathsForPrefetching.append(path)
    }
  }

  /// The condition of the template, and those of the text.
  private static func conditions(
    _ text: QueryText, template: FetchRequestTemplate?, of entity: EntityDescription
  ) throws -> [Condition] {
    let own = template.flatMap { template in
      template.predicate.map {
        Condition(
          label: "fetch request \(template.name)", text: template.definition.predicate ?? $0.predicateFormat,
          predicate: $0)
      }
    }
    return try [own].compactMap(\.self)
      + text.predicates.map { text throws(LocatedPredicateError) in
        let predicate = try located(text, label: "--where", entity: entity) {
          () throws(QueryPredicateError) in
          try QueryPredicate(parsing: text)
        }
        return Condition(label: "--where", text: text, predicate: predicate)
      }
      + text.searches.map { try condition(searching: $0, of: entity) }
  }

  /// A search as the predicate that it stands for, in which errors are located.
  private static func condition(searching text: String, of entity: EntityDescription) throws -> Condition {
    let format = try TextSearch(text, of: entity).predicate.predicateFormat
    return Condition(label: searchLabel, text: format, predicate: try QueryPredicate(parsing: format))
  }

  private static let searchLabel = "--search"

  /// What searches are read as.
  package var searches: [String] { conditions.filter { $0.label == Self.searchLabel }.map(\.text) }

  /// Records which variables are asked for.
  ///
  /// - Throws: `unknown-variable` for one that has to be, and is not.
  private mutating func recordVariables(of text: QueryText, template: FetchRequestTemplate?) throws {
    askedVariables =
      conditions.flatMap(\.predicate.names.variables) + (selection?.variables ?? [])
      + ListText(text.fields.joinedList ?? "").parts.flatMap {
        (try? QueryExpression(parsing: $0.text))?.names.variables ?? []
      } + request.sortDescriptors.flatMap(\.expression.names.variables)
    let place = template.map { "the fetch request \($0.name) has no" } ?? "nothing asks for the"
    try VariableNames.refuseUnused(text.requiredVariables, known: askedVariables, message: place)
  }

  /// The sort keys of the text; nil where it has none.
  private func sortDescriptors() throws(LocatedPredicateError) -> [QuerySortDescriptor]? {
    guard let sort else { return nil }
    let names = request.propertiesToFetch?.map(\.name) ?? []
    return try Self.sortKeys(sort, results: names, of: entity).map { key in
      Self.isName(of: key, among: names) ? key : Self.sortKey(key, entity)
    }
  }

  /// Whether a sort key is the name of a result.
  private static func isName(of key: QuerySortDescriptor, among names: some Collection<String>) -> Bool {
    key.keyPath.plainKeys.map { names.contains($0.joined(separator: ".")) } ?? false
  }

  /// A sort key, with the name under which the object's own id is printed read as what the language calls it.
  private static func sortKey(
    _ descriptor: QuerySortDescriptor, _ entity: EntityDescription
  ) -> QuerySortDescriptor {
    guard case .key(let key)? = descriptor.keyPath.steps.first, descriptor.keyPath.steps.count == 1,
      descriptor.keyPath.base == nil, entity.isIdentifierKey(key)
    else { return descriptor }
    return QuerySortDescriptor(
      keyPath: QueryKeyPath(steps: [.key("objectID")]), ascending: descriptor.ascending,
      comparator: descriptor.comparator, nilPlacement: descriptor.nilPlacement,
      sourceRange: descriptor.sourceRange)
  }

  /// Whether `--limit 0` asks for nothing; a request with a limit of 0 has none.
  package var isEmpty: Bool { limit == 0 }

  /// Whether the results have an order, or are a part of them.
  package var hasOrderOrWindow: Bool {
    !request.sortDescriptors.isEmpty || request.fetchLimit > 0 || request.fetchOffset > 0
  }

  /// Runs something with the request, and finds the text in which a problem lies.
  package func run<Result>(_ body: (FetchRequest<ManagedObject>) throws -> Result) throws -> Result {
    do {
      return try body(request)
    } catch let error as QueryPredicateError {
      throw locate(error)
    } catch let error as GraphStoreError where error.code == .unsupportedInStore {
      throw diagnostic(ofRefusal: error)
    } catch let error as GraphStoreError where request.resultType == .dictionary && error.code.isOfResults {
      throw diagnostic(ofResults: error)
    }
  }

  private func locate(_ error: QueryPredicateError) -> LocatedPredicateError {
    if let located = locatePattern(error) { return located }
    for condition in conditions {
      let checker = PredicateTypeChecker(entity: entity, source: condition.text, resolve: resolve)
      do throws(QueryPredicateError) {
        _ = try checker.check(try condition.predicate.substituting(request.variables))
      } catch {
        return LocatedPredicateError(
          error: error, label: condition.label, text: condition.text, entity: entity)
      }
    }
    if let located = locateInResults(error) { return located }
    if let sort {
      do {
        var checker = PredicateTypeChecker(entity: entity, source: sort, resolve: resolve)
        checker.aggregatesRows = selection != nil
        let results = Set(request.propertiesToFetch?.map(\.name) ?? [])
        for key in request.sortDescriptors where !Self.isName(of: key, among: results) {
          _ = try checker.check([try key.substituting(request.variables)])
        }
      } catch {
        return LocatedPredicateError(error: error, label: "--sort", text: sort, entity: entity)
      }
    }
    if let source = error.source, source != sort, !conditions.contains(where: { $0.text == source }) {
      // No text of the request: that of a field that was computed.
      return LocatedPredicateError(error: error, label: "--fields", text: source, entity: entity)
    }
    return LocatedPredicateError(
      error: error, label: conditions.first?.label ?? "request",
      text: error.source ?? conditions.first?.text ?? "",
      entity: entity)
  }

  /// The place of a pattern that took too many steps, which the store does not know.
  private func locatePattern(_ error: QueryPredicateError) -> LocatedPredicateError? {
    guard error.code == .limit, let pattern = error.subject else { return nil }
    for condition in conditions {
      var search = PatternSearch(pattern)
      (try? condition.predicate.substituting(request.variables))?.walk(&search)
      guard let range = search.range else { continue }
      return LocatedPredicateError(
        error: error.placed(at: range), label: condition.label, text: condition.text, entity: entity)
    }
    return nil
  }

  static func located<Result>(
    _ text: String, label: String, entity: EntityDescription?,
    _ body: () throws(QueryPredicateError) -> Result
  ) throws(LocatedPredicateError) -> Result {
    do throws(QueryPredicateError) {
      return try body()
    } catch {
      throw LocatedPredicateError(error: error, label: label, text: text, entity: entity)
    }
  }
}

extension EntityQuery {
  /// The stored fetch request that a query begins with.
  ///
  /// - Throws: `unknown-template` with the nearest name; a usage error where it fetches another entity.
  static func template(_ name: String, for entity: EntityDescription) throws -> FetchRequestTemplate {
    let template = try entity.model.fetchRequestTemplate(named: name)
    guard entity.isKind(of: template.entity) else {
      throw Diagnostic(
        code: "usage",
        message: "the fetch request \(template.name) fetches \(template.entity.name), not \(entity.name)",
        hints: ["name \(template.entity.name) or one of its sub-entities"], exitCode: .usage)
    }
    return template
  }
}
