import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// A registered object of an entity, or of a sub-entity, for which a predicate is true; nil where there is
  /// none.
  ///
  /// Looks at what is in memory and at nothing else, by two-valued logic: no statement runs, and no fault
  /// fires. Faults and deleted objects are passed over, and so are objects for which the predicate cannot be
  /// evaluated without firing one. Which of several matching objects is returned is not defined.
  ///
  /// - Throws: `unknown-entity`; ``/GraphStorePredicates/QueryPredicateError`` for a predicate that does not
  ///   fit the entity.
  public func registeredObject(
    of entityName: String, matching predicate: QueryPredicate
  ) throws -> ManagedObject? {
    checkQueue()
    let entity = try layout(named: entityName).entity
    var options = EvaluationOptions(locale: locale)
    options.functions = functions
    var checker = PredicateTypeChecker(entity: entity, purpose: .evaluation) { [coordinator] text in
      coordinator.objectReference(text)
    }
    checker.functions = functions
    let evaluator = try PredicateEvaluator(checker.check(predicate), options: options)
    return try registry.all().first { object in
      guard !object.isFault, !object.isDeleted, object.entity.isKind(of: entity) else { return false }
      do { return try evaluator.evaluate(RegisteredObject(object)) } catch is RegisteredObject.WouldFire {
        return false
      }
    }
  }

  /// A registered object of the entity that a class represents; see
  /// ``registeredObject(of:matching:)-(String,_)``.
  ///
  /// - Throws: `class-mismatch` when the class represents no entity; and as that.
  public func registeredObject<Object: ManagedObject>(
    of type: Object.Type, matching predicate: QueryPredicate
  ) throws -> Object? {
    try registeredObject(of: entityName(of: type), matching: predicate).map { try typed($0, as: type) }
  }
}

/// An object as a predicate reads it that must not fire a fault.
private final class RegisteredObject: PropertySource {
  /// Ends the evaluation: the next step would fire a fault.
  struct WouldFire: Error {}

  private let object: ManagedObject

  init(_ object: ManagedObject) { self.object = object }

  var _objectReference: ObjectReference? { object._objectReference }

  func _operand(forKey key: PropertyKey) throws -> QueryOperand {
    if ["objectID", "self", "SELF"].contains(key.name) { return .source(self) }
    switch try operand(key.name) {
    case .toOne(let destination): return destination.map { .source(RegisteredObject($0)) } ?? .null
    case .toMany(let members, let isOrdered):
      let ordered = isOrdered ? members : members.sortedByIdentifier()
      return .collection(ordered.map { .source(RegisteredObject($0)) }, isOrdered: isOrdered)
    case .other: return try object._operand(forKey: key)
    }
  }

  func _count(forKey key: PropertyKey) throws -> Int? {
    if case .toMany(let members, _) = try operand(key.name) { return members.count }
    return nil
  }

  func _leadsToCollection(_ keys: [String], behind path: [String]) -> Bool {
    object._leadsToCollection(keys, behind: path)
  }

  private enum Found {
    case toOne(ManagedObject?)
    case toMany([ManagedObject], isOrdered: Bool)
    case other
  }

  private func operand(_ name: String) throws -> Found {
    if object.isFault { throw WouldFire() }
    guard object.declarations?.accessors[name] == nil, let property = object.layout.property(named: name)
    else {
      return .other
    }
    switch property.kind {
    case .toOne: return .toOne(try object.object(of: object.layout.relationships[property.relationship]))
    case .toMany:
      let relationship = object.layout.relationships[property.relationship]
      guard object.toMany(relationship).isResolved else { throw WouldFire() }
      return .toMany(try object.members(of: relationship), isOrdered: relationship.isOrdered)
    case .none:
      guard let kept = object.extra?.fetched[property.number] else { throw WouldFire() }
      return .toMany(kept, isOrdered: true)
    default: return .other
    }
  }
}
