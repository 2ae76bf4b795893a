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
    let property = try layout.keyAttribute(named: key)
    let wanted = try converted(values.map(\.queryValue), to: key, of: layout.entity)
    var found = KeyedObjects<ManagedObject>()
    guard !wanted.isEmpty else { return found }
    var request = FetchRequest(
      entityName: entityName,
      predicate: .compare(.key(key), .in, QueryExpression(.constant(.list(Array(wanted))))))
    request.returnsObjectsAsFaults = false
    var byValue: [Value: ManagedObject] = [:]
    for object in try fetch(request).sortedByIdentifier() {
      let value = try object.attribute(object.layout.properties[property.number])
      if byValue[value] == nil { byValue[value] = object } else { found.duplicates.append(object) }
    }
    for value in wanted {
      if let known = byValue[value] {
        found.objects.append(known)
        continue
      }
      let object = try insert(entityNamed: entityName)
      try object.setQueryValue(value, forKey: key)
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
    let found = try findOrCreate(of: entityName(of: type), key: key, values: values)
    return KeyedObjects(
      objects: try found.objects.map { try typed($0, as: type) },
      duplicates: try found.duplicates.map { try typed($0, as: type) },
      created: try found.created.map { try typed($0, as: type) })
  }

  /// Values in the type of an attribute, each once, in their order.
  private func converted(
    _ values: [Value], to key: String, of entity: EntityDescription
  ) throws -> OrderedSet<Value> {
    if values.contains(.null) {
      throw GraphStoreError(
        .invalidRequest, "Objects are to be found by \(entity.name).\(key), and one of the values is nil.",
        remedy: "Leave out what has no value.", entity: entity.name, property: key)
    }
    let given = QueryPredicate.compare(.key(key), .in, QueryExpression(.constant(.list(values))))
    let checked = try PredicateTypeChecker(entity: entity).check(given)
    guard case .comparison(let comparison) = checked,
      case .list(let converted)? = comparison.right.constantValue
    else { return OrderedSet(values) }
    return OrderedSet(converted)
  }
}
