import GraphStoreModel

extension RecordImporter {
  /// Decides of each record by its id: one that has the id of a stored object changes it, one without an id is new.
  func resolveIdentifiers(_ attempt: inout Attempt) throws {
    var named: [(position: Int, id: ManagedObjectID)] = []
    for position in entries.indices {
      guard let label = entries[position].label else {
        attempt.insertions.append(position)
        continue
      }
      guard let id = identifier(label, of: entries[position].layout) else {
        rejected[position] = absent(position, text(of: label))
        continue
      }
      named.append((position, id))
    }
    let objects = try context.existingObjects(with: named.map(\.id))
    let found = Dictionary(objects.map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
    for (position, id) in named {
      guard let object = found[id] else {
        rejected[position] = absent(position, id.shortForm)
        continue
      }
      try meet(object, position: position, attempt: &attempt)
    }
  }

  /// The identifier that a label is, in an entity's tree.
  private func identifier(_ label: ImportTarget, of layout: EntityLayout) -> ManagedObjectID? {
    guard case .reference(let entity, _) = label, layouts[entity].rootIndex == layout.rootIndex else {
      return nil
    }
    return coordinator.managedObjectID(forShortForm: text(of: label))
  }

  private func absent(_ position: Int, _ text: String) -> GraphStoreError {
    let entity = entries[position].layout.entity.name
    return GraphStoreError(
      .unresolvedLink, "\(entity): no object has the id \(text).",
      remedy: "Leave the id out to make a new object, or give that of one that is stored.", entity: entity,
      property: "id")
  }

  /// Looks in the first batch for a record that became a new object although its id is that of an object that was stored
  /// before: most often that object was meant.
  func lookForStoredLabels(_ attempt: Attempt) throws {
    guard !hasLookedForStoredLabels, !options.keepsKeys, !attempt.insertions.isEmpty else { return }
    hasLookedForStoredLabels = true
    for position in attempt.insertions {
      guard let label = entries[position].label, case .reference(let entity, let number) = label,
        number < firstKeys[layouts[entity].rootIndex] ?? 0,
        let id = identifier(label, of: entries[position].layout)
      else { continue }
      if try !context.existingObjects(with: [id]).isEmpty { storedLabel = id.shortForm }
      return
    }
  }
}
