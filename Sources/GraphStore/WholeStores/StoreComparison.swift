import Foundation
import GraphStoreModel

/// Comparison of the contents of two stores, object by object and property by property.
///
/// Two objects are the same where their identifiers are, or, in entities for which keys are named, where the
/// values of these are equal. What the models do not share is listed, and the rest compared. Memory holds a
/// few thousand objects, and of entities with keys a number for each.
package final class StoreComparison {
  /// Objects of both stores that are compared at a time.
  static let chunk = 1024

  package let old: StoreContents
  package let new: StoreContents
  /// What only one of the models has, or what differs in them.
  package private(set) var mismatches: [ModelMismatch] = []
  /// The number of each kind so far.
  package private(set) var counts = StoreDifferenceCounts()
  /// The number of objects of the first store that were compared.
  package private(set) var compared = 0
  /// By position in the first model.
  private(set) var entities: [ComparedEntity?] = []
  /// By position in the first model, the position of the entity in the second one.
  private var positions: [Int?] = []
  /// Entities whose objects are compared, by position in the second model.
  private let isWanted: [Bool]
  /// By root of the first model: which objects of entities with keys are the same.
  private(set) var matches: [Int: KeyMatches] = [:]
  /// By which attributes objects are known.
  private(set) var keys = ComparisonKeys.none
  private var receive: ((StoreDifference) throws -> Void)?

  /// - Parameters:
  ///   - entityNames: The entities that are compared, with those below them; nil for all.
  ///   - keys: By the names of entities, the attributes by which their objects are known.
  /// - Throws: `unknown-entity`, `unknown-key`.
  package init(
    _ old: StoreContents, _ new: StoreContents, entities entityNames: [String]? = nil,
    keys: [String: [String]] = [:]
  ) throws {
    self.old = old
    self.new = new
    let models = (old.form.model, new.form.model)
    for name in (entityNames ?? []) + keys.keys.sorted() {
      guard models.0.entitiesByName[name] != nil || models.1.entitiesByName[name] != nil else {
        throw Self.unknown(name, models.0)
      }
    }
    isWanted = models.1.entities.map { Self.isWanted($0, entityNames) }
    compareModels(entityNames)
    self.keys = try ComparisonKeys(keys, self.entities)
  }

  private static func isWanted(_ entity: EntityDescription, _ names: [String]?) -> Bool {
    guard let names else { return true }
    return sequence(first: entity, next: \.superentity).contains { names.contains($0.name) }
  }

  private static func unknown(_ name: String, _ model: ManagedObjectModel) -> GraphStoreError {
    var error = GraphStoreError(
      .unknownEntity, "There is no entity \(name) in either store.",
      remedy: "Name one of \(model.entities.map(\.name).joined(separator: ", ")).", entity: name)
    error.suggestions = NearestNames.names(near: name, among: model.entities.map(\.name))
    return error
  }

  // MARK: Models

  private func compareModels(_ names: [String]?) {
    let others = Dictionary(uniqueKeysWithValues: new.shapes.map { ($0.entity.name, $0) })
    for shape in old.shapes {
      guard let other = others[shape.entity.name] else {
        entities.append(nil)
        positions.append(nil)
        note(shape, .onlyInOld, names)
        continue
      }
      positions.append(other.layout.index)
      let roots = (shape.entity.rootEntity.name, other.entity.rootEntity.name)
      guard roots.0 == roots.1 else {
        entities.append(nil)
        note(shape, .differs(old: "below \(roots.0)", new: "below \(roots.1)"), names)
        continue
      }
      let entity = ComparedEntity(shape, other)
      entities.append(entity)
      if Self.isWanted(shape.entity, names) { mismatches += entity.mismatches }
    }
    let known = Set(old.names)
    for shape in new.shapes where !known.contains(shape.entity.name) { note(shape, .onlyInNew, names) }
  }

  private func note(_ shape: StoredShape, _ kind: ModelMismatch.Kind, _ names: [String]?) {
    guard Self.isWanted(shape.entity, names) else { return }
    mismatches.append(ModelMismatch(subject: shape.entity.name, kind: kind))
  }

  // MARK: Objects

  /// Hands over all differences: by tree, of the first store's objects by key, then those that only the
  /// second one has.
  package func run(_ receive: @escaping (StoreDifference) throws -> Void) throws {
    self.receive = receive
    defer { self.receive = nil }
    try findMatches()
    let others = Dictionary(uniqueKeysWithValues: new.roots.map { ($0.name, $0) })
    for root in old.roots {
      guard let other = others[root.name] else {
        try old.forEachObject(ofTree: root) { try tellRemoved($0) }
        continue
      }
      if let matches = matches[root.index] {
        try compare(root, other, by: matches)
      } else {
        try compare(root, other)
      }
    }
    let known = Set(old.roots.map(\.name))
    for root in new.roots where !known.contains(root.name) {
      try new.forEachObject(ofTree: root) { try tellAdded($0) }
    }
  }

  /// Finds which objects of entities with keys are the same, before anything that refers to them is compared.
  private func findMatches() throws {
    guard !keys.isEmpty else { return }
    let others = Dictionary(uniqueKeysWithValues: new.roots.map { ($0.name, $0) })
    for root in old.roots where keys.concerns(root) {
      guard let other = others[root.name] else { continue }
      matches[root.index] = try KeyMatches(root, other, self)
    }
  }

  /// Compares a tree by identifiers: both stores are read side by side.
  private func compare(_ root: EntityDescription, _ other: EntityDescription) throws {
    var next = Int64.min
    try old.forEachChunk(ofTree: root, Self.chunk) { objects in
      guard let last = objects.last else { return }
      let found = try new.objects(ofTree: other, keys: next...last.key)
      try merge(objects, found)
      next = last.key + 1
    }
    try new.forEachBatch(ofTree: other, keys: next ... .max) { try $0.forEach(tellAdded) }
  }

  private func merge(_ old: [StoredObject], _ new: [StoredObject]) throws {
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if right == new.count || (left < old.count && old[left].key < new[right].key) {
        try tellRemoved(old[left])
        left += 1
      } else if left == old.count || new[right].key < old[left].key {
        try tellAdded(new[right])
        right += 1
      } else {
        try compare(old[left], new[right])
        (left, right) = (left + 1, right + 1)
      }
    }
  }

  /// Compares a tree of which some entities have keys.
  private func compare(
    _ root: EntityDescription, _ other: EntityDescription, by matches: KeyMatches
  ) throws {
    try old.forEachChunk(ofTree: root, Self.chunk) { objects in
      let wanted = objects.compactMap { matches.counterparts[$0.key] }
      let found = Dictionary(
        try new.objects(ofTree: other, keys: wanted).map { ($0.key, $0) },
        uniquingKeysWith: { first, _ in first })
      for object in objects {
        if let match = matches.counterparts[object.key].flatMap({ found[$0] }) {
          try compare(object, match)
        } else {
          try tellRemoved(object)
        }
      }
    }
    try new.forEachObject(ofTree: other) { if !matches.matched.contains($0.key) { try tellAdded($0) } }
  }

  private func tellRemoved(_ object: StoredObject) throws {
    guard isOfInterest(object, in: old) else { return }
    compared += 1
    counts.removed += 1
    try receive?(.removed(object))
  }

  private func tellAdded(_ object: StoredObject) throws {
    guard isOfInterest(object, in: new) else { return }
    counts.added += 1
    try receive?(.added(object))
  }

  private func isOfInterest(_ object: StoredObject, in contents: StoreContents) -> Bool {
    let index = object.shape.layout.index
    if contents === new { return isWanted[index] }
    return positions[index].map { isWanted[$0] } ?? true
  }

  private func compare(_ object: StoredObject, _ other: StoredObject) throws {
    let index = object.shape.layout.index
    guard positions[index] == other.shape.layout.index, let entity = entities[index] else {
      try tellRemoved(object)
      return try tellAdded(other)
    }
    guard isWanted[other.shape.layout.index] else { return }
    compared += 1
    var changed: [ComparedColumn] = []
    for (position, place) in entity.places.enumerated() {
      let column = { entity.columns[position] }
      if try !areEqual(object, other, place, column) { changed.append(column()) }
    }
    guard !changed.isEmpty else { return }
    counts.changed += 1
    try receive?(.changed(object, other, changed))
  }

  /// The object of the second store that one of the first is, by packed keys; nil where it has none.
  func counterpart(of reference: PackedReference) -> PackedReference? {
    guard let entity = positions[reference.entity] else { return nil }
    let root = old.shapes[reference.entity].layout.rootIndex
    guard let matches = matches[root] else { return PackedReference(entity: entity, key: reference.key) }
    return matches.counterparts[reference.key].map { PackedReference(entity: entity, key: $0) }
  }
}
