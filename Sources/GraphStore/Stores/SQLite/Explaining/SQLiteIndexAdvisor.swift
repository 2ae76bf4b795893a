import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Finds the index that a statement lacks, by trying candidates on an empty copy of the store's tables.
struct SQLiteIndexAdvisor {
  private static let trialName = "gs_trial_index"

  let store: SQLiteConnection
  let fetch: SQLFetchPlan
  let entity: EntityDescription
  let table: SQLTable
  /// The objects of the entity.
  let total: Int
  /// The functions of the application that the statement may call.
  let functions: PredicateFunctions

  /// The advice; nil where no index changes the plan for the better (DGN-085).
  func advice() throws -> FetchExplanation.Advice? {
    let candidates = SQLiteIndexCandidates(fetch.select, table)
    let trials = candidates.elements.filter { elements in
      elements.allSatisfy { candidates.property($0).map { belongs($0) } ?? false }
    }
    guard !trials.isEmpty else { return nil }
    let copy = try SQLiteSchemaCopy(of: store)
    let applicationFunctions = SQLiteApplicationFunctions()
    defer { copy.connection.close() }
    try applicationFunctions.install(functions, on: copy.connection)
    let now = try SQLiteQueryPlan(copy.connection, sql: fetch.sql, bindings: fetch.bindings)
    for elements in trials {
      let index = SQLIndex(name: Self.trialName, table: table.name, elements: elements)
      try copy.connection.execute(index.sql)
      let then = try SQLiteQueryPlan(copy.connection, sql: fetch.sql, bindings: fetch.bindings)
      try copy.connection.execute("DROP INDEX \(Self.trialName)")
      let gains = gains(now, then)
      if !gains.isEmpty { return advice(elements, candidates: candidates, gains: gains) }
    }
    return nil
  }

  /// Whether the entity has the property, so that its index can name it.
  private func belongs(_ property: PropertyDescription) -> Bool {
    entity.property(named: property.name) != nil
  }

  private func gains(_ now: SQLiteQueryPlan, _ then: SQLiteQueryPlan) -> [String] {
    guard then.uses(Self.trialName) else { return [] }
    var gains: [String] = []
    if now.readsAll(of: table), then.searches { gains.append("avoids reading \(total.grouped) rows") }
    if now.sortsAfterReading, !then.sortsAfterReading { gains.append("avoids sorting") }
    return gains
  }

  private func advice(
    _ elements: [SQLIndex.Element], candidates: SQLiteIndexCandidates, gains: [String]
  ) -> FetchExplanation.Advice {
    let named = elements.map { element in
      FetchExplanation.Advice.Index.Element(
        property: candidates.property(element)?.name ?? element.column ?? "",
        isDescending: element.isDescending == true)
    }
    var reason = gains.joined(separator: ", ")
    let redundant = redundant(beside: named.map(\.property))
    if !redundant.isEmpty {
      reason += "; \(redundant.joined(separator: " and ")) can then go, being a leading part of it"
    }
    let index = FetchExplanation.Advice.Index(name: name(of: named), elements: named)
    return FetchExplanation.Advice(entity: entity.name, index: index, reason: reason)
  }

  /// The entity's indexes that are a leading part of a new one (DGN-093).
  private func redundant(beside properties: [String]) -> [String] {
    entity.indexes.filter { index in
      let names = index.elements.map { element -> String? in
        guard case .property(let property) = element.subject, element.kind == .binary else { return nil }
        return property.name
      }
      return index.predicate == nil && names.count < properties.count
        && names == properties.prefix(names.count).map(Optional.some)
    }.map(\.name)
  }

  private func name(of elements: [FetchExplanation.Advice.Index.Element]) -> String {
    let base = "by" + elements.map { $0.property.prefix(1).uppercased() + $0.property.dropFirst() }.joined()
    let taken = Set(entity.indexes.map(\.name))
    var name = base
    var number = 2
    while taken.contains(name) {
      name = "\(base)\(number)"
      number += 1
    }
    return name
  }
}
