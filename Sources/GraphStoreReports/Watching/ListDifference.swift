import GraphStore

/// Difference of two states of a list: what was deleted, inserted, moved and updated.
///
/// An object that has kept its place among those that stay is not moved, whatever was inserted before it: the
/// longest increasing subsequence stays, and all others have moved.
package struct ListDifference {
  /// One event; objects are named by their ids, and places are those in the new list, of deletions those in
  /// the old one.
  package enum Event: Equatable {
    case delete(id: String, index: Int)
    case insert(id: String, index: Int)
    case move(id: String, from: Int, to: Int)
    case update(id: String, index: Int)
  }

  /// The events: deletions, then insertions, moves and updates, each by ascending place.
  package private(set) var events: [Event] = []

  /// - Parameters:
  ///   - old: The ids of the former list with what was shown of the objects.
  ///   - new: Those of the present one.
  package init(
    from old: [(id: String, shown: String)], to new: [(id: String, shown: String)]
  ) {
    var former: [String: Int] = [:]
    for (place, row) in old.enumerated() { former[row.id] = place }
    let present = Set(new.map(\.id))
    for (place, row) in old.enumerated() where !present.contains(row.id) {
      events.append(.delete(id: row.id, index: place))
    }
    var stayed: [(place: Int, former: Int)] = []
    for (place, row) in new.enumerated() {
      if let known = former[row.id] {
        stayed.append((place, known))
      } else {
        events.append(.insert(id: row.id, index: place))
      }
    }
    for (row, isKept) in zip(stayed, longestIncreasingSubsequence(of: stayed.map(\.former))) where !isKept {
      events.append(.move(id: new[row.place].id, from: row.former, to: row.place))
    }
    for row in stayed where old[row.former].shown != new[row.place].shown {
      events.append(.update(id: new[row.place].id, index: row.place))
    }
  }
}
