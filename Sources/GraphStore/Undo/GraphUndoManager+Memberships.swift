import GraphStorePredicates
import OrderedCollections

/// Memberships in one-way to-manys of records that a save deletes: they go with the members' rows, and no member knows of them.
extension GraphUndoManager {
  /// Reads to what owners records belong that a save deletes, with two statements a relationship and store (OBJ-410).
  func keepMemberships(of deleted: [ManagedObject], in context: ManagedObjectContext) throws {
    for layout in context.coordinator.layout.entities {
      for relationship in layout.relationships
      where relationship.isToMany && relationship.isPersistent && relationship.inverse < 0
        && relationship.description.entityIndex == layout.index
      {
        let members = deleted.filter {
          $0.key > 0 && !$0.isInserted && $0.entity.isKind(of: relationship.destinationEntity)
        }
        if !members.isEmpty { try keepMemberships(of: members, in: relationship, layout, context) }
      }
    }
  }

  private func keepMemberships(
    of deleted: [ManagedObject], in relationship: RelationshipLayout, _ layout: EntityLayout,
    _ context: ManagedObjectContext
  ) throws {
    let gone = Dictionary(deleted.map { (ObjectKey(entity: $0.layout.index, key: $0.key), $0) }) { first, _ in
      first
    }
    let owners = try owners(of: deleted, relationship, layout, context)
    for (store, owners) in OrderedDictionary(grouping: owners, by: \.storeIndex) {
      let links = try context.readingOnce(from: store) {
        try $0.members(relationship, owners: owners.map(\.key))
      }
      let linksByOwner = Dictionary(grouping: links, by: \.owner)
      for owner in owners {
        let links = linksByOwner[owner.key] ?? []
        let order = relationship.isOrdered ? context.faults(links[...], store) : nil
        for member in links.compactMap({ gone[$0.member] }) where member.storeIndex == store {
          departures.keep(
            Departure.Membership(owner: owner, ordinal: relationship.ordinal, order: order), of: member)
        }
      }
    }
  }

  /// The stored owners of some members that are not deleted themselves.
  private func owners(
    of members: [ManagedObject], _ relationship: RelationshipLayout, _ layout: EntityLayout,
    _ context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    let list = Value.list(members.map { .object(ObjectReference($0.objectID)) })
    var request = FetchRequest<ManagedObject>(
      entityName: layout.entity.name,
      predicate: .comparison(
        QueryComparison(
          left: .key(relationship.description.name), modifier: .any, comparator: .in,
          right: QueryExpression(.constant(list)))))
    request.includesPendingChanges = false
    return try context.fetch(request).filter { !$0.isDeleted }
  }
}
