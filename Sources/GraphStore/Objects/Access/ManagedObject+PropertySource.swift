import GraphStorePredicates

extension ManagedObject: _PropertySource {
  /// The object's identifier.
  public final var _objectReference: ObjectReference? { ObjectReference(objectID) }

  /// The value of a key for a predicate that is evaluated in memory.
  public final func _operand(forKey key: _PropertyKey) throws -> QueryOperand {
    checkQueue()
    if let read = declarations?.accessors[key.name]?.read { return try operand(of: try read(self), key.name) }
    guard let number = key.number(in: layout, find: { layout.property(named: $0)?.number }) else {
      return try layout.operand(forOtherKey: key.name, of: self)
    }
    let property = layout.properties[number]
    switch property.kind {
    case .toOne:
      return try object(of: layout.relationships[property.relationship]).map { .source($0) } ?? .null
    case .toMany:
      let relationship = layout.relationships[property.relationship]
      let members = try members(of: relationship)
      let ordered = relationship.isOrdered ? members : members.sortedByIdentifier()
      return .collection(ordered.map { .source($0) }, isOrdered: relationship.isOrdered)
    case .undefined: return try operand(of: try undefinedValue(property), property.name)
    case .none:
      guard let fetched = fetchedProperty(property) else { throw unsupported(property) }
      return .collection(try fetchedObjects(of: fetched).map { .source($0) }, isOrdered: true)
    default: return .value(try attribute(property))
    }
  }

  /// The value of an accessor of the class, for a predicate.
  private final func operand(of value: Any?, _ key: String) throws -> QueryOperand {
    switch value {
    case nil: return .null
    case let object as ManagedObject: return .source(object)
    case let value as any ValueConvertible: return .value(value.queryValue)
    case let value?:
      if let members = MemberValues(value) {
        return .collection(try members.values.map { try operand(of: $0, key) }, isOrdered: members.isOrdered)
      }
      throw GraphStoreError(
        .valueType, "\(entity.name).\(key) is of type \(type(of: value)), which predicates do not compare.",
        remedy: "Let the accessor yield a number, a text, a date, data, or objects.", entity: entity.name,
        property: key, objectID: objectID)
    }
  }

  /// The value of a key as a sort compares it: of a to-one with an ordered inverse the place in that.
  public final func _sortOperand(forKey key: _PropertyKey) throws -> QueryOperand {
    checkQueue()
    guard declarations?.accessors[key.name] == nil,
      let number = key.number(in: layout, find: { layout.property(named: $0)?.number }),
      layout.properties[number].kind == .toOne
    else { return try _operand(forKey: key) }
    let relationship = layout.relationships[layout.properties[number].relationship]
    guard let owner = try object(of: relationship) else { return .null }
    guard relationship.inverse >= 0 else { return .source(owner) }
    let inverse = owner.layout.relationships[relationship.inverse]
    guard inverse.isOrdered else { return .source(owner) }
    let places = (key.memory as? OrderKeyCache) ?? OrderKeyCache()
    key.memory = places
    return try places.place(of: self, in: owner, inverse).map { .value(.int($0)) } ?? .null
  }

  /// Whether the model has a to-many on the path of keys from this object; those of sub-entities count.
  public final func _leadsToCollection(_ keys: [String], behind path: [String]) -> Bool {
    entity.leadsToMany(keys, behind: path)
  }

  /// The number of members of a to-many, without making a list of them.
  public final func _count(forKey key: _PropertyKey) throws -> Int? {
    checkQueue()
    guard declarations?.accessors[key.name] == nil,
      let number = key.number(in: layout, find: { layout.property(named: $0)?.number }),
      layout.properties[number].kind == .toMany
    else { return nil }
    return try members(of: layout.relationships[layout.properties[number].relationship]).count
  }

  /// The truth value of a comparison of an attribute with a constant, without a value of the attribute being
  /// made.
  public final func _truth(of test: _FieldTest, forKey key: _PropertyKey) throws -> _Ternary? {
    var place = InlineCache.PredicateEntry(word: key.place)
    if place.identity != readableIdentity {
      guard let found = try testedPlace(of: key) else { return nil }
      place = found
    }
    guard let values = unsafe values, unsafe !values.isNull(place.slot) else { return test.missing }
    let word = unsafe values[place.slot]
    switch place.kind {
    case .int16, .int32, .int64: return test.truth(ofInteger: Int64(bitPattern: word))
    case .boolean: return test.truth(ofInteger: word == 0 ? 0 : 1)
    case .double, .float: return test.truth(ofDouble: Double(bitPattern: word))
    case .date: return test.truth(ofDate: Double(bitPattern: word))
    case .string: return withHeldBlock { unsafe test.truth(ofText: $0.bytes(word)) } ?? nil
    case .external: return withHeldBlock { $0.externalSize(word).flatMap(test.truth(ofDataCount:)) } ?? nil
    case .decimal:
      return withHeldBlock { block in
        if let whole = block.decimalWhole(word) { return test.truth(ofWholeDecimal: whole) }
        return block.decimalDouble(word).flatMap { test.truth(ofDecimalNearest: $0) }
      } ?? nil
    case .toOne, .toMany, .none, .uri, .uuid, .binary, .transformable, .composite, .undefined:
      return nil
    }
  }

  /// The slot of a key whose fields can be tested, in an object that has its values from here on.
  @inline(never)
  private final func testedPlace(of key: PropertyKey) throws -> InlineCache.PredicateEntry? {
    checkQueue()
    guard declarations?.accessors[key.name] == nil,
      let number = key.number(in: layout, find: { layout.property(named: $0)?.number })
    else { return nil }
    let property = layout.properties[number]
    switch property.kind {
    case .toOne, .toMany, .none, .uri, .uuid, .binary, .transformable, .composite, .undefined:
      return nil
    default: break
    }
    try realize()
    let place = InlineCache.PredicateEntry(property, of: layout)
    key.place = place.word
    return place
  }
}

extension EntityLayout {
  /// The value of a record for a key that its entity does not have: that of a sub-entity reads as nil
  /// (PRD-287).
  func operand(forOtherKey name: String, of record: some PropertySource) throws -> QueryOperand {
    switch name {
    case "objectID", "self", "SELF": return .source(record)
    case "entity": return .value(.string(entity.name))
    default: break
    }
    let isKeyOfFamily = entity.rootEntity.family.contains { $0.property(named: name) != nil }
    guard isKeyOfFamily else {
      throw QueryPredicateError(
        .unknownKey, "The entity \(entity.name) has no key \(name).",
        suggestions: NearestNames.names(near: name, among: entity.properties.map(\.name)), subject: name)
    }
    return .null
  }
}
