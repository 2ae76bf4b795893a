import GraphStorePredicates

/// Primitive accessors: an object's storage and nothing else (OBJ-175). Nothing is fired, tracked or
/// announced, no inverse moves, no accessor of the class runs.
extension ManagedObject {
  /// The value of a property in the object's storage, in the types of ``value(forKey:)``.
  ///
  /// A fault has no storage: every key reads nil. So does a to-many whose members were not read.
  ///
  /// - Throws: `unknown-key`; `value-out-of-range` for a number of a store that the attribute's type does not
  ///   have.
  public final func primitiveValue(forKey key: String) throws -> Any? {
    checkQueue()
    let property = try property(forKey: key)
    guard !state.contains(.fault), let row = currentRow else { return nil }
    switch property.kind {
    case .none: throw unsupported(property)
    case .transformable: return try transformed(property, in: row)
    case .undefined: return extra?.decoded[property.number]
    case .toOne:
      let relationship = layout.relationships[property.relationship]
      if let known = knownDestination(relationship.ordinal) { return known }
      return row.reference(property.slot).flatMap { context?.object($0, storeIndex: storeIndex) }
    case .toMany:
      let relationship = layout.relationships[property.relationship]
      guard let members = toMany(relationship).members?.elements else { return nil }
      return relationship.isOrdered ? members : Set(members)
    default: return try swiftValue(value(of: property, in: row), of: property)
    }
  }

  /// Sets a property in the object's storage; the type is checked as by ``setValue(_:forKey:)``.
  ///
  /// The object does not count as changed by it. If it is saved for another reason, what differs from the
  /// committed value is written. Setting a to-many reads its members first, if they were not read.
  ///
  /// - Throws: `unknown-key`, `value-type`, `value-out-of-range`, `wrong-destination`, `wrong-cardinality`,
  ///   `read-only-property` for a derived attribute; `not-supported` for a fault, which has no storage:
  ///   ``willAccessValue(forKey:)`` fires it.
  public final func setPrimitiveValue(_ value: Any?, forKey key: String) throws {
    checkQueue()
    try checkChangeable()
    let property = try property(forKey: key)
    guard !state.contains(.fault) else { throw noStorage(property) }
    switch property.kind {
    case .toOne: try setPrimitiveDestination(value, property)
    case .toMany: try setPrimitiveMembers(value, property)
    case .transformable: try setTransformed(value, of: property, isTracked: false)
    case .undefined: ensureExtra().decoded[property.number] = value
    case .composite: try setComposite(value, of: property, isTracked: false)
    default: try setPrimitive(try queryValue(value, property), property)
    }
  }

  /// Sets an attribute without a change being recorded.
  final func setPrimitive(_ value: Value, _ property: PropertyLayout) throws {
    guard property.kind != .none else { throw unsupported(property) }
    guard !property.isDerived else { throw readOnly(property) }
    let value = try storable(value, property)
    preparePrimitive(property)
    replace(value, of: property)
  }

  private func setPrimitiveDestination(_ value: Any?, _ property: PropertyLayout) throws {
    let relationship = layout.relationships[property.relationship]
    guard value == nil || value is ManagedObject else { throw wrongCardinality(property) }
    let destination = value as? ManagedObject
    if let destination { try checkDestination(destination, of: relationship) }
    preparePrimitive(property)
    writeReference(destination, of: relationship)
  }

  private func setPrimitiveMembers(_ value: Any?, _ property: PropertyLayout) throws {
    let relationship = layout.relationships[property.relationship]
    let objects = try objects(in: value, property)
    for object in objects { try checkDestination(object, of: relationship) }
    _ = try storedMembers(of: relationship)
    ensureExtra().primitives.insert(property.number)
    toMany(relationship).become(ObjectSet(objects))
  }

  /// Copies the object's row so that it can be written, without recording a change.
  final func preparePrimitive(_ property: PropertyLayout) {
    let extra = ensureExtra()
    if state.contains(.inserted), !extra.primitives.contains(property.number),
      isChangedSinceInsertion(property)
    {
      // The first write of a new object that is not tracked: what was set before by changes that are stays
      // listed.
      extra.touched.insert(property.number)
    }
    extra.primitives.insert(property.number)
    makeRowWritable()
  }

  private func noStorage(_ property: PropertyLayout) -> GraphStoreError {
    GraphStoreError(
      .notSupported, "\(objectID.shortForm) is a fault and has no storage for \(property.name).",
      remedy: "Call willAccessValue(forKey:) first, which reads the object's values.", entity: entity.name,
      property: property.name, objectID: objectID)
  }
}

/// Setting attributes by number from the form in which a reader of records has them, without a ``Value`` of
/// each.
///
/// Types and ranges are checked as by ``ManagedObject/setValue(_:forKey:)``; numbers are positions in
/// `entity.properties`.
extension ManagedObject {
  /// Sets an integer, Boolean (0 or 1), floating-point or decimal attribute to a whole number.
  package final func setInteger(_ value: Int64, ofProperty number: Int) throws {
    let property = layout.properties[number]
    switch property.kind {
    case .int64:
      try prepareChange(of: property)
      block?.setWord(Int(rowIndex), property.slot, UInt64(bitPattern: value))
    default: try setAttribute(property, to: .int(value))
    }
  }

  /// Sets a floating-point or decimal attribute; a negative zero is zero (OBJ-143).
  package final func setDouble(_ value: Double, ofProperty number: Int) throws {
    let property = layout.properties[number]
    guard property.kind == .double, !value.isNaN else {
      return try setAttribute(property, to: .double(value))
    }
    try prepareChange(of: property)
    block?.setWord(Int(rowIndex), property.slot, (value + 0).bitPattern)
  }

  /// Sets a string attribute to UTF-8 text that is known to be valid.
  package final func setText(_ utf8: UnsafeBufferPointer<UInt8>, ofProperty number: Int) throws {
    let property = layout.properties[number]
    guard property.kind == .string else {
      return try unsafe setAttribute(property, to: .string(String(decoding: utf8, as: UTF8.self)))
    }
    try prepareChange(of: property)
    guard let block else { return }
    let row = Int(rowIndex)
    block.replacing(row, property.slot, .string) { unsafe block.setBytes(row, property.slot, utf8) }
  }

  /// Sets an attribute of any kind.
  package final func setQueryValue(_ value: Value, ofProperty number: Int) throws {
    try setAttribute(layout.properties[number], to: value)
  }
}

extension ManagedObjectContext {
  /// Makes a new object of a concrete entity by its position in the model.
  package func insert(entityAt index: Int) throws -> ManagedObject {
    insert(try concreteLayout(coordinator.layout.entities[index]))
  }
}
