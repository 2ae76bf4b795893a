@testable import GraphStore

/// The numbers of objects that a context has set.
struct Touched {
  var objects: Set<Int> = []
  /// Those whose links were set.
  var ends: Set<Int> = []
}

/// A context of a family beside what it has to show by the rules; the store, at the top, has no context.
final class FamilyNode {
  let name: String
  let context: ManagedObjectContext?
  let parent: FamilyNode?
  private(set) var children: [FamilyNode] = []
  /// What the context has read from above.
  var base: FamilyGraph
  /// What the context shows.
  var own: FamilyGraph
  /// The objects that were set since the last save, also those that are again as they were.
  var touched = Touched()
  /// Whether the context merges what its siblings and its parent save, in place of refreshing all objects.
  let mergesSaves: Bool
  /// Counts changes of what the context shows.
  var version = 0
  /// The parent's version that the context has read.
  var seen = 0
  /// Objects that something holds, by number.
  var held: [Int: ManagedObject] = [:]

  init(
    _ name: String, _ context: ManagedObjectContext?, below parent: FamilyNode?, _ graph: FamilyGraph,
    mergesSaves: Bool = false
  ) {
    (self.name, self.context, self.parent, self.mergesSaves) = (name, context, parent, mergesSaves)
    base = graph
    own = graph
    seen = parent?.version ?? 0
    parent?.children.append(self)
  }

  var depth: Int { parent.map { $0.depth + 1 } ?? 0 }
  /// Whether Deny is going to stop the save of the context, or of one above.
  var awaitsDenial: Bool { own.graph.isDenied || parent?.awaitsDenial == true }
  var change: FamilyChange { FamilyChange(from: base, to: own) }
  /// The node and all that are below it, parents first.
  var tree: [FamilyNode] { [self] + children.flatMap(\.tree) }

  func remove(_ child: FamilyNode) { children.removeAll { $0 === child } }

  /// Lets the context see what the contexts above show by now.
  func synchronize() throws {
    guard let parent, let context else { return }
    try parent.synchronize()
    guard seen != parent.version else { return }
    readAbove(parent)
    if parent.context == nil {
      try context.refreshFromStores(context.registeredObjects)
    } else {
      try context.refreshAllObjects()
    }
  }

  private func readAbove(_ parent: FamilyNode) {
    let change = change
    base = parent.own.seenFromBelow
    own = base.applying(change)
    seen = parent.version
    version += 1
    releaseGone()
  }

  /// Lets the contexts that merge see what one has saved: its siblings, as far as they had seen all that was
  /// above before, and its children.
  ///
  /// - Parameter version: The parent's version before the save.
  /// - Returns: The siblings that have merged it.
  func mergeIntoOthers(_ changes: SavedChanges, _ version: Int) throws -> [FamilyNode] {
    for child in children { try child.merge(changes) }
    guard let parent, parent.context != nil else { return [] }
    var merged: [FamilyNode] = []
    for sibling in parent.children where sibling !== self && sibling.mergesSaves && sibling.seen == version {
      sibling.readAbove(parent)
      try sibling.merge(changes)
      merged.append(sibling)
    }
    return merged
  }

  private func merge(_ changes: SavedChanges) throws {
    guard mergesSaves, let context else { return }
    try context.mergeChanges(fromContextDidSave: changes)
    // Links to what is deleted are cut, which changes the objects that had them.
    let changed = try context.updatedObjects.map(RandomFamily.number)
    touched.objects.formUnion(changed)
    touched.ends.formUnion(changed)
  }

  func releaseGone() { held = held.filter { own.isThere($0.key) } }

  /// Records what was changed, and rolls contexts below back whose changes contradict it, and so on.
  func show(_ graph: FamilyGraph, savedBy saver: FamilyNode? = nil) {
    let change = FamilyChange(from: own.seenFromBelow, to: graph)
    own = graph
    touched.objects.formUnion(change.touched)
    touched.ends.formUnion(change.graphTouched)
    version += 1
    releaseGone()
    if !change.isEmpty { settle(change.touched, [change], except: saver) }
  }

  private func settle(_ touched: Set<Int>, _ changes: [FamilyChange], except saver: FamilyNode?) {
    for child in children where child !== saver {
      let own = child.change
      let contradicts = changes.contains {
        $0.contradicts(own) || !child.touched.ends.isDisjoint(with: $0.graphTouched)
          || !child.touched.objects.isDisjoint(with: $0.deleted.union($0.inserted.keys))
      }
      if contradicts { child.rollBack() }
      child.settle(touched, contradicts ? changes + [own] : changes, except: nil)
    }
  }

  private func rollBack() {
    context?.rollback()
    own = base
    touched = Touched()
    version += 1
    releaseGone()
  }

  /// Discards what is unsaved, by a rollback or a reset.
  func discard(_ body: (ManagedObjectContext) -> Void = { $0.rollback() }) {
    context.map(body)
    show(base)
    touched = Touched()
  }
}
