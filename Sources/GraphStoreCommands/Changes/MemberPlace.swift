import GraphStore
import GraphStoreReports

/// Place among the members of an ordered relationship.
enum MemberPlace {
  /// A position, from 0.
  case position(Int)
  case before(ManagedObject)
  case behind(ManagedObject)

  /// Puts objects there, in their order; those that are members already are moved.
  ///
  /// - Throws: `wrong-property-kind` for a relationship without an order, `object-not-found` where the
  ///   neighbour is no member, `index-out-of-range` behind the end.
  func insert(
    _ objects: [ManagedObject], into owner: ManagedObject, _ relationship: RelationshipDescription
  ) throws {
    guard relationship.isToMany, relationship.isOrdered else {
      throw Diagnostic(
        code: "wrong-property-kind",
        message: "\(relationship.description) has no order, so that no place can be said",
        hints: ["leave out --at, --before and --after"], entity: owner.entity.name,
        property: relationship.name,
        exitCode: .usage)
    }
    let moved = Set(objects)
    var members = try owner.objects(forKey: relationship.name).filter { !moved.contains($0) }
    var seen: Set<ManagedObject> = []
    members.insert(
      contentsOf: objects.filter { seen.insert($0).inserted },
      at: try index(among: members, of: owner, relationship))
    try owner.setValue(members, forKey: relationship.name)
  }

  /// The index among the members that stay where they are.
  private func index(
    among members: [ManagedObject], of owner: ManagedObject, _ relationship: RelationshipDescription
  ) throws -> Int {
    let neighbour: ManagedObject
    let step: Int
    switch self {
    case .position(let position):
      guard position <= members.count else {
        throw Diagnostic(
          code: "index-out-of-range",
          message:
            "there is no place \(position): \(relationship.description) has \(members.count.counted("other member"))",
          hints: ["the last place is \(members.count)"], entity: owner.entity.name,
          property: relationship.name,
          exitCode: .usage)
      }
      return position
    case .before(let object): (neighbour, step) = (object, 0)
    case .behind(let object): (neighbour, step) = (object, 1)
    }
    guard let index = members.firstIndex(of: neighbour) else {
      throw Diagnostic(
        code: "object-not-found",
        message:
          "\(neighbour.objectID.shortForm) is no other member of \(owner.objectID.shortForm).\(relationship.name)",
        entity: owner.entity.name, property: relationship.name, exitCode: .noInput)
    }
    return index + step
  }
}
