/// What a context shows by the rules alone: a model of sets, and a value of each object.
struct FamilyGraph {
  var graph: RandomGraph
  var values: [Int: Int] = [:]

  /// The graph as those see it who read from the context: what is deleted is not there, all else is.
  var seenFromBelow: FamilyGraph {
    var seen = self
    seen.graph.save()
    seen.values = values.filter { seen.graph.entities[$0.key] != nil }
    return seen
  }

  /// The graph with changes on top.
  func applying(_ change: FamilyChange) -> FamilyGraph {
    var result = self
    result.apply(change)
    return result
  }

  mutating func apply(_ change: FamilyChange) {
    graph.entities.merge(change.inserted) { $1 }
    for number in change.deleted.sorted() { delete(number) }
    for (number, value) in change.values where isThere(number) { values[number] = value }
    for pair in graph.pairs.indices {
      for link in change.removed[pair] { graph.unlink(pair, link.left, link.right) }
      for link in change.added[pair] where isThere(link.left) && isThere(link.right) {
        graph.link(pair, link.left, link.right)
      }
      for (owner, members) in change.orders[pair] { reorder(pair, owner, members) }
      for link in change.denying[pair] where !graph.links[pair].contains(link) {
        let ends = [link.left, link.right]
        if ends.allSatisfy({ graph.entities[$0] != nil }) { graph.links[pair].append(link) }
      }
    }
  }

  func isThere(_ number: Int) -> Bool {
    graph.entities[number] != nil && !graph.deleted.contains(number)
  }

  /// Deletes an object that has been deleted elsewhere: of the rules, Deny alone has an effect here.
  private mutating func delete(_ number: Int) {
    guard graph.saved.contains(number) else { return graph.forget(number) }
    graph.deleted.insert(number)
    for (index, pair) in graph.pairs.enumerated() {
      graph.links[index].removeAll {
        ($0.left == number && pair.left.rule != .deny) || ($0.right == number && pair.right.rule != .deny)
      }
    }
  }

  /// Puts members of an ordered relationship first, in their order.
  mutating func reorder(_ pair: Int, _ owner: Int, _ members: [Int]) {
    let own = graph.links[pair].filter { $0.left == owner }
    let moved = members.compactMap { member in own.first { $0.right == member } }
    graph.links[pair].removeAll { $0.left == owner }
    graph.links[pair] += moved + own.filter { !moved.contains($0) }
  }
}

/// What a context has changed since it has last read or saved: a dictionary of overrides.
struct FamilyChange {
  private(set) var inserted: [Int: String] = [:]
  private(set) var deleted: Set<Int> = []
  private(set) var values: [Int: Int] = [:]
  /// By pair.
  private(set) var added: [[RandomGraph.Link]] = []
  private(set) var removed: [[RandomGraph.Link]] = []
  /// By pair: links of deleted objects, which Deny leaves until the save.
  private(set) var denying: [[RandomGraph.Link]] = []
  /// By pair and owner: members whose order has changed.
  private(set) var orders: [[(owner: Int, members: [Int])]] = []

  init(from base: FamilyGraph, to own: FamilyGraph) {
    inserted = own.graph.entities.filter { base.graph.entities[$0.key] == nil }
    deleted = own.graph.deleted.union(base.graph.entities.keys.filter { own.graph.entities[$0] == nil })
    values = own.values.filter { own.isThere($0.key) && base.values[$0.key] != $0.value }
    for pair in own.graph.pairs.indices {
      let (before, after) = (Set(base.graph.links[pair]), Set(own.graph.links[pair]))
      func isThere(_ link: RandomGraph.Link) -> Bool { own.isThere(link.left) && own.isThere(link.right) }
      added.append(own.graph.links[pair].filter { !before.contains($0) && isThere($0) })
      removed.append(base.graph.links[pair].filter { !after.contains($0) && isThere($0) })
      denying.append(own.graph.links[pair].filter { !isThere($0) })
      orders.append([])
      guard own.graph.pairs[pair].left.isOrdered else { continue }
      for owner in own.graph.live(own.graph.pairs[pair].left.entity) {
        let (old, new) = (
          base.graph.members(pair, isLeft: true, owner), own.graph.members(pair, isLeft: true, owner)
        )
        if old.filter(new.contains) + new.filter({ !old.contains($0) }) != new {
          orders[pair].append((owner, new))
        }
      }
    }
  }

  var isEmpty: Bool {
    inserted.isEmpty && deleted.isEmpty && values.isEmpty
      && (added + removed).allSatisfy(\.isEmpty) && orders.allSatisfy(\.isEmpty)
  }

  /// Objects whose existence or links have changed.
  var graphTouched: Set<Int> {
    let links = (added + removed).joined().flatMap { [$0.left, $0.right] }
    return deleted.union(inserted.keys).union(links).union(orders.joined().map(\.owner))
  }

  var touched: Set<Int> { graphTouched.union(values.keys) }

  /// Whether it cannot be told what two changes mean together: both are about the links of an object, or one
  /// changes what the other deletes.
  func contradicts(_ other: FamilyChange) -> Bool {
    !graphTouched.isDisjoint(with: other.graphTouched) || !deleted.isDisjoint(with: other.touched)
      || !other.deleted.isDisjoint(with: touched)
  }
}
