import GraphStoreModel
import GraphStorePredicates

extension MigrationStep {
  /// Something that the step leaves behind.
  struct Loss: Sendable {
    /// The entity of the source.
    let entity: String
    /// The property of the source; nil where objects are left behind.
    let property: String?
    let reason: String
    let remedy: String?
    /// For objects that no filter selects: the filters of the mappings that take objects of the entity.
    let filters: [QueryPredicate]

    /// Where: `Employee`, or `Employee.nickname`.
    var path: String { [entity, property].compactMap { $0 }.joined(separator: ".") }
  }

  /// The losses of the step, in the order of the source.
  var losses: [Loss] {
    CheckedMapping.losses(of: mappings).map { loss in
      Loss(
        entity: loss.entity, property: loss.property, reason: loss.text,
        remedy: remedy(entity: loss.entity, property: loss.property),
        filters: loss.property == nil ? filters(ofEntityNamed: loss.entity) : [])
    }
  }

  /// The filters of the mappings that take objects of an entity; empty where one takes all, or none takes
  /// any.
  private func filters(ofEntityNamed name: String) -> [QueryPredicate] {
    let makers = mappings.flatMap(\.entityMappings).filter {
      $0.source?.name == name && $0.destination != nil
    }
    let filters = makers.compactMap(\.filter)
    return filters.count == makers.count ? filters : []
  }

  /// Changes with what the step's mappings make of them.
  func judged(_ changes: [ModelChange]) -> [ModelChange] {
    let losses = losses.map { loss in
      (
        path: [successor(ofEntityNamed: loss.entity), loss.property].compactMap { $0 }.joined(separator: "."),
        loss: loss
      )
    }
    return changes.map { change in
      guard change.effect.isObstacle else { return change }
      var change = change
      let loss = losses.first { $0.path == change.path }?.loss
      change.effect = loss.map { .lossy($0.reason) } ?? .lossless
      if loss == nil { change.remedy = nil }
      return change
    }
  }

  /// The name that an entity of the source has in the destination; its own where it is not there.
  private func successor(ofEntityNamed name: String) -> String {
    source.model.entitiesByName[name].flatMap { difference.pairing.destination(of: $0)?.name } ?? name
  }

  /// Advice on how to keep a removed part, where an added one looks like it (MIG-070).
  private func remedy(entity name: String, property: String?) -> String? {
    let successor = successor(ofEntityNamed: name)
    return difference.changes.first { change in
      change.kind == .removed && change.entity == successor && change.name == property
    }?.remedy
  }
}

extension ModelChange.Effect {
  /// Whether inference loses data by it, or refuses it.
  fileprivate var isObstacle: Bool {
    switch self {
    case .lossy, .refused: true
    case .none, .lossless, .conditional: false
    }
  }
}
