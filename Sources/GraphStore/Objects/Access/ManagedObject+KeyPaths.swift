import GraphStorePredicates

extension ManagedObject {
  /// The value that a key path leads to.
  ///
  /// A step through a to-one leads to its destination; where there is none, the result is nil. A step through
  /// an unordered to-many gathers the values of its members in a `Set<AnyHashable>` without those that are
  /// nil, one through an ordered to-many in an `[Any?]` of the same order; their faults fire with one
  /// statement an entity tree. After a collection the operators are `@count` (an `Int`), `@sum` (an `Int64`,
  /// a `Decimal` or a `Double`), `@avg`, `@min`, `@max`, `@unionOfObjects`, `@distinctUnionOfObjects`, and
  /// the same of sets and arrays.
  ///
  /// ```swift
  /// let total = try department.value(forKeyPath: "employees.@sum.salary") as? Decimal
  /// ```
  ///
  /// - Throws: `invalid-key-path` and `unknown-function`, as ``/GraphStorePredicates/QueryPredicateError``
  ///   with the position; `unknown-key`; `value-type` for a sum or mean over what is no number;
  ///   `arithmetic-overflow`; what firing faults throws.
  public final func value(forKeyPath text: String) throws -> Any? {
    checkQueue()
    return try KeyPathWalk(try ValueKeyPath(text)).value(from: self)
  }

  /// Sets the last key of a path on the object that the rest leads to, or on every member of a collection.
  ///
  /// Where there is nothing on the way, nothing happens.
  ///
  /// - Throws: as ``value(forKeyPath:)`` and ``setValue(_:forKey:)``; `invalid-key-path` for an operator.
  public final func setValue(_ value: Any?, forKeyPath text: String) throws {
    checkQueue()
    let path = try ValueKeyPath(text)
    if let step = path.steps.first(where: { $0.collectionOperator != nil }) {
      throw QueryPredicateError(
        .invalidKeyPath, "\(step.name) has a value and takes none.", source: text, range: step.range,
        hint: "Set a key of the members.", subject: step.name)
    }
    try set(value, along: path.steps[...], from: self, of: path)
  }

  private func set(
    _ value: Any?, along steps: ArraySlice<ValueKeyPath.Step>, from owner: Any?, of path: ValueKeyPath
  ) throws {
    guard let owner, let step = steps.first else { return }
    if let object = owner as? ManagedObject {
      if steps.count == 1 { return try object.setValue(value, forKey: step.name) }
      if let property = object.layout.property(named: step.name), property.kind == .composite {
        return try object.setElement(value, of: property, at: steps.dropFirst().map(\.name)[...])
      }
      return try set(value, along: steps.dropFirst(), from: try object.value(forKey: step.name), of: path)
    }
    guard let members = MemberValues(owner) else {
      throw QueryPredicateError(
        .unknownKey, "A value of type \(type(of: owner)) has no key \(step.name).", source: path.text,
        range: step.range, subject: step.name)
    }
    try members.realize(for: step.name)
    for member in members.values { try set(value, along: steps, from: member, of: path) }
  }

  /// The values of several keys, each in the types of ``value(forKey:)``; a missing value is there as nil.
  ///
  /// - Throws: as ``value(forKey:)``.
  public final func dictionaryWithValues(forKeys keys: [String]) throws -> [String: Any?] {
    checkQueue()
    var values: [String: Any?] = [:]
    for key in keys { values.updateValue(try value(forKey: key), forKey: key) }
    return values
  }

  /// Sets the values of several keys, or none.
  ///
  /// - Throws: as ``setValue(_:forKey:)``; what was set before the key that fails has its former value then.
  public final func setValues(forKeys values: [String: Any?]) throws {
    checkQueue()
    var former: [(key: String, value: Any?)] = []
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { try check(value, forKey: key) }
    do {
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        let old = try self.value(forKey: key)
        try setValue(value, forKey: key)
        former.append((key, old))
      }
    } catch {
      for (key, value) in former.reversed() { try? setValue(value, forKey: key) }
      throw error
    }
  }

  /// Throws what setting a value would throw for its type, without setting it.
  private func check(_ value: Any?, forKey key: String) throws {
    try checkChangeable()
    guard declarations?.accessors[key]?.write == nil, let property = layout.property(named: key) else {
      return
    }
    switch property.kind {
    case .none: throw fetchedProperty(property) == nil ? unsupported(property) : readOnly(property)
    case .undefined: return
    case .composite: try checkComposite(value, property)
    case .transformable: try checkTransformable(value, property)
    case .toOne:
      guard value == nil || value is ManagedObject else { throw wrongCardinality(property) }
      if let object = value as? ManagedObject {
        try checkDestination(object, of: layout.relationships[property.relationship])
      }
    case .toMany:
      for object in try objects(in: value, property) {
        try checkDestination(object, of: layout.relationships[property.relationship])
      }
    default:
      guard !property.isDerived else { throw readOnly(property) }
      _ = try storable(try queryValue(value, property), property)
    }
  }
}
