import GraphStore

/// What is shown of groups, or of different rows: read from texts, which it keeps, so that an error can be
/// located in them.
struct ResultSelection {
  /// One value, and the text that it was given as.
  struct Entry {
    var label: String
    var text: String
    var property: ResultProperty
  }

  private(set) var groups: [Entry] = []
  private(set) var results: [Entry] = []
  let having: EntityQuery.Condition?
  let isDistinct: Bool

  /// Reads what a query says of groups; nil where it says nothing.
  ///
  /// - Parameters:
  ///   - template: The stored request that the query begins with; what is not given stays as it says.
  ///   - coordinator: Says what is shown where nothing is named.
  /// - Throws: ``LocatedPredicateError`` for an expression that cannot be read.
  init?(
    _ text: QueryText, template: FetchRequestTemplate?, of entity: EntityDescription,
    in coordinator: PersistentStoreCoordinator?
  ) throws {
    let isStored = template?.definition.resultType == .dictionaries
    guard text.groups.isGiven || isStored && !text.fields.isEmpty else { return nil }
    isDistinct = text.groups.isDistinct
    having = try text.groups.having.map { text in
      let predicate = try EntityQuery.located(text, label: "--having", entity: entity) {
        () throws(QueryPredicateError) in
        try QueryPredicate(parsing: text)
      }
      return EntityQuery.Condition(label: "--having", text: text, predicate: predicate)
    }
    groups = try Self.entries(text.groups.keys, "--group-by", entity)
    var aggregates = try text.groups.aggregates.flatMap(\.listParts).map { try Self.aggregate($0, entity) }
    if aggregates.isEmpty, !groups.isEmpty, text.fields.isEmpty, having == nil || !isDistinct {
      aggregates = [Self.count]
    }
    results = try shown(text, aggregates, of: entity, in: coordinator)
    if results.isEmpty, !isStored { results = try Self.usual(of: entity, in: coordinator) }
  }

  /// What rows show: the fields, and the aggregates that they do not name; without fields the groups and
  /// aggregates.
  private func shown(
    _ text: QueryText, _ aggregates: [Entry], of entity: EntityDescription,
    in coordinator: PersistentStoreCoordinator?
  ) throws -> [Entry] {
    let fields = try Self.fields(text.fields, of: entity, in: coordinator).map { entry in
      (groups + aggregates).first { $0.property.name == entry.property.name } ?? entry
    }
    if fields.isEmpty { return groups + aggregates }
    let names = Set(fields.map(\.property.name))
    let others = text.groups.aggregates.isEmpty ? [] : aggregates
    return fields + others.filter { !names.contains($0.property.name) }
  }

  /// What rows show where nothing is named: what tables show of single objects.
  private static func usual(
    of entity: EntityDescription, in coordinator: PersistentStoreCoordinator?
  ) throws -> [Entry] {
    let keyPaths =
      try coordinator.map { try ResultColumns(entity, in: $0, fields: nil, format: .table).keyPaths }
      ?? entity.attributes.map(\.name)
    return keyPaths.map { Entry(label: "--fields", text: $0, property: .keyPath($0)) }
  }

  /// Puts what is asked for into a request.
  func apply(to request: inout FetchRequest<ManagedObject>) {
    request.resultType = .dictionary
    if !results.isEmpty { request.propertiesToFetch = results.map(\.property) }
    if !groups.isEmpty { request.propertiesToGroupBy = groups.map(\.property) }
    if let having { request.havingPredicate = having.predicate }
    if isDistinct { request.returnsDistinctResults = true }
  }

  /// Everything that was written.
  var entries: [Entry] { groups + results }

  /// The names of the variables in it.
  var variables: [String] {
    let expressions = entries.compactMap { entry -> QueryExpression? in
      if case .expression(let description) = entry.property { description.expression } else { nil }
    }
    return expressions.flatMap(\.names.variables) + (having?.predicate.names.variables ?? [])
  }

  // MARK: Reading

  private static let count = Entry(
    label: "--aggregate", text: "count",
    property: .expression(
      ExpressionDescription(name: "count", expression: .function(.count, .evaluatedObject))))

  private static func entries(
    _ lists: [String], _ label: String, _ entity: EntityDescription
  ) throws -> [Entry] {
    try lists.flatMap(\.listParts).map { try entry($0, label, entity) }
  }

  /// What `--fields` names; `*` stands for what is shown where nothing is named, and repeats nothing.
  private static func fields(
    _ lists: [String], of entity: EntityDescription, in coordinator: PersistentStoreCoordinator?
  ) throws -> [Entry] {
    var fields: [Entry] = []
    var starred: Set<ResultProperty> = []
    for part in lists.flatMap(\.listParts) {
      guard part.text == "*", part.name == nil else {
        let named = try entry(part, "--fields", entity)
        if !starred.contains(named.property) { fields.append(named) }
        continue
      }
      let known = Set(fields.map(\.property))
      let further = try usual(of: entity, in: coordinator).filter { !known.contains($0.property) }
      starred.formUnion(further.map(\.property))
      fields += further
    }
    return fields
  }

  private static func entry(
    _ part: ListText.Part, _ label: String, _ entity: EntityDescription
  ) throws -> Entry {
    if part.name == nil, entity.isIdentifierKey(part.text) {
      let own = ExpressionDescription(name: part.text, expression: .evaluatedObject)
      return Entry(label: label, text: part.text, property: .expression(own))
    }
    if part.name == nil, (try? QueryKeyPath(parsing: part.text)) != nil {
      return Entry(label: label, text: part.text, property: .keyPath(part.text))
    }
    return try expression(part, label, entity)
  }

  private static func aggregate(_ part: ListText.Part, _ entity: EntityDescription) throws -> Entry {
    let name = part.name ?? part.text
    if ["count", "count:"].contains(part.text) {
      let expression = QueryExpression.function(.count, .evaluatedObject)
      return Entry(
        label: "--aggregate", text: part.text,
        property: .expression(ExpressionDescription(name: name, expression: expression)))
    }
    guard let (function, key) = short(part.text) else { return try expression(part, "--aggregate", entity) }
    let range = SourceRange(offset: part.text.utf8.count - key.utf8.count, length: key.utf8.count)
    let path = try EntityQuery.located(part.text, label: "--aggregate", entity: entity) {
      () throws(QueryPredicateError) in
      try QueryKeyPath(parsing: key)
    }
    let argument = QueryExpression(.keyPath(path), sourceRange: range)
    let whole = SourceRange(offset: 0, length: part.text.utf8.count)
    let expression = QueryExpression(.function(function, [argument]), sourceRange: whole)
    return Entry(
      label: "--aggregate", text: part.text,
      property: .expression(ExpressionDescription(name: name, expression: expression)))
  }

  /// `sum:salary`: a function and the key path that it aggregates; nil for every other text.
  private static func short(_ text: String) -> (QueryFunction, String)? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let key = String(text[text.index(after: colon)...])
    guard (try? QueryKeyPath(parsing: key)) != nil else { return nil }
    guard let function = QueryFunction.aggregate(named: String(text[..<colon])), function != .percentile
    else { return nil }
    return (function, key)
  }

  private static func expression(
    _ part: ListText.Part, _ label: String, _ entity: EntityDescription
  ) throws -> Entry {
    let expression = try EntityQuery.located(part.text, label: label, entity: entity) {
      () throws(QueryPredicateError) in
      try QueryExpression(parsing: part.text)
    }
    return Entry(
      label: label, text: part.text,
      property: .expression(ExpressionDescription(name: part.name ?? part.text, expression: expression)))
  }
}

extension String {
  /// The parts of the text as a list.
  fileprivate var listParts: [ListText.Part] { ListText(self).parts }
}
