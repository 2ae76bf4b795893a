import GraphStore

/// Fetch request made of options, with their texts, so that an error can be located in them.
struct EntityQuery {
  let entity: EntityDescription
  private(set) var request: FetchRequest<ManagedObject>
  /// One condition, with the text it was given as and where that was.
  struct Condition {
    var label: String
    var text: String
    var predicate: QueryPredicate
  }

  let conditions: [Condition]
  let sort: String?
  /// What is printed of groups, or of different rows.
  let selection: ResultSelection?
  private let limit: Int?
  let resolve: @Sendable (String) -> ObjectReference?

  /// Reads the options of a command that selects objects of an entity.
  ///
  /// - Parameters:
  ///   - fields: What is printed of single objects, which may use variables.
  ///   - store: The store that is asked; nil for all.
  /// - Throws: ``LocatedPredicateError`` for a text that cannot be read.
  init(
    _ entity: EntityDescription, filter: FilterOptions, template: String? = nil, sort: String? = nil,
    fields: String? = nil, limit: Int? = nil, offset: Int? = nil, prefetch: String? = nil,
    isStrict: Bool = false, results: ResultSelection? = nil, of store: PersistentStoreReference? = nil,
    in session: CommandSession
  ) throws {
    self.entity = entity
    self.sort = sort
    self.limit = limit
    selection = results
    let stored = try template.map { try Self.template($0, for: entity) }
    request = try stored.map { try FetchRequest(unbound: $0) } ?? FetchRequest(entityName: entity.name)
    request.entityName = entity.name
    if let limit { request.fetchLimit = limit }
    if let offset { request.fetchOffset = offset }
    request.includesSubentities = request.includesSubentities && filter.subentities
    request.affectedStores = store.map { [$0] }
    if isStrict { request.inMemoryEvaluation = .refused }
    results?.apply(to: &request)
    if let prefetch {
      for path in try Self.prefetchPaths(prefetch, of: entity, request.resultType)
      where !request.relationshipKeyPathsForPrefetching.contains(path) {
        request.relationshipKeyPathsForPrefetching.append(path)
      }
    }
    let coordinator = session.openContext?.coordinator
    resolve = { text in
      (coordinator?.managedObjectID(forShortForm: text)).map { ObjectReference($0) }
    }
    request.variables = try Self.variables(filter.variables, session.settings.variables)
    let own = stored.flatMap { stored in
      stored.predicate.map {
        Condition(
          label: "fetch request \(stored.name)", text: stored.definition.predicate ?? $0.predicateFormat,
          predicate: $0)
      }
    }
    conditions =
      try [own].compactMap(\.self)
      + filter.predicates.map { text in
        let predicate = try Self.located(text, label: "--where", entity: entity) {
          () throws(QueryPredicateError) in
          try QueryPredicate(parsing: text)
        }
        return Condition(label: "--where", text: text, predicate: predicate)
      }
    if !request.variables.isEmpty {
      let names =
        conditions.flatMap(\.predicate.names.variables) + (results?.variables ?? [])
        + ListText(fields ?? "").parts.flatMap {
          (try? QueryExpression(parsing: $0.text))?.names.variables ?? []
        }
      session.askedVariables.formUnion(names)
      let place = stored.map { "the fetch request \($0.name) has no" } ?? "nothing asks for the"
      try PredicateVariable.refuseUnused(filter.variables, known: names, message: place)
    }
    if !conditions.isEmpty { request.predicate = .all(of: conditions.map(\.predicate)) }
    if let sort {
      let names = request.propertiesToFetch?.map(\.name) ?? []
      request.sortDescriptors = try Self.sortKeys(sort, results: names, of: entity).map { key in
        names.contains("\(key.keyPath)") ? key : Self.sortKey(key, entity)
      }
    }
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
      comparator: descriptor.comparator, sourceRange: descriptor.sourceRange)
  }

  /// Whether `--limit 0` asks for nothing; a request with a limit of 0 has none.
  var isEmpty: Bool { limit == 0 }

  /// Whether the results have an order, or are a part of them.
  var hasOrderOrWindow: Bool {
    !request.sortDescriptors.isEmpty || request.fetchLimit > 0 || request.fetchOffset > 0
  }

  /// Runs something with the request, and finds the text in which a problem lies.
  func run<Result>(_ body: (FetchRequest<ManagedObject>) throws -> Result) throws -> Result {
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
        let checker = PredicateTypeChecker(entity: entity, source: sort)
        let results = Set(request.propertiesToFetch?.map(\.name) ?? [])
        _ = try checker.check(request.sortDescriptors.filter { !results.contains("\($0.keyPath)") })
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

  private static func variables(
    _ texts: [String], _ given: [PredicateVariable]
  ) throws -> [String: Value] {
    var values: [String: Value] = [:]
    for variable in given + texts.compactMap(PredicateVariable.init) {
      guard variable.isJSON else {
        values[variable.name] = .string(variable.value)
        continue
      }
      do {
        values[variable.name] = Value(try JSONText.value(Array(variable.value.utf8)))
      } catch {
        throw Diagnostic(
          code: "json-syntax", message: "--var \(variable.name): \(error.message)",
          source: Diagnostic.Source(label: "--var", text: variable.value, offset: error.offset, length: 1),
          exitCode: .usage)
      }
    }
    return values
  }
}

extension EntityQuery {
  /// The stored fetch request that a command begins with.
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
