/// Difference of two models, with its effects on version hashes and on a migration.
///
/// Changes are in a fixed order: those of the model, then entity by entity in the order of the new model,
/// removed entities after them in the order of the old one, then fetch requests and configurations. Equal
/// models have no changes. Inference and losses follow from the models alone; no store is read.
///
/// ```swift
/// let difference = ModelDifference(from: old, to: new)
/// print(difference.needsMigration, difference.isInferable, difference.isLossy)
/// for change in difference.changes { print(change.path, change.effect.detail ?? change.effect.name) }
/// ```
public struct ModelDifference: Sendable {
  /// The model that is compared with.
  public var old: ManagedObjectModel { pairing.source }
  /// The model that is compared.
  public var new: ManagedObjectModel { pairing.destination }
  /// The pairing of entities and properties of the new model with those of the old one that they continue.
  public let pairing: ModelPairing
  /// All changes.
  public let changes: [ModelChange]
  /// The names of entities whose hashes differ, that are new, or that are removed, in the order of
  /// ``changes``.
  public let entitiesWithOtherHashes: [String]

  /// Compares two models. Costs time in proportion to their properties, inherited ones counted in each
  /// entity.
  public init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    self.init(ModelPairing(from: old, to: new))
  }

  /// Compares the models of a pairing.
  public init(_ pairing: ModelPairing) {
    self.pairing = pairing
    let (old, new) = (pairing.source, pairing.destination)
    var comparison = ModelComparison(pairing)
    comparison.run()
    changes = comparison.changes
    let before = old.entityVersionHashesByName
    let present = new.entities.filter { before[$0.name] != $0.versionHash }.map(\.name)
    let gone = old.entities.map(\.name).filter { new.entitiesByName[$0] == nil }
    entitiesWithOtherHashes = present + gone
  }

  /// Whether the version hashes differ, so that stores of the old model are incompatible with the new one.
  public var changesHashes: Bool { !entitiesWithOtherHashes.isEmpty }

  /// Whether stores of the old model need a migration to the new one: where hashes differ, and where they are
  /// equal and binary values are stored in another way.
  public var needsMigration: Bool { changesHashes || changes.contains(where: \.needsMigration) }

  /// Whether a migration can be inferred; true also where none is needed.
  public var isInferable: Bool {
    !changes.contains { if case .refused = $0.effect { true } else { false } }
  }

  /// Whether an inferred migration would lose data.
  public var isLossy: Bool {
    changes.contains { if case .lossy = $0.effect { true } else { false } }
  }
}
