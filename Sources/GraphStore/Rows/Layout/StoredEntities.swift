import Foundation
import GraphStoreModel

/// The entities of a model that a store holds: those of a configuration, or all.
package struct StoredEntities: Sendable {
  package let model: ManagedObjectModel
  /// The configuration's name; nil for all entities.
  package let configuration: String?
  /// Whether values are left alone that Core Data stores in forms of its own: how it names the columns of
  /// composite attributes is not known.
  package var leavesOutForeignForms = false
  /// The entities that can have objects in the store, abstract ones among them, in the order of the model.
  package let entities: [EntityDescription]
  /// By the entity's position, whether it is one of them.
  private let isMember: [Bool]
  /// By the entity's position, whether it or an entity below it is one of them.
  private let isHeld: [Bool]

  /// All entities of a model.
  package init(_ model: ManagedObjectModel) {
    self.init(model, configuration: nil, members: model.entities)
  }

  /// Those of a configuration; all for nil.
  ///
  /// - Throws: `unknown-configuration` with the names that exist.
  package init(_ model: ManagedObjectModel, configuration: String?) throws {
    do throws(ModelLookupError) {
      let members = try model.entities(forConfigurationName: configuration)
      self.init(model, configuration: configuration, members: members.sorted { $0.index < $1.index })
    } catch {
      var failure = GraphStoreError(
        .unknownConfiguration, "\(error.message).",
        remedy: error.available.isEmpty
          ? "The model has no configurations; leave it out."
          : "The model has \(error.available.joined(separator: ", ")).")
      failure.suggestions = error.suggestions
      throw failure
    }
  }

  /// Those of some names, as far as the model has them.
  package init(_ model: ManagedObjectModel, named names: Set<String>) {
    self.init(model, configuration: nil, members: model.entities.filter { names.contains($0.name) })
  }

  private init(_ model: ManagedObjectModel, configuration: String?, members: [EntityDescription]) {
    self.model = model
    self.configuration = configuration
    entities = members
    var isMember = [Bool](repeating: false, count: model.entities.count)
    var isHeld = isMember
    for member in members {
      isMember[member.index] = true
      var ancestor: EntityDescription? = member
      while let entity = ancestor, !isHeld[entity.index] {
        isHeld[entity.index] = true
        ancestor = entity.superentity
      }
    }
    self.isMember = isMember
    self.isHeld = isHeld
  }

  /// Whether the store can have objects of an entity.
  package func contains(_ entity: EntityDescription) -> Bool { isMember[entity.index] }

  /// Whether the store can have objects of an entity or of one below it, and so has columns for its
  /// properties.
  package func holds(_ entity: EntityDescription) -> Bool { isHeld[entity.index] }

  /// Whether objects hold the values of an attribute.
  package func holds(_ attribute: AttributeDescription) -> Bool {
    !(leavesOutForeignForms && attribute.hasForeignForm)
  }

  /// The version hashes of the entities by name, which a store records and compares.
  package var versionHashes: [String: Data] {
    Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0.versionHash) })
  }
}

extension StoredEntities {
  /// The entities that a store holds which was opened without the name of a configuration: where it records
  /// others than those of the whole model, those of the one configuration that has exactly the recorded ones
  /// (STO-020).
  ///
  /// - Parameters:
  ///   - names: The names of the entities that the store records.
  ///   - recorded: The configuration that it records; nil for none.
  package func narrowed(recording names: Set<String>, configuration recorded: String? = nil) -> StoredEntities
  {
    guard configuration == nil, !model.configurations.isEmpty, !names.isEmpty,
      entities.count == model.entities.count, names != Set(entities.map(\.name))
    else { return self }
    let candidates = model.configurations(ofEntitiesNamed: names)
    let only = candidates.count == 1 ? candidates.first : nil
    guard let name = candidates.first(where: { $0 == recorded }) ?? only,
      var narrowed = try? StoredEntities(model, configuration: name)
    else { return self }
    narrowed.leavesOutForeignForms = leavesOutForeignForms
    return narrowed
  }
}

extension AttributeDescription {
  /// Whether Core Data stores the values in a form of its own.
  package var hasForeignForm: Bool { type == .composite }
}

/// Core Data's identification of the entities of a store.
extension StoredEntities {
  /// The hashes that the model's package lists for exactly these entities; nil where it lists none.
  package var listedHashes: [String: Data]? {
    guard let listed = model.coreDataVersion?.hashes else { return nil }
    var hashes: [String: Data] = [:]
    for entity in entities {
      guard let hash = listed[entity.name] else { return nil }
      hashes[entity.name] = hash
    }
    return hashes
  }

  /// The listed hashes, where a new store of ours has the form of one that Core Data has made.
  package var coreDataHashes: [String: Data]? { formOfItsOwn == nil ? listedHashes : nil }

  /// The hashes that a new store records.
  package var hashesToRecord: [String: Data] { coreDataHashes ?? versionHashes }

  /// The first part that a store of ours keeps in a form that is not Core Data's, or not known to be:
  /// `Order.total is derived`; nil for nothing.
  package var formOfItsOwn: String? {
    for entity in entities {
      for attribute in entity.attributes where !attribute.isTransient {
        if attribute.type == .composite { return "\(entity.name).\(attribute.name) is composite" }
        if attribute.isDerived { return "\(entity.name).\(attribute.name) is derived" }
      }
      for index in entity.indexes where index.elements.contains(where: \.isOfItsOwn) {
        return "\(entity.name) has the index \(index.name) of an expression or of ranges"
      }
    }
    return nil
  }
}

extension IndexDescription.Element {
  fileprivate var isOfItsOwn: Bool {
    if case .property = subject { return kind == .rtree }
    return true
  }
}

extension ManagedObjectModel {
  /// The first part that a store of the model keeps in a form that is not Core Data's, or not known to be;
  /// nil for nothing.
  package var formOfItsOwn: String? { StoredEntities(self).formOfItsOwn }
}
