import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// A random model with random objects in a store, and contexts over them.
final class AgreementGraph {
  let stack: TestStack
  let model: ManagedObjectModel
  private(set) var copies: [AgreementObject] = []
  private var objects: [ManagedObject] = []
  private var context: ManagedObjectContext { stack.context }

  init(_ random: inout SeededGenerator) throws {
    stack = try TestStack(AgreementModel.definition(&random))
    model = stack.coordinator.managedObjectModel
    for entity in model.entities where !entity.isAbstract {
      for _ in 0..<Int.random(in: 3...9, using: &random) { try insert(entity, &random) }
    }
    for object in objects { try link(object, &random) }
    try context.save()
    copies = try AgreementObject.copies(of: objects)
  }

  /// Changes the graph at random without saving: inserts, updates, deletes and relationships.
  func change(_ random: inout SeededGenerator) throws {
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let entity = random.pick(model.entities.filter { !$0.isAbstract })
      try insert(entity, &random)
    }
    for _ in 0..<Int.random(in: 2...10, using: &random) {
      let object = random.pick(objects)
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1:
        try context.delete(object)
        try context.processPendingChanges()
        objects = objects.filter { !$0.isDeleted && $0.context != nil }
        if objects.isEmpty { return }
      case 2...5: try fill(object, &random, chance: 40)
      default: try link(object, &random)
      }
    }
    try context.processPendingChanges()
    objects = objects.filter { !$0.isDeleted && $0.context != nil }
    copies = try AgreementObject.copies(of: objects)
  }

  func save() throws {
    try context.save()
    copies = try AgreementObject.copies(of: objects)
  }

  /// The live objects of an entity in the order that settles ties.
  func copies(of request: FetchRequest<ManagedObject>) throws -> [AgreementObject] {
    let entity = try model.entity(named: request.entityName)
    let found = copies.filter {
      request.includesSubentities ? $0.entity.isKind(of: entity) : $0.entity === entity
    }
    let isDescending = request.sortDescriptors.last?.ascending == false
    return found.sorted { left, right in
      let isReversed = isDescending && !left.identifier.isTemporaryID && !right.identifier.isTemporaryID
      return isReversed ? right.identifier < left.identifier : left.identifier < right.identifier
    }
  }

  private func insert(_ entity: EntityDescription, _ random: inout SeededGenerator) throws {
    let object = try context.insert(entityNamed: entity.name)
    objects.append(object)
    try fill(object, &random, chance: 80)
  }

  private func fill(_ object: ManagedObject, _ random: inout SeededGenerator, chance: Int) throws {
    for attribute in object.entity.attributes {
      if random.chance(chance) || !attribute.isOptional {
        try object.setQueryValue(PlannerValues.value(attribute, &random), forKey: attribute.name)
      } else if random.chance(10) {
        try object.setQueryValue(.null, forKey: attribute.name)
      }
    }
  }

  /// The members that other objects have in a to-many without inverse: a store knows one owner of each
  /// (STO-255).
  private func members(
    withoutInverseOf relationship: RelationshipDescription, besides object: ManagedObject
  ) throws -> Set<ManagedObject> {
    guard relationship.isToMany, relationship.inverse == nil else { return [] }
    let owners = objects.filter { $0 !== object && $0.entity.isKind(of: relationship.entity) }
    return try Set(owners.flatMap { try $0.objects(forKey: relationship.name) })
  }

  private func link(_ object: ManagedObject, _ random: inout SeededGenerator) throws {
    for relationship in object.entity.relationships {
      let taken = try members(withoutInverseOf: relationship, besides: object)
      let targets = objects.filter { $0.entity.isKind(of: relationship.destination) && !taken.contains($0) }
      if targets.isEmpty { continue }
      if relationship.isToMany {
        // A member that is mandatory elsewhere must not lose its owner.
        guard relationship.inverse?.isOptional != false else { continue }
        let members = (0..<Int.random(in: 0...3, using: &random)).map { _ in random.pick(targets) }
        let distinct: [ManagedObject] = members.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        try object.setValue(distinct, forKey: relationship.name)
      } else if random.chance(70) || !relationship.isOptional {
        try object.setValue(random.pick(targets), forKey: relationship.name)
      } else {
        try object.setValue(nil, forKey: relationship.name)
      }
    }
  }
}
