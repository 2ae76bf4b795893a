extension MappingChecker {
  /// An entity mapping that was inferred.
  struct Unlisted {
    let name: String
    let source: EntityDescription?
    let destination: EntityDescription?
  }

  /// - Returns: A mapping with the name that one without a name has, unless another has taken it.
  private func makeUnlisted(
    from source: EntityDescription?, to destination: EntityDescription?
  ) -> Unlisted {
    let name = EntityMapping.defaultName(from: source?.name, to: destination?.name)
    let isTaken = listed.contains { $0.mapping.name == name }
    return Unlisted(name: isTaken ? "\(name) (inferred)" : name, source: source, destination: destination)
  }

  /// Whether what no mapping names is left behind (MIG-140).
  private var isComplete: Bool { parts.contains(where: \.isComplete) }

  /// The old entity whose objects become those of a new one without a mapping; nil where a mapping handles
  /// them.
  func inferredSource(of entity: EntityDescription) -> EntityDescription? {
    guard !isComplete, let origin = pairing.source(of: entity), scope.contains(origin),
      !listedSources.contains(origin)
    else { return nil }
    return origin
  }

  /// The entity mappings that were inferred: in the order of the destination, those of what is left behind
  /// last (MIG-159).
  var unlisted: [Unlisted] {
    var found: [Unlisted] = []
    var taken = listedSources
    for entity in scope.destinations {
      if let origin = inferredSource(of: entity) {
        taken.insert(origin)
        if !origin.isAbstract || !entity.isAbstract {
          found.append(makeUnlisted(from: origin, to: entity))
        }
      } else if !entity.isAbstract, !listedDestinations.contains(entity) {
        found.append(makeUnlisted(from: nil, to: entity))
      }
    }
    for entity in scope.sources where !entity.isAbstract && !taken.contains(entity) {
      found.append(makeUnlisted(from: entity, to: nil))
    }
    return found
  }

  /// The entity mappings that relationships may refer to, by name.
  func findTargets() -> [String: MappingTarget] {
    var targets: [String: MappingTarget] = [:]
    for mapping in listed where !mapping.isAbstract {
      targets[mapping.mapping.name] = MappingTarget(
        source: mapping.source, destination: mapping.destination, part: mapping.part)
    }
    for mapping in unlisted {
      targets[mapping.name] = MappingTarget(
        source: mapping.source, destination: mapping.destination, part: parts.count - 1)
    }
    return targets
  }

  /// Refuses what whole entities make impossible: two that claim one (MIG-067, MIG-109), two trees that
  /// become one (MIG-108), and properties of several types that become one (MIG-110).
  mutating func judgeEntities() {
    var origins: [EntityDescription: EntityDescription] = [:]
    for entity in scope.destinations {
      judgeClaim(of: entity)
      guard let origin = inferredSource(of: entity), !origin.isAbstract else { continue }
      let root = entity.rootEntity
      if let first = origins[root], first.rootEntity !== origin.rootEntity {
        refuse(
          InferenceRefusal(
            entity: entity.name, old: origin.superentity?.name, new: entity.superentity?.name,
            reason: ModelText.newAncestor(origin, first), remedy: ModelComparison.mappingRemedy))
      }
      origins[root] = origins[root] ?? origin
    }
    judgeMerges()
  }

  private mutating func judgeClaim(of entity: EntityDescription) {
    guard !isComplete, !listedDestinations.contains(entity), let rival = pairing.rival(of: entity),
      let origin = pairing.source(of: rival), scope.contains(origin), !listedSources.contains(origin)
    else { return }
    refuse(
      InferenceRefusal(
        entity: entity.name, new: ModelText.describe(entity),
        reason: ModelText.claim(rival.name, entity.name, to: origin.name),
        remedy: ModelText.claimRemedy(entity.renamingIdentifier)))
  }

  private mutating func judgeMerges() {
    var origins: [AttributeDescription: [AttributeDescription]] = [:]
    var order: [AttributeDescription] = []
    for entity in scope.destinations {
      guard let source = inferredSource(of: entity) else { continue }
      let stated = statements(from: source, to: entity, own: nil).attributes
      for attribute in entity.attributes where !attribute.isTransient && !attribute.isDerived {
        guard stated[attribute.name] == nil,
          let origin = pairing.source(of: attribute, in: entity) as? AttributeDescription, !origin.isTransient
        else { continue }
        if origins[attribute] == nil { order.append(attribute) }
        if origins[attribute]?.contains(origin) != true { origins[attribute, default: []].append(origin) }
      }
    }
    for attribute in order {
      guard let old = origins[attribute], Set(old.map(\.type)).count > 1 else { continue }
      refuse(
        InferenceRefusal(
          entity: attribute.entity.name, property: attribute.name,
          old: old.map(\.type.rawValue).joined(separator: ", "), new: attribute.type.rawValue,
          reason: ModelText.differentTypes(old), remedy: ModelText.additionRemedy(attribute)))
    }
  }
}

/// Source and destination of an entity mapping, and its mapping in the step.
struct MappingTarget {
  let source: EntityDescription?
  let destination: EntityDescription?
  let part: Int
}
