import GraphStoreModel
import OrderedCollections

/// A link to a deleted record that another writer has added since the delete rules were applied.
struct PhantomLink {
  let owner: ManagedObjectID
  let member: ManagedObjectID
  /// The member, where the context knows it.
  let object: ManagedObject?

  /// The failure of a save by a Deny rule.
  static func denial(_ links: [PhantomLink], _ relationship: RelationshipDescription) -> GraphStoreError {
    let failures = OrderedDictionary(grouping: links, by: \.owner).map { owner, links in
      DeletionPreview.Denial(
        objectID: owner, relationship: relationship.name, blocking: links.map(\.member)
      ).error
    }
    return GraphStoreError.combining(failures) ?? failures[0]
  }

  /// The failure of a save that takes its partner from an object that cannot do without, or has other
  /// changes.
  static func displacement(_ links: [PhantomLink]) -> GraphStoreError {
    mergeConflict(
      links, by: "by another writer's change",
      links.map { "\($0.member.shortForm) is the partner of \($0.owner.shortForm)" },
      remedy: "Refresh them, set the links anew and save again; nothing was written.")
  }

  /// The failure of a save that cannot continue with the links.
  ///
  /// - Parameter isKnownElsewhere: Whether the context has values of the members under which they belong
  ///   elsewhere.
  static func conflict(_ links: [PhantomLink], isKnownElsewhere: Bool) -> GraphStoreError {
    mergeConflict(
      links, by: "another writer has added members to records that are deleted here:",
      links.map { "\($0.member.shortForm) belongs to \($0.owner.shortForm)" },
      remedy: isKnownElsewhere
        ? "Refresh them and save again; nothing was written."
        : "Save again: the delete rules are then applied to them too; nothing was written.")
  }

  private static func mergeConflict(
    _ links: [PhantomLink], by cause: String, _ lines: [String], remedy: String
  ) -> GraphStoreError {
    var error = GraphStoreError(
      .mergeConflict,
      "Could not merge changes: \(cause) \(lines.listed(first: 3)).",
      remedy: remedy, entity: links[0].owner.entity.name, objectID: links[0].owner)
    error.relatedObjects = links.map(\.member)
    error.details = Array(lines.prefix(20))
    return error
  }
}
