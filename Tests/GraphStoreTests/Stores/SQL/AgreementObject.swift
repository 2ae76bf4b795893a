import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// What an object held at one moment, in values that nothing changes: memory's side of the comparison.
final class AgreementObject: PropertySource {
  let entity: EntityDescription
  let identifier: ManagedObjectID
  private var values: [String: Value] = [:]
  private var places: [String: Value] = [:]
  private var toOne: [String: AgreementObject] = [:]
  private var toMany: [String: (members: [AgreementObject], isOrdered: Bool)] = [:]

  private init(_ object: ManagedObject) {
    entity = object.entity
    identifier = object.objectID
  }

  var _objectReference: ObjectReference? { ObjectReference(identifier) }

  /// The objects as they are now, and what they lead to.
  static func copies(of objects: [ManagedObject]) throws -> [AgreementObject] {
    var copies: [ObjectIdentifier: AgreementObject] = [:]
    var waiting: [ManagedObject] = []
    func copy(_ object: ManagedObject) -> AgreementObject {
      if let copy = copies[ObjectIdentifier(object)] { return copy }
      let copy = AgreementObject(object)
      copies[ObjectIdentifier(object)] = copy
      waiting.append(object)
      return copy
    }
    let result = objects.map(copy)
    while let object = waiting.popLast() {
      let copied = copy(object)
      for attribute in object.entity.attributes {
        copied.values[attribute.name] = try object.queryValue(forKey: attribute.name)
      }
      for relationship in object.entity.relationships {
        let name = relationship.name
        if relationship.isToMany {
          let members = try object.objects(forKey: name)
          let inOrder = relationship.isOrdered ? members : members.sorted { $0.objectID < $1.objectID }
          copied.toMany[name] = (inOrder.map(copy), relationship.isOrdered)
        } else if let destination = try object.object(forKey: name) {
          copied.toOne[name] = copy(destination)
          guard relationship.inverse?.isOrdered == true,
            case .value(let place) = try object._sortOperand(forKey: PropertyKey(name))
          else { continue }
          copied.places[name] = place
        }
      }
    }
    return result
  }

  func _operand(forKey key: PropertyKey) throws -> QueryOperand {
    switch key.name {
    case "objectID", "self", "SELF": return .source(self)
    case "entity": return .value(.string(entity.name))
    default: break
    }
    if let value = values[key.name] { return .value(value) }
    if let object = toOne[key.name] { return .source(object) }
    guard let members = toMany[key.name] else { return .null }
    return .collection(members.members.map(QueryOperand.source), isOrdered: members.isOrdered)
  }

  func _sortOperand(forKey key: PropertyKey) throws -> QueryOperand {
    if let place = places[key.name] { return .value(place) }
    return try _operand(forKey: key)
  }

  func _leadsToCollection(_ keys: [String], behind path: [String]) -> Bool {
    entity.leadsToMany(keys, behind: path)
  }

  func value(_ name: String) -> Value? { values[name] }
}
