import Foundation
import GraphStoreModel
import GraphStorePredicates
import OrderedCollections

/// The objects that have certain values under a key.
///
/// ```swift
/// let found = try context.findOrCreate(of: Employee.self, key: "badge", values: [1, 2, 7])
/// for employee in found.created { employee.department = department }
/// print(found.objects.count, "employees,", found.created.count, "of them new")
/// ```
public struct KeyedObjects<Object: ManagedObject> {
  /// One object for each different value, in the order in which the values first occurred.
  public internal(set) var objects: [Object] = []
  /// Objects that share their value with one of ``objects``, by which it was left out.
  public internal(set) var duplicates: [Object] = []
  /// Those of ``objects`` that were not there before.
  public internal(set) var created: [Object] = []
}

extension ManagedObjectContext {
  /// One object of an entity for each of some values of an attribute: those that are there, and new ones for
  /// values that no object has.
  ///
  /// One statement runs for any number of values. Unsaved objects count as there. If several objects have one
  /// value, the one with the lowest primary key is returned, saved before unsaved ones.
  ///
  /// - Parameters:
  ///   - entityName: The entity, with its sub-entities; new objects are of itself.
  ///   - key: The name of a stored attribute.
  ///   - values: The values, of the attribute's type or of one that converts to it; repeated ones count once.
  /// - Throws: `invalid-request` for a nil value, before anything is asked or made; `unknown-key`, and
  ///   `wrong-property-kind` for what is no attribute; as ``fetch(_:)->[ManagedObject]`` and
  ///   ``insert(entityNamed:)``.
  public func findOrCreate(
    of entityName: String, key: String, values: [any ValueConvertible]
  ) throws -> KeyedObjects<ManagedObject> {
    checkQueue()
    let layout = try layout(named: entityName)
    return try findOrCreate(
      of: layout, keys: [try layout.keyAttribute(named: key)], tuples: values.map { [$0.queryValue] })
  }

  /// One object of an entity for each of some tuples of values of several properties, which are a key
  /// together; see ``findOrCreate(of:key:values:)-(String,_,_)``.
  ///
  /// ```swift
  /// let found = try context.findOrCreate(
  ///   of: "Employee", keys: ["name", "department"],
  ///   tuples: [["Hedy Lamarr", department], ["Annie Easley", department.objectID]])
  /// print(found.objects.count)  // 2
  /// ```
  ///
  /// - Parameters:
  ///   - entityName: The entity, with its sub-entities; new objects are of itself.
  ///   - keys: The names of stored attributes and to-one relationships.
  ///   - tuples: For each object a value for each of the keys, in their order; that of a relationship is an
  ///     object or an identifier.
  /// - Throws: `invalid-request` for a tuple of another length, without keys, or for one that is given twice;
  ///   and as that.
  public func findOrCreate(
    of entityName: String, keys: [String], tuples: [[any ValueConvertible]]
  ) throws -> KeyedObjects<ManagedObject> {
    checkQueue()
    let layout = try layout(named: entityName)
    return try findOrCreate(
      of: layout, keys: try keys.map(layout.keyProperty), tuples: tuples.map { $0.map(\.queryValue) })
  }

  private func findOrCreate(
    of layout: EntityLayout, keys: [PropertyLayout], tuples: [[Value]]
  ) throws -> KeyedObjects<ManagedObject> {
    let wanted = try converted(tuples, to: keys, of: layout.entity)
    var found = KeyedObjects<ManagedObject>()
    guard !wanted.isEmpty else { return found }
    let tests = keys.indices.map { column in
      let values = OrderedSet(wanted.lazy.map { $0[column] })
      return QueryPredicate.compare(
        .key(keys[column].name), .in, QueryExpression(.constant(.list(values.elements))))
    }
    var request = FetchRequest(
      entityName: layout.entity.name, predicate: tests.count == 1 ? tests[0] : .and(tests))
    request.returnsObjectsAsFaults = false
    var byTuple: [[Value]: ManagedObject] = [:]
    for object in try fetch(request).sortedByIdentifier() {
      let tuple = try keys.map { try object.attribute(object.layout.properties[$0.number]) }
      if byTuple[tuple] == nil {
        byTuple[tuple] = object
      } else if wanted.contains(tuple) {
        found.duplicates.append(object)
      }
    }
    for tuple in wanted {
      if let known = byTuple[tuple] {
        found.objects.append(known)
        continue
      }
      let object = try insert(entityNamed: layout.entity.name)
      for (property, value) in zip(keys, tuple) { try object.setKey(property, to: value) }
      found.objects.append(object)
      found.created.append(object)
    }
    return found
  }

  /// One object of the entity that a class represents for each of some values of an attribute; see
  /// ``findOrCreate(of:key:values:)-(String,_,_)``.
  ///
  /// - Throws: `class-mismatch` when the class represents no entity; `result-type-mismatch`; and as that.
  public func findOrCreate<Object: ManagedObject>(
    of type: Object.Type, key: String, values: [any ValueConvertible]
  ) throws -> KeyedObjects<Object> {
    try typed(findOrCreate(of: entityName(of: type), key: key, values: values))
  }

  /// One object of the entity that a class represents for each of some tuples of values; see
  /// ``findOrCreate(of:keys:tuples:)-(String,_,_)``.
  ///
  /// - Throws: `class-mismatch` when the class represents no entity; `result-type-mismatch`; and as that.
  public func findOrCreate<Object: ManagedObject>(
    of type: Object.Type, keys: [String], tuples: [[any ValueConvertible]]
  ) throws -> KeyedObjects<Object> {
    try typed(findOrCreate(of: entityName(of: type), keys: keys, tuples: tuples))
  }

  private func typed<Object: ManagedObject>(
    _ found: KeyedObjects<ManagedObject>
  ) throws -> KeyedObjects<Object> {
    KeyedObjects(
      objects: try found.objects.map { try typed($0, as: Object.self) },
      duplicates: try found.duplicates.map { try typed($0, as: Object.self) },
      created: try found.created.map { try typed($0, as: Object.self) })
  }

  /// Tuples in the types of properties, each once, in their order.
  private func converted(
    _ tuples: [[Value]], to keys: [PropertyLayout], of entity: EntityDescription
  ) throws -> OrderedSet<[Value]> {
    let names = keys.map(\.name).joined(separator: ", ")
    if let repeated = keys.indices.first(where: { column in
      keys[..<column].contains { $0.number == keys[column].number }
    }) {
      throw GraphStoreError(
        .invalidRequest,
        "Objects are to be found by \(entity.name).\(keys[repeated].name), which is given twice.",
        remedy: "Name each key once.", entity: entity.name, property: keys[repeated].name)
    }
    guard !keys.isEmpty, tuples.allSatisfy({ $0.count == keys.count }) else {
      throw GraphStoreError(
        .invalidRequest,
        "Objects are to be found by \(entity.name).(\(names)), and tuples have other lengths.",
        remedy: "Give a value for each key.", entity: entity.name)
    }
    if let missing = keys.indices.first(where: { column in tuples.contains { $0[column] == .null } }) {
      let key = keys[missing].name
      throw GraphStoreError(
        .invalidRequest, "Objects are to be found by \(entity.name).\(key), and one of the values is nil.",
        remedy: "Leave out what has no value.", entity: entity.name, property: key)
    }
    let columns = try keys.indices.map { column in
      try converted(tuples.map { $0[column] }, to: keys[column], of: entity)
    }
    return OrderedSet(tuples.indices.map { row in columns.map { $0[row] } })
  }

  /// Values as a property holds them.
  private func converted(
    _ values: [Value], to key: PropertyLayout, of entity: EntityDescription
  ) throws -> [Value] {
    // As a constant of a predicate a number beyond the range of an attribute is infinite.
    if key.kind == .float {
      for value in values { if case .double = value { _ = try key.storable(value, in: entity) } }
    }
    let given = QueryPredicate.compare(.key(key.name), .in, QueryExpression(.constant(.list(values))))
    let checked = try PredicateTypeChecker(entity: entity).check(given)
    guard case .comparison(let comparison) = checked,
      case .list(let converted)? = comparison.right.constantValue, converted.count == values.count
    else { return values }
    if key.relationship >= 0 { return converted }
    return try converted.map { value in
      let value = try key.storable(value, in: entity)
      if key.kind == .decimal, case .int(let number) = value { return .decimal(Decimal(number)) }
      return value
    }
  }
}

extension ManagedObject {
  /// Sets an attribute, or a to-one relationship by the identifier that a value names.
  fileprivate final func setKey(_ property: PropertyLayout, to value: Value) throws {
    guard property.relationship >= 0 else { return try setAttribute(property, to: value) }
    guard case .object(let reference) = value, let id = reference.identifier(as: ManagedObjectID.self) else {
      throw wrongCardinality(property)
    }
    try setObject(context?.object(with: id), of: layout.relationships[property.relationship])
  }
}
