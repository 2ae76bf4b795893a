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
  /// Counts changes of what the context shows.
  var version = 0
  /// The parent's version that the context has read.
  var seen = 0
  /// Objects that something holds, by number.
  var held: [Int: ManagedObject] = [:]

  init(_ name: String, _ context: ManagedObjectContext?, below parent: FamilyNode?, _ graph: FamilyGraph) {
    (self.name, self.context, self.parent) = (name, context, parent)
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
    let change = change
    base = parent.own.seenFromBelow
    own = base.applying(change)
    seen = parent.version
    version += 1
    releaseGone()
    if parent.context == nil {
      try context.refreshFromStores(context.registeredObjects)
    } else {
      try context.refreshAllObjects()
    }
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
