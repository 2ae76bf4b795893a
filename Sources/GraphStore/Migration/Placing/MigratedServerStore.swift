import Foundation
import GraphStoreModel

/// Store on a server that is migrated: it is altered where it is, or the steps read a copy of type SQLite in
/// the folder for temporary files, and what the last has made is written beside the old store, before it
/// takes its place (MIG-277).
///
/// All that is written on the server is one transaction, which also keeps other writers out: a process that
/// dies leaves nothing there.
final class MigratedServerStore: MigratedStore {
  let path: String
  let metadata: StoreMetadata
  private let plan: MigrationPlan
  private let exchange: any StoreExchange
  private let timeout: Duration
  private let isCancelled: () -> Bool
  private var copy: TemporaryStore?

  /// Begins to exchange the store of a plan.
  ///
  /// - Parameters:
  ///   - isLocked: Whether other writers wait; else it is read while they go on, as for a rehearsal.
  ///   - isCancelled: Asked between batches of objects.
  /// - Throws: As ``MigratingStoreDriver/beginExchange(_:isLocking:timeout:)``.
  init(
    _ plan: MigrationPlan, _ driver: any MigratingStoreDriver, isLocked: Bool, timeout: Duration,
    isCancelled: @escaping () -> Bool
  ) throws {
    (self.plan, self.timeout, self.isCancelled) = (plan, timeout, isCancelled)
    path = plan.path
    exchange = try driver.beginExchange(plan.path, isLocking: isLocked, timeout: timeout)
    metadata = exchange.metadata
  }

  deinit { exchange.end() }

  private func checkCancelled() throws { if isCancelled() { throw LockedStore.Cancelled() } }

  // MARK: Reading

  func readingPath() throws -> String { try makeCopy().path }

  func makeCopy() throws -> TemporaryStore {
    if let copy { return copy }
    try exchange.checkRights()
    let model = plan.source.model
    let copy = try TemporaryStore(beside: plan.workingPath(for: path))
    let store = try StoreRegistry.open(path, options(of: model, isReadOnly: true), .model(model))
    defer { store.close() }
    try SQLiteCopy.fill(copy, from: store, onBatch: checkCancelled)
    self.copy = copy
    return copy
  }

  func endReading() { copy = nil }

  private func options(of model: ManagedObjectModel, isReadOnly: Bool = false) -> StoreOptions {
    StoreOptions(
      isReadOnly: isReadOnly, timeout: timeout, configuration: plan.stored.entities(of: model).configuration)
  }

  // MARK: Completing

  func migrateInPlace(keepsFormer: Bool) throws -> [String: Int]? {
    guard let history = HistoryTranslation(plan.steps) else { return nil }
    let steps = plan.steps.map { step in
      StoreAlteration(
        source: plan.stored.entities(of: step.source.model),
        destination: plan.stored.entities(of: step.destination.model), pairing: step.difference.pairing)
    }
    return try exchange.alter(steps, history: history, keepsFormer: keepsFormer)
  }

  func complete(_ result: TemporaryStore, identifier: UUID) throws {
    let model = plan.target.model
    let options = options(of: model)
    let store = try StoreRegistry.open(result.path, options, .model(model))
    defer { store.close() }
    var form = NewStoreForm(layout: store.layout)
    form.identifier = identifier
    // Tables of pairs that have come about on the way matter where somebody has several owners.
    form.paired = try store.read(.severalStatements) { try store.relationshipsWithSharedLinks($0) }
    let count = try store.objectCount()
    let history = HistoryTranslation(plan.steps)
    try SQLiteCopy.transfer(from: store, checkCancelled) { transfer in
      try exchange.fill(options, model, form, history: history) { session in
        try transfer(session)
        let found = try store.objectCount(in: session)
        guard found == count else { throw GraphStoreError.wrongCopy("it has \(found) of \(count) objects") }
      }
    }
  }

  func completeCopy(identifier: UUID?) throws { throw Self.elsewhere(path) }

  // MARK: Placing

  func replace(keepingOldAs name: StoreReplacement.KeptName) throws -> String? {
    if case .backup = name { return try exchange.commit(keepsFormer: true) }
    return try exchange.commit(keepsFormer: false)
  }

  func place(at target: StoreDestination, removesSource: Bool) throws { throw Self.elsewhere(path) }

  /// The old store stays where it was kept: others may have written to the new one already.
  func putBack(_ backup: String) throws { throw Self.elsewhere(path) }

  /// What could be removed is, with the replacement.
  func removeBackup(_ backup: String) {}

  func remove() {}

  func release() { exchange.end() }

  /// The error that a store on a server is to be migrated to another place.
  static func elsewhere(_ path: String) -> GraphStoreError {
    GraphStoreError.unsupportedRequest(
      "Migrating to another place", of: ServerAddress(path)?.type.rawValue ?? "",
      instead: "Copy the store to that place first (a backup), and migrate the copy.")
  }
}

extension HistoryTranslation {
  /// What steps make of entities and properties; nil where one of them makes records by rules (MIG-275).
  init?(_ steps: [MigrationStep]) {
    guard let last = steps.last, steps.allSatisfy({ $0.kind == .inferred }) else { return nil }
    entities = last.destination.model.entities.compactMap { entity in
      guard let old = steps[...].traced(entity.name)?.entity else { return nil }
      var properties: [String: String] = [:]
      for property in entity.properties {
        guard let former = steps[...].traced(entity.name, property.name)?.property else { continue }
        properties[former] = property.name
      }
      return Entity(new: entity.name, old: old, properties: properties)
    }
  }
}
