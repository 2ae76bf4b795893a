/// The transfer of a child's deletions into its parent: objects are deleted there without their rules and
/// hooks, whose effects are among the child's changes (REL-182).
struct DeletionTransfer {
  private let parent: ManagedObjectContext
  /// The parent's objects for those that the child has deleted.
  private let deleted: [ManagedObject]
  private let counterparts: [ObjectIdentifier: ManagedObject]

  init(
    of objects: [ManagedObject], to parent: ManagedObjectContext,
    _ counterparts: [ObjectIdentifier: ManagedObject]
  ) {
    self.parent = parent
    self.counterparts = counterparts
    deleted = objects.compactMap { counterparts[ObjectIdentifier($0)] }.filter(\.isPresent)
  }

  /// Deletes the objects in the parent.
  ///
  /// - Parameter cascades: The child's, by which the parent can withdraw a deletion with its consequences.
  func carryOut(_ cascades: [Cascade]) {
    for target in deleted { cutLinks(to: target) }
    for target in deleted { delete(target) }
    parent.removeUnlisted()
    for cascade in cascades {
      let own = counterpart(of: cascade)
      if own.links.contains(where: { $0.source >= 0 }) { parent.deletions.cascades.append(own) }
    }
  }

  private func delete(_ target: ManagedObject) {
    parent.countSetter()
    target.enterEvent()
    if target.state.contains(.inserted) { return parent.drop(target) }
    target.keepUnchangedValues()
    target.changeState(adding: [.deleted, .propagated])
    parent.recordChange(of: target)
    parent.deletions.order.append(target)
  }

  /// Cuts links to a deleted object that the child has not known: unsaved ones of the parent. Those that a
  /// rule leaves alone stay.
  private func cutLinks(to target: ManagedObject) {
    for relationship in target.layout.relationships
    where relationship.inverse >= 0 && relationship.description.deleteRule != .noAction {
      for other in target.knownDestinations(of: relationship) where other.isPresent && other !== target {
        do { try other.unlinkInverse(target, relationship) } catch { parent.keepDeferred(error) }
      }
    }
  }

  private func counterpart(of cascade: Cascade) -> Cascade {
    var own = Cascade()
    var positions: [Int: Int] = [:]
    for (position, object) in cascade.objects.enumerated() {
      guard let target = counterparts[ObjectIdentifier(object)] else { continue }
      let source = cascade.links[position].source
      positions[position] = own.count
      if source >= 0, let from = positions[Int(source)], let relationship = cascade.relationship(at: position)
      {
        own.append(target, from: from, by: relationship)
      } else {
        own.append(target)
      }
    }
    return own
  }
}
