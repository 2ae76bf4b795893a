import Foundation
import GraphStoreModel
import GraphStorePredicates
import OrderedCollections

extension ManagedObject {
  /// The value of a property by key.
  ///
  /// A key is looked for among the accessors that the class declares (``keyedAccessors``), then the
  /// properties of the entity, then `self`, `objectID` and `entity`; any other is passed to
  /// ``value(forUndefinedKey:)``.
  ///
  /// An attribute reads as the Swift type of its width (`Int16`, `Decimal`, `String`, `Date` …), a composite
  /// one as a dictionary of all its elements (`[String: Any?]`), or nil where all are nil, a to-one as an
  /// object or nil, a to-many as a live view, ``RelationshipSet`` or ``RelationshipOrderedSet``, which reads
  /// nothing until it is used. Reading another property of a fault loads its values, with at most one
  /// statement.
  ///
  /// - Throws: `unknown-key` with near names; `inaccessible-object` or `object-invalidated` when the values
  ///   cannot be had.
  public final func value(forKey key: String) throws -> Any? {
    checkQueue()
    if let read = declarations?.accessors[key]?.read { return try read(self) }
    if let number = layout.number(ofProperty: key) {
      if let value = wordInPlace(layout.places[number]) { return value }
      let property = layout.properties[number]
      return property.kind == .toMany ? try liveView(of: property) : try storedValue(of: property)
    }
    switch key {
    case "self": return self
    case "objectID": return objectID
    case "entity": return entity
    default: return try value(forUndefinedKey: key)
    }
  }

  /// The value of a number, flag or date that is the word of a realised row; nil for one that is missing or
  /// out of range, and where it takes more to read.
  @inline(__always)
  private final func wordInPlace(_ place: EntityLayout.Place) -> Any? {
    guard readableIdentity != EntityLayout.noIdentity, place.slot >= 0, let values = unsafe values,
      unsafe !values.isNull(place.slot)
    else { return nil }
    let word = unsafe values[place.slot]
    switch place.kind {
    case .int64: return Int64(bitPattern: word)
    case .int32: return Int32(exactly: Int64(bitPattern: word))
    case .int16: return Int16(exactly: Int64(bitPattern: word))
    case .double: return Double(bitPattern: word)
    case .boolean: return word != 0
    case .date: return Date(timeIntervalSinceReferenceDate: Double(bitPattern: word))
    default: return nil
    }
  }

  private func liveView(of property: PropertyLayout) throws -> RelationshipCollection {
    try checkUsable()
    let relationship = layout.relationships[property.relationship]
    return relationship.isOrdered
      ? RelationshipOrderedSet(self, relationship) : RelationshipSet(self, relationship)
  }

  /// The value of a property as the object holds it, without an accessor of its class; of a to-many its
  /// members as they are now.
  final func storedValue(of property: PropertyLayout) throws -> Any? {
    switch property.kind {
    case .toOne: return try object(of: layout.relationships[property.relationship])
    case .toMany:
      let members = try members(of: layout.relationships[property.relationship])
      return layout.relationships[property.relationship].isOrdered ? members : Set(members)
    case .none:
      guard let fetched = fetchedProperty(property) else { throw unsupported(property) }
      return try fetchedObjects(of: fetched)
    case .transformable: return try transformed(property)
    case .undefined: return try undefinedValue(property)
    default: return try swiftValue(try attribute(property), of: property)
    }
  }

  /// A value of an attribute as its Swift type.
  ///
  /// - Throws: `value-out-of-range` for a number that the attribute's type does not have, which others may
  ///   have written (STO-245).
  final func swiftValue(_ value: Value, of property: PropertyLayout) throws -> Any? {
    if case .dictionary(let members) = value, property.kind == .composite {
      return try composite(property, members)
    }
    if case .int(let number) = value, !property.kind.holds(number) { throw beyond(property, number) }
    return value.swiftValue(property.kind)
  }

  private func beyond(_ property: PropertyLayout, _ number: Int64) -> GraphStoreError {
    GraphStoreError(
      .valueOutOfRange,
      "\(entity.name).\(property.name) of \(objectID.shortForm) is \(number) in the store, which does not fit "
        + "\(property.kind).",
      remedy: "Read it with queryValue(forKey:), and set one that fits.", entity: entity.name,
      property: property.name, objectID: objectID, value: .int(number))
  }

  /// Sets a property by key: an attribute to a Swift value, a to-one to an object, a to-many to a set or an
  /// array, an ordered one to an `OrderedSet` or an array.
  ///
  /// The inverse follows at once. The value's type is checked now, the constraints of the model at the next
  /// save.
  ///
  /// - Throws: `unknown-key`, `value-type`, `value-out-of-range`, `wrong-destination`, `wrong-cardinality`,
  ///   `context-mismatch`, `object-detached`; nothing has changed then.
  public final func setValue(_ value: Any?, forKey key: String) throws {
    checkQueue()
    if let write = declarations?.accessors[key]?.write { return try write(self, value) }
    guard let property = layout.property(named: key) else {
      if let reserved = reservedKey(key) { throw reserved }
      return try setValue(value, forUndefinedKey: key)
    }
    try setStoredValue(value, of: property)
  }

  /// Reads and sets a property by key, without throwing.
  ///
  /// An error of reading or setting is kept in the context, reported to ``Diagnostics/onDeferredError``, and
  /// thrown by the next save; reading returns nil then.
  public final subscript(key: String) -> Any? {
    get { deferring { try value(forKey: key) } ?? nil }
    set { deferring { try setValue(newValue, forKey: key) } }
  }

  /// Sets a property as the object holds it, without an accessor of its class.
  final func setStoredValue(_ value: Any?, of property: PropertyLayout) throws {
    switch property.kind {
    case .toOne:
      guard value == nil || value is ManagedObject else { throw wrongCardinality(property) }
      try setObject(value as? ManagedObject, of: layout.relationships[property.relationship])
    case .toMany:
      try setMembers(try objects(in: value, property), of: layout.relationships[property.relationship])
    case .transformable: try setTransformed(value, of: property, isTracked: true)
    case .undefined: try setUndefined(value, of: property)
    case .composite: try setComposite(value, of: property, isTracked: true)
    case .none where fetchedProperty(property) != nil: throw readOnly(property)
    default: try setAttribute(property, to: try queryValue(value, property))
    }
  }

  /// The value of an attribute, or a reference for a to-one, as the currency of predicates and errors.
  ///
  /// - Throws: as ``value(forKey:)``; `wrong-property-kind` for a to-many.
  public final func queryValue(forKey key: String) throws -> Value {
    checkQueue()
    let property = try property(forKey: key)
    guard property.kind != .toMany else {
      throw GraphStoreError(
        .wrongPropertyKind, "\(entity.name).\(key) is a to-many relationship and has no single value.",
        remedy: "Read its members.", entity: entity.name, property: key)
    }
    return try attribute(property)
  }

  /// Sets an attribute from the currency of predicates and errors.
  public final func setQueryValue(_ value: Value, forKey key: String) throws {
    checkQueue()
    try setAttribute(try property(forKey: key), to: value)
  }

  final func attribute(_ property: PropertyLayout) throws -> Value {
    guard property.kind != .none else { throw unsupported(property) }
    try realize()
    guard let row = currentRow else { return .null }
    return try value(of: property, in: row)
  }

  /// A value that a caller gave for an attribute, as the currency of predicates.
  final func queryValue(_ value: Any?, _ property: PropertyLayout) throws -> Value {
    guard let value else { return .null }
    guard let convertible = value as? any ValueConvertible else {
      throw GraphStoreError(
        .valueType, "\(entity.name).\(property.name) cannot hold a value of type \(type(of: value)).",
        remedy: "Give a value of the attribute's type.", entity: entity.name, property: property.name,
        objectID: objectID)
    }
    return convertible.queryValue
  }

  final func property(forKey key: String) throws -> PropertyLayout {
    if let property = layout.property(named: key) { return property }
    var error = GraphStoreError(
      .unknownKey, "\(entity.name) has no attribute or relationship \"\(key)\"",
      remedy: remedy(forUnknown: key), entity: entity.name, property: key)
    error.suggestions = NearestNames.names(near: key, among: entity.properties.map(\.name))
    throw error
  }

  private func remedy(forUnknown key: String) -> String {
    key.contains(".")
      ? "A path of keys is for value(forKeyPath:) and setValue(_:forKeyPath:)."
      : "Known: \(entity.properties.map(\.name).joined(separator: ", "))."
  }

  /// The error for a key that neither the entity nor the class has (OBJ-202).
  final func notCompliant(_ key: String) -> GraphStoreError {
    var error = GraphStoreError(
      .unknownKey,
      "\(entity.name) has no attribute or relationship \"\(key)\": this class is not key value coding-compliant for "
        + "the key \(key).",
      remedy: remedy(forUnknown: key), entity: entity.name,
      property: key)
    error.details = ["class \(type(of: self))"]
    error.suggestions = NearestNames.names(
      near: key, among: entity.properties.map(\.name) + (declarations?.accessors.keys.sorted() ?? []))
    return error
  }

  /// The error for setting a key that is there for every object and cannot be set (OBJ-156).
  private func reservedKey(_ key: String) -> GraphStoreError? {
    guard ["self", "objectID", "entity"].contains(key) else { return nil }
    return GraphStoreError(
      .readOnlyProperty, "\(key) of \(objectID.shortForm) cannot be set.",
      remedy: "Set a property of \(entity.name).", entity: entity.name, property: key, objectID: objectID)
  }

  final func objects(in value: Any?, _ property: PropertyLayout) throws -> [ManagedObject] {
    switch value {
    case nil: return []
    case let objects as [ManagedObject]: return objects
    case let set as Set<ManagedObject>: return try unordered(set.members, property)
    case let set as OrderedSet<ManagedObject>: return set.elements
    case let set as any MemberCollection:
      let members = set.members as [ManagedObject]
      return type(of: set).isOrdered ? members : try unordered(members, property)
    case let set as RelationshipCollection:
      return set.relationship.isOrdered ? try set.members() : try unordered(set.members(), property)
    default: throw wrongCardinality(property)
    }
  }

  /// The members of a set, for a relationship without an order (REL-022).
  private func unordered(_ members: [ManagedObject], _ property: PropertyLayout) throws -> [ManagedObject] {
    guard !layout.relationships[property.relationship].isOrdered else { throw unorderedSet(property) }
    return members
  }

  private func unorderedSet(_ property: PropertyLayout) -> GraphStoreError {
    GraphStoreError(
      .valueType, "\(entity.name).\(property.name) is ordered and a set has no order.",
      remedy: "Give an array of objects.", entity: entity.name, property: property.name, objectID: objectID)
  }

  final func wrongCardinality(_ property: PropertyLayout) -> GraphStoreError {
    let wanted = property.kind == .toOne ? "one object" : "a collection of objects"
    return GraphStoreError(
      .wrongCardinality, "\(entity.name).\(property.name) takes \(wanted).",
      remedy: property.kind == .toOne ? "Give a single object." : "Give an array of objects.",
      entity: entity.name, property: property.name, objectID: objectID)
  }
}

extension Value {
  /// The value as the Swift type of an attribute's width.
  func swiftValue(_ kind: SlotKind) -> Any? {
    switch self {
    case .null: nil
    case .bool(let value): value
    case .int(let value):
      switch kind {
      case .int16: Int16(truncatingIfNeeded: value)
      case .int32: Int32(truncatingIfNeeded: value)
      default: value
      }
    case .double(let value): kind == .float ? Float(value) : value
    case .decimal(let value): value
    case .string(let value): value
    case .date(let value): value
    case .uuid(let value): value
    case .uri(let value): value
    case .data(let value): value
    case .object, .list, .dictionary: nil
    }
  }
}
