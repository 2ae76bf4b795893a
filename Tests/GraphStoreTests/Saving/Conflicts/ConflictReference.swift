/// What the specification says of two writers on one store, in plain values: the store, and what each writer
/// has read and changed (CTX-168 to CTX-243). It knows nothing of the code that it is compared with.
struct ConflictReference {
  /// The row of an item.
  struct Record: Equatable {
    var a = 1
    var b = 1
    var code: String?
    var owner: Int?
  }

  struct Tagging: Hashable {
    let item: Int
    let tag: Int
  }

  /// A row with what is different from it; a value that was set to what it was is there as well.
  struct Change: Equatable {
    var a: Int?
    var b: Int?
    var code: String??
    var owner: Int??

    var isEmpty: Bool { self == Change() }

    func applied(to record: Record) -> Record {
      var record = record
      if let a { record.a = a }
      if let b { record.b = b }
      if let code { record.code = code }
      if let owner { record.owner = owner }
      return record
    }

    /// Drops what the other side has changed too.
    mutating func giveUp(changedFrom base: Record, to stored: Record) {
      let mine = applied(to: base)
      if base.a != stored.a, mine.a != base.a { a = nil }
      if base.b != stored.b, mine.b != base.b { b = nil }
      if base.code != stored.code, mine.code != base.code { code = nil }
      if base.owner != stored.owner, mine.owner != base.owner { owner = nil }
    }

    /// The values that a record does not have yet.
    func leaving(_ record: Record) -> Change {
      var change = self
      if a == record.a { change.a = nil }
      if b == record.b { change.b = nil }
      if code == .some(record.code) { change.code = nil }
      if owner == .some(record.owner) { change.owner = nil }
      return change
    }

    init() {}

    init(all record: Record) {
      a = record.a
      b = record.b
      code = .some(record.code)
      owner = .some(record.owner)
    }

    mutating func take(_ other: Change) {
      if let value = other.a { a = value }
      if let value = other.b { b = value }
      if let value = other.code { code = value }
      if let value = other.owner { owner = value }
    }
  }

  struct Writer {
    let policy: PolicyCase
    /// What the objects were read with.
    var base: [Int: Record] = [:]
    var changes: [Int: Change] = [:]
    /// In the order in which they were inserted.
    var inserted: [Int] = []
    /// Values of new objects.
    var new: [Int: Change] = [:]
    var deleted: Set<Int> = []
    var watched: Set<Int> = []
    /// Memberships as the writer sees them.
    var tags: Set<Tagging> = []
    var added: Set<Tagging> = []
    var removed: Set<Tagging> = []
    /// Whether links were changed, and perhaps changed back.
    var hasTouchedLinks = false

    var isChanged: Bool { !changes.isEmpty || !inserted.isEmpty || !deleted.isEmpty || hasTouchedLinks }

    func sees(_ item: Int) -> Bool {
      (base[item] != nil || inserted.contains(item)) && !deleted.contains(item)
    }

    func value(_ item: Int) -> Record? {
      guard sees(item) else { return nil }
      if let base = base[item] { return changes[item]?.applied(to: base) ?? base }
      return new[item]?.applied(to: Record(a: 0, b: 0))
    }

    func hasTagChange(_ item: Int) -> Bool {
      added.contains { $0.item == item } || removed.contains { $0.item == item }
    }

    mutating func dropTagChanges(_ item: Int) {
      added = added.filter { $0.item != item }
      removed = removed.filter { $0.item != item }
    }

    mutating func forget(_ item: Int) {
      base[item] = nil
      changes[item] = nil
      new[item] = nil
      inserted.removeAll { $0 == item }
      deleted.remove(item)
      watched.remove(item)
      dropTagChanges(item)
      tags = tags.filter { $0.item != item }
    }
  }

  struct Stored: Equatable {
    var records: [Int: Record] = [:]
    var tags: Set<Tagging> = []
  }

  enum Outcome: Equatable {
    case saved
    case failed
    /// The specification does not say what comes of it.
    case unspecified(String)
  }

  var stored = Stored()
  var writers: [Writer]

  // MARK: Steps

  mutating func fetch(_ writer: Int) {
    for (item, record) in stored.records
    where writers[writer].base[item] == nil && !writers[writer].inserted.contains(item) {
      writers[writer].base[item] = record
      writers[writer].tags.formUnion(stored.tags.filter { $0.item == item })
    }
  }

  mutating func change(_ writer: Int, _ item: Int, _ body: (inout Change) -> Void) {
    if writers[writer].base[item] != nil {
      body(&writers[writer].changes[item, default: Change()])
    } else {
      body(&writers[writer].new[item, default: Change()])
    }
  }

  mutating func insert(_ writer: Int, _ item: Int, code: String) {
    writers[writer].inserted.append(item)
    var change = Change()
    change.code = .some(code)
    writers[writer].new[item] = change
  }

  /// Returns whether the tag was added.
  mutating func toggle(_ writer: Int, _ tagging: Tagging) -> Bool {
    writers[writer].hasTouchedLinks = true
    if writers[writer].tags.contains(tagging) {
      writers[writer].tags.remove(tagging)
      if writers[writer].added.remove(tagging) == nil { writers[writer].removed.insert(tagging) }
      return false
    }
    writers[writer].tags.insert(tagging)
    if writers[writer].removed.remove(tagging) == nil { writers[writer].added.insert(tagging) }
    return true
  }

  mutating func delete(_ writer: Int, _ item: Int) {
    if writers[writer].inserted.contains(item) { return writers[writer].forget(item) }
    writers[writer].deleted.insert(item)
  }

  mutating func rollback(_ writer: Int) {
    var own = writers[writer]
    for item in own.inserted { own.forget(item) }
    own.tags.subtract(own.added)
    own.tags.formUnion(own.removed)
    own.added = []
    own.removed = []
    own.changes = [:]
    own.deleted = []
    own.watched = []
    own.hasTouchedLinks = false
    writers[writer] = own
  }

  /// A refresh of changed objects that keeps their changes, after a fetch.
  mutating func refresh(_ writer: Int) {
    for item in writers[writer].changes.keys where !writers[writer].deleted.contains(item) {
      if let record = stored.records[item] { writers[writer].base[item] = record }
    }
  }

  // MARK: Saving

  mutating func save(_ writer: Int) -> Outcome {
    guard writers[writer].isChanged else { return .saved }
    let before = writers[writer]
    if let what = leftOpen(before) { return .unspecified(what) }
    for _ in 0..<10 {
      switch settleMerge(writer) {
      case .none: break
      case .some(.saved): continue
      case .some(let outcome):
        if outcome == .failed { writers[writer] = before }
        return outcome
      }
      switch settleUniqueness(writer) {
      case .none:
        write(writer)
        return .saved
      case .some(.saved): continue
      case .some(let outcome): return outcome
      }
    }
    return .unspecified("it does not resolve")
  }

  /// What an object shows of a record that it neither changes nor compares is older than what the store says,
  /// and which of the two a unique value is compared with is not said.
  private func leftOpen(_ own: Writer) -> String? {
    guard own.hasTouchedLinks else { return nil }
    if !own.watched.isEmpty { return "a watched object whose links have changed" }
    let codes = Set((Array(own.changes.keys) + own.inserted).compactMap { own.value($0)?.code })
    let stale = own.base.filter { stored.records[$0.key] != $0.value }.keys
    let isShown = stale.contains { own.value($0).map { codes.contains($0.code ?? "") } ?? false }
    return isShown ? "an object with changed links alone shows a unique value that is not stored" : nil
  }

  /// Nil where there is no conflict, `.saved` where all were resolved.
  private mutating func settleMerge(_ writer: Int) -> Outcome? {
    var own = writers[writer]
    var found = false
    let touched = Set(own.changes.keys).union(own.watched)
      .union(own.added.map(\.item)).union(own.removed.map(\.item))
    for item in touched.union(own.deleted).sorted() {
      guard let base = own.base[item] else { continue }
      let record = stored.records[item]
      let isDeleted = own.deleted.contains(item)
      let isRowChanged = own.changes[item] != nil
      let isWatched = own.watched.contains(item) && !isRowChanged && !own.hasTagChange(item)
      if let record {
        guard record != base, isDeleted || isRowChanged || isWatched else { continue }
      } else if isDeleted {
        continue
      }
      if record == nil, !isRowChanged, own.hasTagChange(item) {
        return .unspecified("links alone of a record that is gone")
      }
      found = true
      if own.policy == .error { return .failed }
      let prefersObject = own.policy == .object || own.policy == .overwrite
      if isDeleted {
        own.base[item] = record
        if prefersObject { continue }
        own.deleted.remove(item)
        own.changes[item] = nil
        own.dropTagChanges(item)
        own.tags = own.tags.filter { $0.item != item }.union(stored.tags.filter { $0.item == item })
        continue
      }
      let keeps = isWatched ? own.policy == .overwrite : prefersObject
      guard let record else {
        guard keeps else {
          own.forget(item)
          continue
        }
        // It is written again under its old key, as a new record that has everything.
        if own.hasTagChange(item) || own.tags.contains(where: { $0.item == item }) {
          return .unspecified("tags of a record written back")
        }
        if let code = own.value(item)?.code, stored.records.values.contains(where: { $0.code == code }) {
          return .unspecified("a record written back whose value is taken")
        }
        own.new[item] = Change(all: own.value(item)!)
        own.base[item] = nil
        own.changes[item] = nil
        own.inserted.insert(item, at: 0)
        continue
      }
      switch (own.policy, isWatched) {
      case (.overwrite, _):
        own.changes[item] = Change(all: own.value(item)!)
        own.base[item] = record
        for tagging in stored.tags where tagging.item == item && !own.tags.contains(tagging) {
          own.removed.insert(tagging)
        }
        for tagging in own.tags where tagging.item == item && !stored.tags.contains(tagging) {
          own.added.insert(tagging)
        }
      case (_, true): own.base[item] = record
      case (.rollback, _):
        own.changes[item] = nil
        own.base[item] = record
        own.dropTagChanges(item)
        own.tags = own.tags.filter { $0.item != item }.union(stored.tags.filter { $0.item == item })
      case (.store, _):
        own.changes[item]?.giveUp(changedFrom: base, to: record)
        own.base[item] = record
      case (.object, _): own.base[item] = record
      case (.error, _): break
      }
    }
    writers[writer] = own
    return found ? .saved : nil
  }

  private mutating func settleUniqueness(_ writer: Int) -> Outcome? {
    let own = writers[writer]
    var holders: [String: [Int]] = [:]
    let updated = Set(own.changes.keys).union(own.added.map(\.item)).union(own.removed.map(\.item))
      .filter { own.base[$0] != nil && !own.deleted.contains($0) }
    for item in updated.sorted() + own.inserted {
      guard let code = own.value(item)?.code else { continue }
      // An object with changed links alone may show a value that its record does not have any more.
      if own.base[item] != nil, own.changes[item] == nil, stored.records[item]?.code != code { continue }
      holders[code, default: []].append(item)
    }
    for (_, items) in holders.sorted(by: { $0.key < $1.key }) where items.count > 1 {
      return settleInContext(writer, items)
    }
    // A record whose values the save changes or deletes is no holder any more.
    for (code, items) in holders.sorted(by: { $0.key < $1.key }) {
      let item = items[0]
      if own.base[item]?.code == code { continue }
      let isHeldUnknown = updated.contains {
        own.changes[$0]?.code == nil && stored.records[$0]?.code == code && own.value($0)?.code != code
      }
      if isHeldUnknown { return .unspecified("a holder with changed links alone whose value is not known") }
      let holder = stored.records.first {
        $0.value.code == code && $0.key != item && !own.deleted.contains($0.key) && !updated.contains($0.key)
      }
      guard let holder = holder?.key else { continue }
      return settleAgainstStore(writer, item, holder)
    }
    return nil
  }

  private mutating func settleInContext(_ writer: Int, _ items: [Int]) -> Outcome {
    let own = writers[writer]
    if own.policy == .error { return .failed }
    guard items.dropFirst().allSatisfy({ own.inserted.contains($0) }) else {
      return .unspecified("two stored objects with one value")
    }
    for item in items.dropFirst() {
      if own.policy == .object || own.policy == .overwrite {
        let difference = own.new[item]!.leaving(writers[writer].value(items[0])!)
        if !difference.isEmpty { change(writer, items[0]) { $0.take(difference) } }
      }
      pass(writer, item, to: items[0])
    }
    return .saved
  }

  /// An object leaves, and the links that it has pass to the one that stays.
  private mutating func pass(_ writer: Int, _ item: Int, to other: Int) {
    for tagging in writers[writer].tags where tagging.item == item {
      let passed = Tagging(item: other, tag: tagging.tag)
      if writers[writer].tags.insert(passed).inserted, writers[writer].removed.remove(passed) == nil {
        writers[writer].added.insert(passed)
      }
    }
    writers[writer].forget(item)
  }

  private mutating func settleAgainstStore(_ writer: Int, _ item: Int, _ holder: Int) -> Outcome {
    let policy = writers[writer].policy
    if policy == .error { return .failed }
    if writers[writer].base[holder] == nil { fetchOne(writer, holder) }
    let isNew = writers[writer].inserted.contains(item)
    switch policy {
    case .overwrite: writers[writer].deleted.insert(holder)
    case .object, .store, .rollback, .error:
      if policy == .object {
        let taken = isNew ? writers[writer].new[item]! : writers[writer].changes[item]!
        let own = writers[writer].value(holder)!
        let difference = taken.leaving(own)
        if !difference.isEmpty {
          change(writer, holder) { $0.take(difference) }
        } else if writers[writer].base[holder] != stored.records[holder] {
          return .unspecified("a stored record that takes equal values")
        }
      }
      if isNew {
        pass(writer, item, to: holder)
      } else {
        if writers[writer].hasTagChange(item) {
          return .unspecified("tags of an object that loses its changes")
        }
        writers[writer].changes[item] = nil
        writers[writer].base[item] = stored.records[item]
      }
    }
    return .saved
  }

  private mutating func fetchOne(_ writer: Int, _ item: Int) {
    writers[writer].base[item] = stored.records[item]
    writers[writer].tags.formUnion(stored.tags.filter { $0.item == item })
  }

  private mutating func write(_ writer: Int) {
    var own = writers[writer]
    for item in own.deleted {
      stored.records[item] = nil
      stored.tags = stored.tags.filter { $0.item != item }
      own.forget(item)
    }
    for (item, change) in own.changes {
      // Only what is different from what was read is written.
      let base = own.base[item]!
      let value = change.applied(to: base)
      var record = stored.records[item]!
      if value.a != base.a { record.a = value.a }
      if value.b != base.b { record.b = value.b }
      if value.code != base.code { record.code = value.code }
      if value.owner != base.owner { record.owner = value.owner }
      stored.records[item] = record
      own.base[item] = record
    }
    for item in own.inserted {
      let record = own.value(item)!
      stored.records[item] = record
      own.base[item] = record
    }
    stored.tags.formUnion(own.added)
    stored.tags.subtract(own.removed)
    own.changes = [:]
    own.inserted = []
    own.new = [:]
    own.added = []
    own.removed = []
    own.watched = []
    own.hasTouchedLinks = false
    writers[writer] = own
  }
}
