import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Form of a store: what is to be known of it, besides its objects, to make one that is equal to it.
package struct StoreForm: Sendable {
  package var model: ManagedObjectModel
  /// The hashes by which Core Data knows the model, and the compiled model, where the store has these.
  package var coreDataVersion: CoreDataVersion?
  /// The configuration whose entities the store holds; nil for all.
  package var configuration: String?
  /// The store's UUID.
  package var identifier: UUID
  /// What programs have noted in its metadata.
  package var metadata: [String: Value]
  /// By root entity: the greatest key that was ever assigned, so that none is assigned again.
  package var greatestKeys: [String: Int64]
  /// Whether it keeps a history.
  package var tracksHistory: Bool
  /// To-many relationships without an inverse whose members may have several owners, as
  /// `Entity.relationship`.
  package var paired: [String]

  /// A form of what is known of a store.
  package init(
    model: ManagedObjectModel, configuration: String? = nil, identifier: UUID = UUID(),
    metadata: [String: Value] = [:], greatestKeys: [String: Int64] = [:], tracksHistory: Bool = false,
    paired: [String] = []
  ) {
    self.model = model
    self.configuration = configuration
    self.identifier = identifier
    self.metadata = metadata
    self.greatestKeys = greatestKeys
    self.tracksHistory = tracksHistory
    self.paired = paired
  }

  /// The model as a new store has it: as Core Data knows it, where it does.
  var storedModel: ManagedObjectModel {
    get throws { try coreDataVersion.map { try model.known(as: $0) } ?? model }
  }

  /// The relationships of ``paired``, as far as a model has them.
  func pairedRelationships(in model: ManagedObjectModel) -> Set<RelationshipDescription> {
    Set(
      model.entities.flatMap(\.relationships).filter { relationship in
        relationship.isToMany && relationship.inverse == nil
          && paired.contains("\(relationship.entity.name).\(relationship.name)")
      })
  }
}

extension StoreForm {
  /// The form of an open store, as a session sees it.
  ///
  /// - Parameter isSalvage: Whether it lacks what cannot be read.
  init(_ store: any PersistentStore, _ session: any ReadSession, isSalvage: Bool = false) throws {
    func reading<Result>(
      _ substitute: @autoclosure () -> Result, _ body: () throws -> Result
    ) throws -> Result {
      do { return try body() } catch  where isSalvage { return substitute() }
    }
    let stored = store.entities
    var keys: [String: Int64] = [:]
    for layout in store.layout.entities
    where layout.rootIndex == layout.index && stored.holds(layout.entity) {
      let key = try reading((try? (session as? SQLiteSession)?.countedKey(layout)) ?? 0) {
        try session.greatestKey(layout)
      }
      if key > 0 { keys[layout.entity.name] = key }
    }
    let isRecorded = try reading(false) { try (session as? any HistoryReadSession)?.historyBounds() != nil }
    self.init(
      model: stored.model, configuration: stored.configuration, identifier: store.scope.identifier,
      metadata: try reading([:]) { try session.metadata() }.filter { !StoreMetadata.isReserved($0.key) },
      greatestKeys: keys,
      tracksHistory: isRecorded,
      paired: try reading([]) { try store.relationshipsWithSharedMembers(session) }
        .map { "\($0.entity.name).\($0.name)" }.sorted())
    guard store.isMadeByCoreData, store.isInFile else { return }
    coreDataVersion = try reading(nil) {
      try StoreModel.coreDataVersion(ofStoreAt: store.path, timeout: store.options.timeout)
    }
  }
}
