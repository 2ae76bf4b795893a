import GraphStorePredicates

extension SQLFetchPlan {
  /// Explanation of a request by an engine that says neither which index gives the order nor how many rows
  /// are read.
  ///
  /// - Parameters:
  ///   - store: The name of the store.
  ///   - bindings: The bound values for people.
  ///   - steps: The engine's own plan, a line each, which is indented by two spaces a level.
  ///   - total: The objects that the request's entity has in the store.
  package func explanation(
    of request: StoreRequest, store: String, bindings: [String], steps: [String], total: Int
  ) -> FetchExplanation {
    let isWindowed = request.fetchLimit > 0 || request.fetchOffset > 0
    let readsAll = !notes.contains { $0.kind == .predicate && $0.isInStore }
    return FetchExplanation(
      entity: request.entityName, parts: notes,
      statements: [
        FetchExplanation.Statement(
          prefetching: nil, store: store, sql: sql, bindings: bindings, steps: steps)
      ],
      sort: sort(of: request),
      window: isWindowed
        ? FetchExplanation.Window(
          limit: request.fetchLimit, offset: request.fetchOffset, reason: isWindowedByStore ? nil : .mixed)
        : nil,
      rows: FetchExplanation.Rows(
        read: readsAll ? total : nil, returned: nil, total: total, isExact: readsAll), advice: [])
  }

  private func sort(of request: StoreRequest) -> FetchExplanation.Sort? {
    guard !request.sortDescriptors.isEmpty || output.hasRequestedOrder else { return nil }
    if isSortedByStore { return .afterReading }
    return .memory(notes.first { $0.kind == .sort && !$0.isInStore }?.reason ?? .mixed)
  }
}

extension FetchExplanation.Statement {
  /// - Parameter steps: The engine's own plan, a line each, which is indented by two spaces a level.
  package init(prefetching path: String?, store: String, sql: String, bindings: [String], steps: [String]) {
    self.init(
      prefetches: path, store: store, sql: sql, bindings: bindings,
      plan: steps.map { step in
        let text = step.drop { $0 == " " }
        return FetchExplanation.Step(depth: (step.count - text.count) / 2, text: String(text))
      })
  }
}
