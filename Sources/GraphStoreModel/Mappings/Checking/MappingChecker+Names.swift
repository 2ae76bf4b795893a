import GraphStorePredicates

extension MappingChecker {
  /// Finds the entities of a written entity mapping.
  mutating func list(_ part: Int, _ position: Int) {
    let mapping = parts[part].entityMappings[position]
    let path = ModelPath().item("entityMappings", position)
    let origin = entity(
      mapping.sourceEntityName, of: source, version: "source", at: path.key("source"), in: part)
    let target = entity(
      mapping.destinationEntityName, of: destination, version: "destination", at: path.key("destination"),
      in: part)
    if mapping.sourceEntityName == nil, mapping.destinationEntityName == nil {
      report(
        ModelProblem(
          .mappingMissingKey, at: path, message: "The mapping names no entity.",
          remedy: "Name the \"source\", the \"destination\" or both."), in: part)
    }
    let isKnown =
      (origin != nil) == (mapping.sourceEntityName != nil)
      && (target != nil) == (mapping.destinationEntityName != nil)
    guard isKnown, origin != nil || target != nil else { return }
    let found = ListedEntityMapping(
      part: part, position: position, mapping: mapping, source: origin, destination: target)
    add(found)
  }

  private mutating func entity(
    _ name: String?, of model: ManagedObjectModel, version: String, at path: ModelPath, in part: Int
  ) -> EntityDescription? {
    guard let name else { return nil }
    if let entity = model.entitiesByName[name] { return entity }
    report(
      ModelProblem(
        .mappingUnknownEntity, at: path, value: name,
        message: "The \(version) model has no entity \"\(name)\".",
        suggestion: NearestNames.names(near: name, among: model.entities.map(\.name)).first), in: part)
    return nil
  }

  /// Refuses names that occur twice, and pairs of entities that two files map (MIG-136, MIG-151).
  mutating func checkNames() {
    var byName: [String: ListedEntityMapping] = [:]
    var partByPair: [[String?]: Int] = [:]
    for mapping in listed {
      let name = mapping.mapping.name
      if name.isEmpty {
        report(
          ModelProblem(
            .mappingBadValue, at: mapping.path.key("name"), value: name, message: "The name is empty.",
            remedy: "Leave it out, for SOURCEToDESTINATION."), in: mapping.part)
      } else if let former = byName[name] {
        report(
          ModelProblem(
            .mappingDuplicateName, at: mapping.path.key("name"), value: name,
            message: "The name \"\(name)\" belongs to \(former.path) already.",
            remedy: "Give one of them a \"name\" of its own."), in: mapping.part)
      } else {
        byName[name] = mapping
      }
      let pair = [mapping.source?.name, mapping.destination?.name]
      if let part = partByPair[pair], part != mapping.part {
        report(
          ModelProblem(
            .mappingDuplicateName, at: mapping.path, value: name,
            message:
              "Another mapping of this step already maps \(pair[0] ?? "nothing") to \(pair[1] ?? "nothing").",
            remedy: "Leave the pair to one of the files."), in: mapping.part)
      }
      partByPair[pair] = partByPair[pair] ?? mapping.part
    }
  }

  /// Refuses a stated kind that contradicts the rest (MIG-152).
  mutating func checkKind(of found: ListedEntityMapping) {
    let mapping = found.mapping
    if found.isAbstract, mapping.filter != nil || mapping.policyName != nil {
      report(
        ModelProblem(
          .mappingNotApplicable, at: found.path.key(mapping.policyName == nil ? "where" : "policy"),
          message: "Both entities are abstract: the mapping takes no objects.",
          remedy: "Put it into the mappings of the sub-entities."), in: found.part)
    }
    if found.source == nil, mapping.filter != nil {
      report(
        ModelProblem(
          .mappingNotApplicable, at: found.path.key("where"),
          message: "There is no source entity whose objects could be chosen."), in: found.part)
    }
    if let source = found.source, let destination = found.destination, destination.isAbstract,
      !source.isAbstract, mapping.policyName == nil, pairing.destination(of: source) !== destination
    {
      report(
        ModelProblem(
          .mappingBadValue, at: found.path.key("destination"), value: destination.name,
          message: "\(destination.name) is abstract: nothing can be made of it.",
          remedy: "Name one of its sub-entities."), in: found.part)
    }
    guard let kind = mapping.kind, !isPossible(kind, for: found) else { return }
    let actual = self.kind(of: found)
    report(
      ModelProblem(
        .mappingBadValue, at: found.path.key("type"), value: kind.rawValue,
        message: "The mapping is of type \"\(actual.rawValue)\", not \"\(kind.rawValue)\".",
        suggestion: actual.rawValue, remedy: "Leave the type out: it follows from the rest."), in: found.part)
  }

  private func isPossible(_ kind: EntityMapping.Kind, for found: ListedEntityMapping) -> Bool {
    let actual = self.kind(of: found)
    return kind == actual || (kind == .transform && actual == .copy)
  }

  /// The kind of a written entity mapping.
  func kind(of found: ListedEntityMapping) -> EntityMapping.Kind {
    let mapping = found.mapping
    if mapping.policyName != nil { return .custom }
    guard let source = found.source else { return .add }
    guard let destination = found.destination else { return .remove }
    let isPlain =
      mapping.filter == nil && mapping.attributeMappings.isEmpty && mapping.relationshipMappings.isEmpty
      && !mapping.isComplete
    return isPlain ? kind(from: source, to: destination) : .transform
  }

  /// The kind of an entity mapping that states none.
  func kind(from source: EntityDescription, to destination: EntityDescription) -> EntityMapping.Kind {
    let isSame = source.versionHash == destination.versionHash
    return isSame && carriers(from: source, to: destination).isEmpty ? .copy : .transform
  }

  /// Refuses a mapping that was written for other versions (MIG-138).
  mutating func checkHashes(of part: Int) {
    let sides = [
      (key: "sourceHashes", recorded: parts[part].sourceHashes, model: source),
      (key: "destinationHashes", recorded: parts[part].destinationHashes, model: destination),
    ]
    for side in sides {
      guard let recorded = side.recorded else { continue }
      let names = Set(recorded.keys).union(side.model.entities.map(\.name))
      let others = names.filter {
        recorded[$0] != side.model.entitiesByName[$0].map { Array($0.versionHash) }
      }
      guard !others.isEmpty else { continue }
      report(
        ModelProblem(
          .mappingBadVersion, at: ModelPath().key(side.key), value: others.sorted().joined(separator: ", "),
          message:
            "The mapping was written for another model: \(others.sorted().joined(separator: ", ")) differ.",
          remedy: "Check what the mapping says of them, then remove \"\(side.key)\" or record the new hashes."
        ),
        in: part)
    }
  }
}
