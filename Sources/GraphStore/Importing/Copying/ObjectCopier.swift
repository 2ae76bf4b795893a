import GraphStoreModel
import GraphStorePredicates

/// Copies objects of a context by rules: everything is read and checked before the first copy is inserted.
struct ObjectCopier {
  private let context: ManagedObjectContext
  private let rules: CopyRules
  /// The objects to be copied, in the order in which they are reached; the first is the one that was asked
  /// for.
  private var originals: [ManagedObject] = []
  private var positions: [ObjectIdentifier: Int] = [:]

  /// Finds what is to be copied.
  ///
  /// - Throws: `unknown-entity` and `unknown-key` for names that the model does not have; `copy-too-large`,
  ///   `copy-would-move`; `not-supported` for attributes whose values objects do not hold; what reading
  ///   throws.
  init(of object: ManagedObject, in context: ManagedObjectContext, by rules: CopyRules) throws {
    self.context = context
    self.rules = rules
    try checkNames()
    try find(object)
    try checkReferences()
  }

  private func checkNames() throws {
    for (entity, relationships) in rules.treatments.sorted(by: { $0.key < $1.key }) {
      let layout = try context.layout(named: entity)
      for name in relationships.keys.sorted() where layout.entity.relationship(named: name) == nil {
        var error = GraphStoreError(
          .unknownKey, "\(entity) has no relationship \"\(name)\"",
          remedy: "Known: \(layout.entity.relationships.map(\.name).joined(separator: ", ")).",
          entity: entity,
          property: name)
        error.suggestions = NearestNames.names(near: name, among: layout.entity.relationships.map(\.name))
        throw error
      }
    }
  }

  // MARK: Finding

  private mutating func find(_ object: ManagedObject) throws {
    try add(object)
    var next = 0
    while next < originals.count {
      let original = originals[next]
      next += 1
      for relationship in relationships(of: original, .copy) {
        for destination in try destinations(of: original, relationship) { try add(destination) }
      }
    }
  }

  private mutating func add(_ object: ManagedObject) throws {
    guard positions[ObjectIdentifier(object)] == nil else { return }
    guard originals.count < rules.maximumObjects else {
      throw GraphStoreError(
        .copyTooLarge, "The copy has more than \(rules.maximumObjects) objects.",
        remedy: "Copy fewer relationships, or raise maximumObjects. Nothing was inserted.",
        entity: object.entity.name)
    }
    try object.realize()
    // An attribute of a kind that objects do not hold would be lost.
    let properties = object.layout.properties
    if let lost = properties.first(where: {
      $0.isPersistent && $0.relationship < 0 && $0.kind == .none && !$0.isDerived
    }) {
      throw object.unsupported(lost)
    }
    positions[ObjectIdentifier(object)] = originals.count
    originals.append(object)
  }

  private func relationships(
    of object: ManagedObject, _ treatment: CopyRules.Treatment
  ) -> [RelationshipLayout] {
    object.layout.relationships.filter { self.treatment(of: $0, object.entity) == treatment }
  }

  /// The rule of the nearest entity that has one.
  private func treatment(
    of relationship: RelationshipLayout, _ entity: EntityDescription
  ) -> CopyRules.Treatment {
    var current: EntityDescription? = entity
    while let entity = current {
      if let found = rules.treatments[entity.name]?[relationship.description.name] { return found }
      current = entity.superentity
    }
    return .skip
  }

  private func destinations(
    of object: ManagedObject, _ relationship: RelationshipLayout
  ) throws -> [ManagedObject] {
    if relationship.isToMany { return try object.members(of: relationship) }
    return try object.object(of: relationship).map { [$0] } ?? []
  }

  private func checkReferences() throws {
    if rules.allowsMoving { return }
    for original in originals {
      for relationship in relationships(of: original, .reference) {
        guard let inverse = relationship.inverseDescription, !inverse.isToMany else { continue }
        let moved = try destinations(of: original, relationship).filter {
          positionOfOwner($0, by: relationship) == nil
        }
        if moved.isEmpty { continue }
        throw wouldMove(moved, of: original, through: relationship)
      }
    }
  }

  private func wouldMove(
    _ moved: [ManagedObject], of original: ManagedObject, through relationship: RelationshipLayout
  ) -> GraphStoreError {
    var error = GraphStoreError(
      .copyWouldMove,
      "A copy of \(original.objectID.shortForm) would take \(moved.map(\.objectID).names(first: 3)) away from it: "
        + "\(relationship.qualifiedName) has a to-one inverse.",
      remedy: "Copy or skip the relationship, or set allowsMoving. Nothing was inserted.",
      entity: original.entity.name, property: relationship.description.name, objectID: original.objectID)
    error.relatedObjects = moved.map(\.objectID)
    return error
  }

  /// The position of an object that is copied along with what its inverse leads to: a link back to it leads
  /// to the copy, also where it is to be referred to.
  private func positionOfOwner(_ object: ManagedObject, by relationship: RelationshipLayout) -> Int? {
    guard let position = positions[ObjectIdentifier(object)], relationship.inverse >= 0,
      treatment(of: object.layout.relationships[relationship.inverse], object.entity) == .copy
    else { return nil }
    return position
  }

  // MARK: Copying

  /// The copies as values, in the order in which the originals are reached.
  ///
  /// - Throws: `temporary-id` for an object to refer to that a context other than its own is not to know;
  ///   what reading throws.
  func draft(for target: ManagedObjectContext) throws -> ObjectDraft {
    ObjectDraft(
      objects: try originals.map { original in
        let layout = try context.concreteLayout(original.layout)
        return ObjectDraft.Object(
          layout: layout, values: try values(of: original),
          links: try original.layout.relationships.compactMap { try link($0, of: original, for: target) })
      })
  }

  private func values(of original: ManagedObject) throws -> [ObjectDraft.Attribute] {
    try original.layout.properties.filter {
      $0.isPersistent && !$0.isDerived && $0.relationship < 0 && $0.kind != .none
    }.map { ObjectDraft.Attribute(property: $0, value: try original.attribute($0)) }
  }

  private func link(
    _ relationship: RelationshipLayout, of original: ManagedObject, for target: ManagedObjectContext
  ) throws -> ObjectDraft.Link? {
    let treatment = treatment(of: relationship, original.entity)
    if treatment == .skip { return nil }
    let destinations: [ObjectDraft.Destination] = try destinations(of: original, relationship).compactMap {
      if treatment == .copy { return positions[ObjectIdentifier($0)].map { .copy($0) } }
      if let owner = positionOfOwner($0, by: relationship) { return .copy(owner) }
      if $0.objectID.isTemporaryID, target !== context {
        throw $0.objectID.refusalOfTemporary(
          entity: original.entity.name, property: relationship.description.name)
      }
      return .object($0.objectID)
    }
    return ObjectDraft.Link(relationship: relationship, destinations: destinations)
  }
}

/// Rules for relationships when an object is copied, or moved to another store.
///
/// Relationships that are not named are left out.
///
/// ```swift
/// var rules = CopyRules()
/// rules["Department", "employees"] = .copy
/// rules["Employee", "projects"] = .reference
/// let copy = try context.copy(department, rules: rules)
/// ```
public struct CopyRules: Sendable {
  /// Treatment of one relationship.
  public enum Treatment: Sendable {
    /// The copy's is empty.
    case skip
    /// The copy has the same destinations as the original.
    case reference
    /// The destinations are copied too, each once, and the copy has the copies.
    case copy
  }

  /// By entity and relationship.
  private(set) var treatments: [String: [String: Treatment]] = [:]
  /// Whether `reference` may take destinations away from the original, whose inverse is to-one.
  public var allowsMoving = false
  /// The maximum number of objects of a copy.
  public var maximumObjects = 10_000

  /// Rules that leave out all relationships.
  public init() {}

  /// The treatment of a relationship of an entity, and of the entities below it that have no rule of their
  /// own.
  public subscript(entity: String, relationship: String) -> Treatment {
    get { treatments[entity]?[relationship] ?? .skip }
    set { treatments[entity, default: [:]][relationship] = newValue }
  }
}
