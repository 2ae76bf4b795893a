import GraphStorePredicates

extension ManagedObject {
  /// Whether a persistent value differs from the last fetched or saved one. Fires and resolves nothing.
  public final var hasPersistentChangedValues: Bool {
    checkQueue()
    return !changedProperties.isEmpty
  }

  /// The names of persistent properties that differ from the last fetched or saved state, or of a new object
  /// from its state right after ``awakeFromInsert()``. Fires and resolves nothing.
  public final var changedKeys: [String] {
    checkQueue()
    return changedProperties.map(\.name)
  }

  /// The new values of the persistent properties of ``changedKeys``, by name, in the types of
  /// ``value(forKey:)``; a missing value is there as nil.
  ///
  /// Sets to an equal value, primitive writes and transient properties are not in it. It fires nothing: a
  /// fault has at most to-many relationships whose members were changed without reading them.
  ///
  /// - Throws: what reading the members of a changed to-many throws; others are not read.
  public final func changedValues() throws -> [String: Any?] {
    checkQueue()
    return try values(of: changedProperties) { try storedValue(of: $0) }
  }

  /// The values of persistent properties as they were last fetched or saved, changed or not; a missing value
  /// is there as nil, a to-many as the set of its members.
  ///
  /// For an object that was never saved all are nil. On a fault it fires; the members of a to-many cost a
  /// statement where they were not read before.
  ///
  /// - Parameter keys: The names of the properties; nil means all.
  /// - Throws: `unknown-key` for a key that is no persistent property; what firing the fault and reading
  ///   members throw.
  public final func committedValues(forKeys keys: [String]? = nil) throws -> [String: Any?] {
    checkQueue()
    let asked = try keys.map { try $0.map(persistentProperty) } ?? layout.properties.filter(isReadable)
    guard !state.contains(.inserted) else { return values(of: asked) { _ in nil } }
    try realize()
    guard let row = committedRow else { return values(of: asked) { _ in nil } }
    return try values(of: asked) { try formerValue(of: $0, in: row) }
  }

  /// The members of an ordered to-many as they were last fetched or saved, in the order that the store has.
  ///
  /// - Throws: What ``committedValues(forKeys:)`` throws.
  package final func committedMembers(ofOrdered key: String) throws -> [ManagedObject] {
    let members = try committedValues(forKeys: [key])[key] as? Set<ManagedObject> ?? []
    let places = toMany(layout.relationships[try property(forKey: key).relationship]).orderKeys
    return members.map { (place: places[ObjectIdentifier($0)] ?? .max, object: $0) }
      .sorted { ($0.place, $0.object.objectID) < ($1.place, $1.object.objectID) }
      .map(\.object)
  }

  /// Keeps what the object is right after ``awakeFromInsert()``.
  final func keepInsertionSnapshot() {
    guard let row = currentRow else { return }
    let extra = ensureExtra()
    extra.insertion = InsertionSnapshot(self, row)
    extra.touched = PropertySet()
    extra.primitives = PropertySet()
  }

  /// The persistent properties that differ from the committed state, in the order of the entity's.
  final var changedProperties: [PropertyLayout] {
    guard !state.isDisjoint(with: .changed) else { return [] }
    if state.contains(.inserted) { return propertiesChangedSinceInsertion }
    guard let extra else { return [] }
    return layout.properties.filter { isChanged($0, extra, among: extra.touched) }
  }

  /// Whether a save of the updated object has something to write, however it was set (OBJ-106).
  final var hasValuesToSave: Bool {
    guard let extra, !state.isDisjoint(with: .changed) else { return false }
    let written = extra.written
    return layout.properties.contains { isChanged($0, extra, among: written) }
  }

  /// The properties whose values are the object's own: what was set, however, and differs from the committed
  /// value. A set to an equal value is no change, and leaves the property to what others store (CTX-032).
  final var ownProperties: PropertySet {
    guard let extra else { return PropertySet() }
    var own = PropertySet()
    extra.written.forEach { number in
      let property = layout.properties[number]
      let isEqual =
        property.isPersistent && property.isInRow
        && currentRow.flatMap { row in extra.committed.map { row.hasEqualValue($0, property) } } == true
      if !isEqual { own.insert(number) }
    }
    return own
  }

  private func isChanged(_ property: PropertyLayout, _ extra: ObjectExtra, among set: PropertySet) -> Bool {
    guard property.isPersistent else { return false }
    if property.kind == .toMany {
      return (relationshipIfTouched(property.relationship) as? ToManyRelationship)?.hasChanges ?? false
    }
    guard property.isInRow, set.contains(property.number) else { return false }
    guard let committed = extra.committed, let row = currentRow else { return true }
    return !row.hasEqualValue(committed, property)
  }

  /// Whether a property of a new object differs from what it was right after `awakeFromInsert`.
  final func isChangedSinceInsertion(_ property: PropertyLayout) -> Bool {
    guard let row = currentRow else { return false }
    return !row.isEqual(extra?.insertion?.row ?? .defaults(of: layout), property)
  }

  private var propertiesChangedSinceInsertion: [PropertyLayout] {
    guard let row = currentRow else { return [] }
    let (extra, first) = (extra, extra?.insertion?.row ?? .defaults(of: layout))
    return layout.properties.filter { property in
      guard property.isPersistent else { return false }
      if property.kind == .toMany {
        return hasMembersSinceInsertion(layout.relationships[property.relationship])
      }
      if let extra, extra.primitives.contains(property.number), !extra.touched.contains(property.number) {
        return false
      }
      return !row.isEqual(first, property)
    }
  }

  private func hasMembersSinceInsertion(_ relationship: RelationshipLayout) -> Bool {
    let state = relationshipIfTouched(relationship.ordinal) as? ToManyRelationship
    let members = state?.members?.elements ?? []
    let first = extra?.insertion?.members[relationship.ordinal] ?? []
    return relationship.isOrdered ? members != first : Set(members) != Set(first)
  }

  // MARK: Committed values

  final func persistentProperty(_ key: String) throws -> PropertyLayout {
    let property = try property(forKey: key)
    guard property.isPersistent else {
      throw GraphStoreError(
        .unknownKey, "\(entity.name).\(key) is transient and has no committed value.",
        remedy: "Ask for stored properties.", entity: entity.name, property: key, objectID: objectID)
    }
    return property
  }

  private func isReadable(_ property: PropertyLayout) -> Bool {
    property.isPersistent && property.kind != .none
  }

  /// The value of a property that a row says, which the object had before, in the types of
  /// ``value(forKey:)``.
  final func formerValue(of property: PropertyLayout, in row: Row) throws -> Any? {
    switch property.kind {
    case .none: throw unsupported(property)
    case .toOne:
      return row.reference(property.slot).flatMap { context?.object($0, storeIndex: storeIndex) }
    case .toMany:
      let relationship = layout.relationships[property.relationship]
      let present = try storedMembers(of: relationship)
      let state = toMany(relationship)
      return Set(present).subtracting(state.added.elements).union(state.removed.elements)
    case .transformable: return try transformed(property, in: row)
    default: return try swiftValue(value(of: property, in: row), of: property)
    }
  }

  private func values(
    of properties: [PropertyLayout], _ value: (PropertyLayout) throws -> Any?
  ) rethrows -> [String: Any?] {
    var values: [String: Any?] = [:]
    for property in properties { values.updateValue(try value(property), forKey: property.name) }
    return values
  }
}

extension Row {
  /// The row of a new object of which nothing was set.
  static func defaults(of layout: EntityLayout) -> Row {
    let block = RowBlock(layout: layout, capacity: 1)
    return Row(block: block, index: block.appendDefaults())
  }
}
