import Foundation

/// One event as a change of a list: which objects leave it, enter it, move in it and stay.
///
/// What it is found from are the objects that have changed; all others are in order among each other.
struct ListEdit {
  private let list: SectionedList
  private let judge: ListJudge
  private var leaving: [ManagedObject] = []
  private var entering: [ManagedObject] = []
  /// Objects that take another position among the others, or another section.
  private var moving: [(object: ManagedObject, isUpdated: Bool)] = []
  /// Objects that have changed and stay where they are.
  private var staying: [ManagedObject] = []

  init(_ candidates: ListCandidates, in list: SectionedList, by judge: ListJudge) throws {
    self.list = list
    self.judge = judge
    var replaced: [(object: ManagedObject, isUpdated: Bool)] = []
    for (object, flags) in candidates.all {
      switch (list.slot(of: object) != nil, try candidates.isPlaced(object) && judge.accepts(object)) {
      case (true, false): leaving.append(object)
      case (false, true): if !judge.hasWindow || flags.contains(.entering) { entering.append(object) }
      case (true, true) where try flags.contains(.replaced) || isInOtherSection(object):
        replaced.append((object, flags.contains(.changed)))
      case (true, true): if flags.contains(.changed) { staying.append(object) }
      case (false, false): break
      }
    }
    try findMoves(among: replaced)
  }

  var isEmpty: Bool { leaving.isEmpty && entering.isEmpty && moving.isEmpty && staying.isEmpty }

  /// Whether the name of an object's section is not that of the section that it is in.
  private func isInOtherSection(_ object: ManagedObject) throws -> Bool {
    guard judge.naming != nil, let slot = list.slot(of: object) else { return false }
    return try judge.sectionName(of: object) != slot.section.name
  }

  // MARK: Moves

  /// Finds the objects that are not in order any more, walking through those whose positions may be others in
  /// the order of the list: one is in order if it is between the last one that is, and the next one that
  /// cannot have moved.
  private mutating func findMoves(among replaced: [(object: ManagedObject, isUpdated: Bool)]) throws {
    if replaced.isEmpty { return }
    let doubtful = Set(replaced.map { ObjectIdentifier($0.object) })
    let places = replaced.map { place in
      let numbers = list.slot(of: place.object).map(list.numbers) ?? (0, 0)
      return (object: place.object, isUpdated: place.isUpdated, numbers: numbers)
    }.sorted { $0.numbers < $1.numbers }
    let neighbours = Neighbours(list, leaving: leaving, doubtful: doubtful)
    var bounds: [ManagedObject?] = []
    for place in places.reversed() {
      bounds.append(neighbours.successor(of: place.object, or: bounds.last ?? nil))
    }
    var last: ManagedObject?
    for (place, bound) in zip(places, bounds.reversed()) {
      last = neighbours.predecessor(of: place.object, or: last)
      guard try isInOrder(place.object, after: last, before: bound) else {
        moving.append((place.object, place.isUpdated))
        continue
      }
      last = place.object
      if place.isUpdated { staying.append(place.object) }
    }
  }

  private func isInOrder(
    _ object: ManagedObject, after previous: ManagedObject?, before next: ManagedObject?
  ) throws -> Bool {
    guard let slot = list.slot(of: object), try judge.sectionName(of: object) == slot.section.name else {
      return false
    }
    let keys = try judge.order.keys(of: object)
    if let previous, !judge.order.precedes(try judge.order.keys(of: previous), keys) { return false }
    if let next, !judge.order.precedes(keys, try judge.order.keys(of: next)) { return false }
    return true
  }

  /// The neighbours of objects that neither leave the list nor may have moved.
  private struct Neighbours {
    private let list: SectionedList
    private let leaving: Set<ObjectIdentifier>
    private let doubtful: Set<ObjectIdentifier>

    init(_ list: SectionedList, leaving: [ManagedObject], doubtful: Set<ObjectIdentifier>) {
      self.list = list
      self.leaving = Set(leaving.map(ObjectIdentifier.init))
      self.doubtful = doubtful
    }

    /// - Parameter known: The answer where a doubtful object comes first: what holds behind that.
    func successor(of object: ManagedObject, or known: ManagedObject?) -> ManagedObject? {
      certain(from: object, or: known, list.successor)
    }

    func predecessor(of object: ManagedObject, or known: ManagedObject?) -> ManagedObject? {
      certain(from: object, or: known, list.predecessor)
    }

    private func certain(
      from object: ManagedObject, or known: ManagedObject?,
      _ step: (SectionedList.Slot) -> ManagedObject?
    ) -> ManagedObject? {
      var next = list.slot(of: object).flatMap(step)
      while let found = next {
        if doubtful.contains(ObjectIdentifier(found)) { return known }
        if !leaving.contains(ObjectIdentifier(found)) { return found }
        next = list.slot(of: found).flatMap(step)
      }
      return nil
    }
  }

  // MARK: Carrying out

  /// Changes the list.
  ///
  /// - Throws: ``SectionedList/NotContiguous``, and the list is as it was; what reading sort keys throws.
  func carryOut() throws -> ListChanges {
    let former = list.sections
    var changes = ListChanges()
    changes.deleted = leaving.map { ($0, path($0)) }
    let movedFrom = moving.map { path($0.object) }
    let stayedAt = staying.map(path)
    for object in leaving { list.remove(object) }
    for place in moving { list.remove(place.object) }
    do {
      for object in entering + moving.map(\.object) { try insert(object) }
    } catch {
      for object in entering + moving.map(\.object) where list.slot(of: object) != nil { list.remove(object) }
      list.restore(former.map(\.name), changes.deleted + zip(moving, movedFrom).map { ($0.object, $1) })
      throw error
    }
    changes.inserted = entering.map { ($0, path($0)) }
    for (place, former) in zip(moving, movedFrom) {
      changes.moved.append(.init(object: place.object, former: former, present: path(place.object)))
    }
    // All paths are the same where nothing comes, goes or moves.
    let isSteady = leaving.isEmpty && entering.isEmpty && moving.isEmpty
    for (object, former) in zip(staying, stayedAt) {
      changes.updated.append(
        .init(object: object, former: former, present: isSteady ? former : path(object)))
    }
    if !former.elementsEqual(list.sections, by: ===) {
      _ = changes.noteSections(from: former, to: list.sections) { $0 === $1 }
    }
    changes.sort()
    return changes
  }

  /// Whether the list is in order where it has changed, by the values that objects have now. It is not where
  /// an object whose change is still to come stood among those by which another was placed.
  func isInOrder(_ changes: ListChanges) throws -> Bool {
    for object in entering + moving.map(\.object) {
      guard let slot = list.slot(of: object) else { continue }
      if let next = list.successor(of: slot), try !judge.isInOrder(object, next) { return false }
      if let previous = list.predecessor(of: slot), try !judge.isInOrder(previous, object) { return false }
    }
    // Where an object was taken out, its former neighbours are neighbours now.
    for path in changes.deleted.map(\.path) + changes.moved.map(\.former) {
      guard let (left, right) = list.neighbours(around: path) else { continue }
      if try !judge.isInOrder(left, right) { return false }
    }
    return true
  }

  private func path(_ object: ManagedObject) -> IndexPath {
    guard let path = list.indexPath(of: object) else { preconditionFailure("an object of the list") }
    return path
  }

  private func insert(_ object: ManagedObject) throws {
    let keys = try judge.order.keys(of: object)
    let gap = try list.gap { try judge.order.precedes(keys, judge.order.keys(of: $0)) }
    try list.insert(object, named: try judge.sectionName(of: object), in: gap)
  }
}
