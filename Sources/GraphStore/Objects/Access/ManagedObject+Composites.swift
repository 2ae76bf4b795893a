import GraphStorePredicates

/// Composite attributes: named elements, each with a slot of its own in the row.
extension ManagedObject {
  /// The elements of a composite value as their Swift types; one without a value is there as nil (OBJ-295).
  ///
  /// - Throws: as ``swiftValue(_:of:)``, and what the transformers of elements throw.
  final func composite(_ composite: PropertyLayout, _ members: [String: Value]) throws -> [String: Any?] {
    var values: [String: Any?] = [:]
    for element in composite.elements {
      let name = element.key
      let value = members[name] ?? .null
      let read: Any?
      if element.kind == .transformable, case .data(let data) = value {
        read = try decoded(data, element)
      } else {
        read = try swiftValue(value, of: element)
      }
      values.updateValue(read, forKey: name)
    }
    return values
  }

  /// Sets the elements that a dictionary names, and makes the others nil; nil makes all nil (OBJ-296).
  ///
  /// - Throws: `unknown-key` with the path for an element that there is not; `value-type`,
  ///   `value-out-of-range`; nothing has changed then.
  final func setComposite(_ value: Any?, of composite: PropertyLayout, isTracked: Bool) throws {
    var changes: [(leaf: PropertyLayout, value: Value)] = []
    try collect(value, of: composite, into: &changes)
    try write(changes, of: layout.properties[composite.number], isTracked: isTracked)
  }

  /// Sets one element, or the elements of a nested composite, and leaves the others (MDL-192).
  ///
  /// - Parameter names: The names of the elements on the way, the last of which is set.
  final func setElement(_ value: Any?, of composite: PropertyLayout, at names: ArraySlice<String>) throws {
    var element = composite
    for name in names { element = try self.element(name, of: element) }
    var changes: [(leaf: PropertyLayout, value: Value)] = []
    try collect(value, of: element, into: &changes)
    try write(changes, of: layout.properties[composite.number], isTracked: true)
  }

  /// Throws what setting a composite would throw.
  final func checkComposite(_ value: Any?, _ composite: PropertyLayout) throws {
    var changes: [(leaf: PropertyLayout, value: Value)] = []
    try collect(value, of: composite, into: &changes)
  }

  /// Whether a dictionary has other elements than a row.
  final func differs(_ value: Any?, fromComposite composite: PropertyLayout, in row: Row) throws -> Bool {
    var changes: [(leaf: PropertyLayout, value: Value)] = []
    try collect(value, of: composite, into: &changes)
    return try changes.contains { try $0.value != self.value(of: $0.leaf, in: row) }
  }

  /// A value of a composite attribute with the values of its elements; nil where all are nil (OBJ-295).
  ///
  /// - Throws: what setting it would throw.
  final func compositeValue(_ value: Any?, of property: PropertyLayout) throws -> Value {
    guard property.kind == .composite else {
      return try storable(try elementValue(value, property), property)
    }
    let given = try members(of: value, property)
    for name in given.keys.sorted() { _ = try element(name, of: property) }
    var members: [String: Value] = [:]
    for element in property.elements {
      members[element.key] = try compositeValue(given[element.key] ?? nil, of: element)
    }
    return members.values.allSatisfy(\.isNull) ? .null : .dictionary(members)
  }

  private func collect(
    _ value: Any?, of property: PropertyLayout, into changes: inout [(leaf: PropertyLayout, value: Value)]
  ) throws {
    guard property.kind == .composite else {
      return changes.append((property, try storable(try elementValue(value, property), property)))
    }
    let members = try members(of: value, property)
    for name in members.keys.sorted() { _ = try element(name, of: property) }
    for element in property.elements {
      try collect(members[element.key] ?? nil, of: element, into: &changes)
    }
  }

  /// The value that was passed for an attribute or an element, with bytes for objects that a transformer
  /// encodes.
  final func elementValue(_ value: Any?, _ element: PropertyLayout) throws -> Value {
    guard element.kind == .transformable, let value, !(value is Value) else {
      return try queryValue(value, element)
    }
    return try bytes(of: value, element)
  }

  private func members(of value: Any?, _ property: PropertyLayout) throws -> [String: Any?] {
    switch value {
    case nil, Value.null as Value: return [:]
    case let members as [String: Any?]: return members
    case Value.dictionary(let members) as Value: return members.mapValues { $0.isNull ? nil : $0 }
    case let value?:
      throw GraphStoreError(
        .valueType,
        "\(entity.name).\(property.name) holds a dictionary of its elements, not a value of type \(type(of: value)).",
        remedy: "Give a dictionary, such as [\"\(property.attribute?.elements.first?.name ?? "")\": …].",
        entity: entity.name, property: property.name, objectID: objectID)
    }
  }

  private func element(_ name: String, of composite: PropertyLayout) throws -> PropertyLayout {
    if let found = composite.elements.first(where: { $0.key == name }) { return found }
    let names = composite.elements.map(\.key)
    var error = GraphStoreError(
      .unknownKey, "\(entity.name) has no element \"\(composite.name).\(name)\".",
      remedy: "Known: \(names.joined(separator: ", ")).", entity: entity.name,
      property: "\(composite.name).\(name)", objectID: objectID)
    error.suggestions = NearestNames.names(near: name, among: names)
    throw error
  }

  private func write(
    _ changes: [(leaf: PropertyLayout, value: Value)], of composite: PropertyLayout, isTracked: Bool
  ) throws {
    try reportingChanges {
      if isTracked { try prepareChange(of: composite) } else { preparePrimitive(composite) }
      for (leaf, value) in changes { replace(value, of: leaf) }
    }
  }
}
