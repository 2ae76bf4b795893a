import Foundation
import GraphStoreModel

/// A store that is opened beside others, by the name that distinguishes its objects' identifiers from theirs.
package struct NamedStore: Hashable, Sendable {
  /// The name, which precedes the short form of an identifier, with a colon between.
  package let name: String
  /// The store's file.
  package let path: String

  /// A store and its name.
  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}

extension PersistentStoreCoordinator {
  /// Opens stores under one coordinator, each with the entities that it was made with.
  ///
  /// Their models are the same, or differ in entities of different names: the coordinator has the union then.
  /// Each file keeps carrying its own model. The stores are opened twice, first to read their models.
  ///
  /// - Parameter given: A model that has the entities of all stores as they were made with; nil for the
  ///   models that they carry.
  /// - Throws: `incompatible-model` with the entity that two stores define differently; `store-already-open`
  ///   for a file, or a copy of one, that is passed twice; and as ``open(storeAt:options:model:classes:)``.
  ///   No store is open then.
  package static func open(
    stores named: [NamedStore], options: StoreOptions, model given: ManagedObjectModel? = nil
  ) throws -> PersistentStoreCoordinator {
    let carried = try named.map { try entities(of: $0, options, given) }
    let model = try given ?? union(of: carried.map(\.model), named)
    let held = carried.map { StoredEntities(model, named: Set($0.entities.map(\.name))) }
    let isAmbiguous = model.entities.map { entity in held.count { $0.contains(entity) } > 1 }
    var coordinator: PersistentStoreCoordinator?
    do {
      for (number, store) in named.enumerated() {
        let label = StoreLabel(
          name: store.name, carriedModel: carried[number].model, isAmbiguous: isAmbiguous)
        let opened = try StoreRegistry.open(
          store.path, options, .entities(held[number]),
          StoreUse(layout: coordinator?.layout, label: label))
        guard let mounting = coordinator else {
          coordinator = PersistentStoreCoordinator(opened, [:])
          continue
        }
        do {
          try mounting.mount(opened)
        } catch {
          opened.close()
          throw error
        }
      }
    } catch {
      coordinator?.close()
      throw error
    }
    return coordinator ?? PersistentStoreCoordinator(model: model)
  }

  /// The entities that a store holds, of the model that it carries; of a passed one where it carries none.
  private static func entities(
    of store: NamedStore, _ options: StoreOptions, _ given: ManagedObjectModel?
  ) throws -> StoredEntities {
    var reading = options
    reading.isReadOnly = true
    do {
      let opened = try StoreRegistry.open(store.path, reading, .carried)
      defer { opened.close() }
      return opened.entities
    } catch let error as GraphStoreError where error.code == .noModel {
      guard let given else { throw error }
      let metadata = try StoreRegistry.metadata(of: options.type, at: store.path, timeout: options.timeout)
      return try StoredEntities(given, configuration: options.configuration).narrowed(by: metadata)
    }
  }

  private static func union(
    of models: [ManagedObjectModel], _ stores: [NamedStore]
  ) throws -> ManagedObjectModel {
    var known: [String: (hash: Data, store: Int)] = [:]
    for (number, model) in models.enumerated() {
      for entity in model.entities {
        guard let first = known[entity.name] else {
          known[entity.name] = (entity.versionHash, number)
          continue
        }
        if first.hash != entity.versionHash {
          throw clash(of: entity.name, stores[first.store], stores[number])
        }
      }
    }
    // Entities of one name are alike by now.
    if let whole = models.first(where: { $0.entities.count == known.count }) { return whole }
    return try ManagedObjectModel(uniting: models)
  }

  private static func clash(of entity: String, _ first: NamedStore, _ second: NamedStore) -> GraphStoreError {
    GraphStoreError(
      .incompatibleModel, "\(first.path) and \(second.path) define the entity \(entity) differently.",
      remedy:
        "Open stores together that have the same model, or no entity of one name; these two one at a time.",
      entity: entity)
  }
}

extension PersistentStoreCoordinator {
  /// The store that was opened under a name, or nil.
  package func persistentStore(named name: String) -> PersistentStoreReference? {
    mounts.first { $0.store.scope.label?.name == name }.map(reference)
  }

  /// The names of the entities of which several stores that were opened by names have objects.
  package var ambiguousEntityNames: Set<String> {
    guard let label = firstStore?.scope.label else { return [] }
    return Set(zip(managedObjectModel.entities, label.isAmbiguous).filter(\.1).map(\.0.name))
  }
}

extension PersistentStoreReference {
  /// The name that it was opened by; nil without one.
  package var name: String? { mount.store.scope.label?.name }

  /// The model that its file carries.
  package var carriedModel: ManagedObjectModel {
    mount.store.scope.label?.carriedModel ?? owner.managedObjectModel
  }

  /// Whether Core Data made it.
  package var isMadeByCoreData: Bool { mount.store.isMadeByCoreData }

  /// Whether it can have objects of an entity.
  package func contains(_ entity: EntityDescription) -> Bool { mount.store.entities.contains(entity) }
}
