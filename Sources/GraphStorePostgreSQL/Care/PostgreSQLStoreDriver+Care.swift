#if PostgreSQL
import GraphStore
import GraphStoreModel

extension PostgreSQLStoreDriver: StoreCareDriver {
  func check(
    _ path: String, model given: ManagedObjectModel?, configuration: String?, isQuick: Bool, timeout: Duration
  ) throws -> [StoreCheckResult] {
    try withStore(path, given, configuration, timeout) { store in
      try store.read([.severalStatements, .wholeStore]) { session in
        guard let session = session as? PostgreSQLReadSession else { return [] }
        return try PostgreSQLInspector(session).run(isQuick: isQuick)
      }
    }
  }

  func repair(
    _ path: String, model given: ManagedObjectModel?, clearing cleared: [String], timeout: Duration,
    carryingOut steps: [StoreRepair.Step]?
  ) throws -> StoreRepair.Result {
    guard cleared.isEmpty else {
      throw GraphStoreError.unsupportedRequest(
        "Clearing values of a wrong type", of: type.rawValue,
        instead: "Set the values anew: a server holds values of a column's own type alone.")
    }
    return try withStore(path, given, nil, timeout, isReadOnly: false) { store in
      let session = try PostgreSQLWriteSession(store, isShared: false)
      do {
        let backup = try steps.map { _ in
          store.address.text(ofSchema: try PostgreSQLSchemaCopy(session).run())
        }
        let outcome = try PostgreSQLRepair(session).run()
        guard let steps else {
          try session.rollback()
          return StoreRepair.Result(steps: outcome.steps, unrepaired: outcome.unrepaired, backup: "")
        }
        guard outcome.steps == steps else { throw StoreRepair.changed(store.path) }
        try session.commit()
        return StoreRepair.Result(
          steps: outcome.steps, unrepaired: outcome.unrepaired, backup: backup ?? "")
      } catch {
        try? session.rollback()
        throw error
      }
    }
  }

  func statistics(
    _ path: String, model given: ManagedObjectModel?, configuration: String?, entity name: String?,
    timeout: Duration
  ) throws -> [EntityStatistics] {
    try withStore(path, given, configuration, timeout) { store in
      try store.read(.severalStatements) { session in
        guard let session = session as? PostgreSQLReadSession else { return [] }
        let entities = store.schema.numberedEntities.filter { !$0.entity.isAbstract }
        let wanted = try StoreStatistics.wanted(
          name, among: entities.map(\.entity), of: store.schema.model)
        let survey = try PostgreSQLStatistics(session)
        return try entities.filter { wanted.contains($0.entity) }.map(survey.read)
      }
    }
  }

  private func withStore<Result>(
    _ path: String, _ given: ManagedObjectModel?, _ configuration: String?, _ timeout: Duration,
    isReadOnly: Bool = true, _ body: (PostgreSQLStore) throws -> Result
  ) throws -> Result {
    let options = StoreOptions(isReadOnly: isReadOnly, timeout: timeout, configuration: configuration)
    let store = try PostgreSQLStore.open(
      PostgreSQLAddress(path), options, given.map(WantedEntities.model) ?? .carried, StoreUse())
    defer { store.close() }
    guard isReadOnly || !store.isReadOnly else {
      throw GraphStoreError.standby(store.path, remedy: "Repair it on the primary.")
    }
    return try body(store)
  }
}
#endif
