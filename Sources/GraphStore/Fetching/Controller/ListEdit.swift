import Foundation

/// One event as a change of a list: which objects leave it, enter it, move in it and stay.
///
/// What it is found from are the objects that have changed; all others are in order among each other.
struct ListEdit {
  /// An object of the list where it is before the change.
  private struct Place {
    let object: ManagedObject
    let slot: SectionedList.Slot
    let isUpdated: Bool
  }

  private let list: SectionedList
  private let judge: ListJudge
  private var leaving: [ManagedObject] = []
  private var entering: [ManagedObject] = []
  /// Objects that take another position among the others, or another section.
  private var moving: [Place] = []
  /// Objects that have changed and stay where they are.
  private var staying: [Place] = []

  init(_ candidates: ListCandidates, in list: SectionedList, by judge: ListJudge) throws {
    self.list = list
    self.judge = judge
    var replaced: [Place] = []
    for (object, flags) in candidates.all {
      let belongs = try candidates.isPlaced(object) && judge.accepts(object)
      guard let slot = list.slot(of: object) else {
        if belongs, !judge.hasWindow || flags.contains(.entering) { entering.append(object) }
        continue
      }
      if !belongs {
        leaving.append(object)
        continue
      }
      let place = Place(object: object, slot: slot, isUpdated: flags.contains(.changed))
      if try flags.contains(.replaced) || !flags.contains(.kept) && isInOtherSection(place) {
        replaced.append(place)
      } else if place.isUpdated {
        staying.append(place)
      }
    }
    try findMoves(among: replaced)
  }

  var isEmpty: Bool { leaving.isEmpty && entering.isEmpty && moving.isEmpty && staying.isEmpty }

  /// Whether the name of an object's section is not that of the section that it is in.
  private func isInOtherSection(_ place: Place) throws -> Bool {
    guard let naming = judge.naming else { return false }
    return try naming.name(of: place.object) != place.slot.section.name
  }

  // MARK: Moves

  /// Finds the objects that are not in order any more, walking through those whose positions may be others in
  /// the order of the list: one is in order if it is between the last one that is, and the next one that
  /// cannot have moved.
  private mutating func findMoves(among replaced: [Place]) throws {
    if replaced.isEmpty { return }
    let places = replaced.map { (place: $0, numbers: list.numbers(of: $0.slot)) }
      .sorted { $0.numbers < $1.numbers }.map(\.place)
    let neighbours = Neighbours(list, leaving: leaving, doubtful: places.map(\.object))
    var bounds: [ManagedObject?] = []
    bounds.reserveCapacity(places.count)
    for place in places.reversed() {
      bounds.append(neighbours.successor(of: place.slot, or: bounds.last ?? nil))
    }
    var names = judge.naming.map(SectionNameReader.init)
    var last: ManagedObject?
    for (place, bound) in zip(places, bounds.reversed()) {
      last = neighbours.predecessor(of: place.slot, or: last)
      guard try isInOrder(place.object, after: last, before: bound),
        try names?.name(of: place.object) ?? "" == place.slot.section.name
      else {
        moving.append(place)
        continue
      }
      last = place.object
      list.settle(place.object)
      if place.isUpdated { staying.append(place) }
    }
  }

  private func isInOrder(
    _ object: ManagedObject, after previous: ManagedObject?, before next: ManagedObject?
  ) throws -> Bool {
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

    init(_ list: SectionedList, leaving: [ManagedObject], doubtful: [ManagedObject]) {
      self.list = list
      self.leaving = Set(leaving.lazy.map(ObjectIdentifier.init))
      self.doubtful = Set(doubtful.lazy.map(ObjectIdentifier.init))
    }

    /// - Parameter known: The answer where a doubtful object comes first: what holds behind that.
    func successor(of slot: SectionedList.Slot, or known: ManagedObject?) -> ManagedObject? {
      certain(from: slot, or: known, list.successor)
    }

    func predecessor(of slot: SectionedList.Slot, or known: ManagedObject?) -> ManagedObject? {
      certain(from: slot, or: known, list.predecessor)
    }

    private func certain(
      from slot: SectionedList.Slot, or known: ManagedObject?,
      _ step: (SectionedList.Slot) -> ManagedObject?
    ) -> ManagedObject? {
      var next = step(slot)
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
    let movedFrom = moving.map { list.indexPath(of: $0.slot) }
    let stayedAt = staying.map { list.indexPath(of: $0.slot) }
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
    changes.updated.reserveCapacity(staying.count)
    for (place, former) in zip(staying, stayedAt) {
      changes.updated.append(
        .init(object: place.object, former: former, present: isSteady ? former : path(place.object)))
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
    list.settle(object)
  }
}
