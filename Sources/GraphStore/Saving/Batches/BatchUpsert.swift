import GraphStoreModel
import OrderedCollections

/// Decides what becomes of objects of a batch insert that meet records, or each other, under uniqueness
/// constraints.
struct BatchUpsert {
  /// An object of the input as a row, and which of its properties were set.
  struct Candidate {
    let row: Row
    let given: PropertySet
  }

  /// What becomes of an object.
  enum Outcome: Equatable {
    /// A new record, by its position among those of its portion.
    case inserted(Int)
    /// A change of a record that was there.
    case updated(ObjectKey)
    case dropped
  }

  /// What objects that are written together become.
  struct Portion {
    var insertions: [Row] = []
    var updates: [SaveRequest.Update] = []
    var outcomes: [Outcome] = []
  }

  fileprivate let layout: EntityLayout
  fileprivate let root: EntityLayout
  fileprivate let policy: MergePolicyType
  fileprivate let scope: StoreIdentity
  fileprivate let constraints: [UniquenessConstraint]

  init(_ layout: EntityLayout, root: EntityLayout, _ policy: MergePolicyType, _ scope: StoreIdentity) {
    self.layout = layout
    self.root = root
    self.policy = policy
    self.scope = scope
    constraints = layout.uniquenessConstraints
  }

  /// Finds the records that objects meet, with a statement for each constraint and one for their rows.
  ///
  /// - Parameter first: How many objects of the input come before.
  /// - Throws: `constraint-conflict` where an object meets several records.
  func resolve(_ candidates: [Candidate], after first: Int, _ session: any WriteSession) throws -> Portion {
    let resolution = try UpsertResolution(self, candidates, session)
    for (position, candidate) in candidates.enumerated() {
      do { try resolution.add(candidate, at: position) } catch let error as GraphStoreError {
        throw error.ofObject(at: first + position)
      }
    }
    return resolution.portion
  }
}

extension BatchUpsert.Portion {
  /// All objects as new records.
  init(inserting candidates: [BatchUpsert.Candidate]) {
    insertions = candidates.map(\.row)
    outcomes = candidates.indices.map { .inserted($0) }
  }

  /// The records of the objects, but for those that were dropped.
  func objects(firstKey: Int64, of layout: EntityLayout) -> [ObjectKey] {
    outcomes.compactMap { outcome in
      switch outcome {
      case .inserted(let position): ObjectKey(entity: layout.index, key: firstKey + Int64(position))
      case .updated(let record): record
      case .dropped: nil
      }
    }
  }

  /// The position of the first object that is to be the record of a key.
  func position(of key: Int64, firstKey: Int64) -> Int? {
    outcomes.firstIndex { outcome in
      switch outcome {
      case .inserted(let position): firstKey + Int64(position) == key
      case .updated(let record): record.key == key
      case .dropped: false
      }
    }
  }
}

/// The objects of one portion of a batch insert, one after the other: each sees what those before it become.
private final class UpsertResolution {
  /// A row that has values under constraints.
  private enum Owner: Hashable {
    case new(Int)
    case record(ObjectKey)
  }

  private let upsert: BatchUpsert
  /// By the position of an object and the number of a constraint: the record that has its values.
  private var holders: [[Int: ObjectKey]]
  /// The rows of these.
  private var stored: [Int64: Row] = [:]
  private var insertions: [Row] = []
  private var outcomes: [BatchUpsert.Outcome] = []
  /// The records that change, with their rows, in the order in which they were met.
  private var changes: OrderedDictionary<ObjectKey, Row> = [:]
  /// By constraint and values: the row of the portion that has them.
  private var claims: [[[UInt8]: Owner]]

  init(_ upsert: BatchUpsert, _ candidates: [BatchUpsert.Candidate], _ session: any WriteSession) throws {
    self.upsert = upsert
    claims = [[[UInt8]: Owner]](repeating: [:], count: upsert.constraints.count)
    holders = [[Int: ObjectKey]](repeating: [:], count: candidates.count)
    let rows = candidates.map { SaveRequest.FetchedRow(key: 0, row: $0.row) }
    for (number, constraint) in upsert.constraints.enumerated() {
      for found in try session.holders(of: constraint, rows: rows) {
        holders[found.position][number] = found.holder
      }
    }
    let keys = Set(holders.flatMap(\.values).map(\.key)).sorted()
    guard !keys.isEmpty else { return }
    try session.rows(upsert.root, keys: keys) { batch in batch.forEach { stored[$0] = $1 } }
  }

  var portion: BatchUpsert.Portion {
    var portion = BatchUpsert.Portion(insertions: insertions, outcomes: outcomes)
    for (record, row) in changes {
      guard let committed = stored[record.key] else { continue }
      let changed = row.fields(differingFrom: committed)
      if changed.isEmpty { continue }
      portion.updates.append(
        SaveRequest.Update(row: row, key: record.key, committed: committed, changed: changed))
    }
    return portion
  }

  func add(_ candidate: BatchUpsert.Candidate, at position: Int) throws {
    let owners = owners(candidate.row, position)
    guard Set(owners.values).count < 2 else { throw violation(candidate.row, owners) }
    guard let owner = owners.values.first else {
      insertions.append(candidate.row)
      claim(candidate.row, for: .new(insertions.count - 1))
      return outcomes.append(.inserted(insertions.count - 1))
    }
    switch upsert.policy {
    case .error, .mergeByPropertyStoreTrump, .rollback: outcomes.append(.dropped)
    case .mergeByPropertyObjectTrump: try change(owner, by: candidate, whole: false)
    case .overwrite: try change(owner, by: candidate, whole: true)
    }
  }

  // MARK: Owners of values

  /// By the number of a constraint: the row that has the values of an object.
  private func owners(_ row: Row, _ position: Int) -> OrderedDictionary<Int, Owner> {
    var owners: OrderedDictionary<Int, Owner> = [:]
    for (number, constraint) in upsert.constraints.enumerated() {
      guard let values = row.claim(row.layout.properties(of: constraint)) else { continue }
      if let owner = claims[number][values] {
        owners[number] = owner
      } else if let holder = holders[position][number], changes[holder] == nil {
        // One that has changed has its values among the claims.
        owners[number] = .record(holder)
      }
    }
    return owners
  }

  private func claim(_ row: Row, for owner: Owner?) {
    for (number, constraint) in upsert.constraints.enumerated() {
      if let values = row.claim(row.layout.properties(of: constraint)) { claims[number][values] = owner }
    }
  }

  private func violation(_ row: Row, _ owners: OrderedDictionary<Int, Owner>) -> GraphStoreError {
    let broken = owners.map { number, owner in
      var holder: ManagedObjectID?
      if case .record(let record) = owner {
        holder = ManagedObjectID(scope: upsert.scope, entityIndex: record.entity, key: record.key)
      }
      return (properties: row.layout.properties(of: upsert.constraints[number]), holder: holder)
    }
    return ConstraintViolation(row: row, key: 0, scope: upsert.scope, broken: broken).error()
  }

  // MARK: Changing

  private func change(_ owner: Owner, by candidate: BatchUpsert.Candidate, whole: Bool) throws {
    switch owner {
    case .new(let position):
      claim(insertions[position], for: nil)
      if whole {
        insertions[position] = candidate.row
      } else {
        try copy(candidate, to: insertions[position], whole: false)
      }
      claim(insertions[position], for: owner)
      outcomes.append(.inserted(position))
    case .record(let record):
      let row = try changedRow(of: record)
      claim(row, for: nil)
      try copy(candidate, to: row, whole: whole)
      claim(row, for: owner)
      outcomes.append(.updated(record))
    }
  }

  /// The row of a record that changes, which is a copy of the stored one at first.
  private func changedRow(of record: ObjectKey) throws -> Row {
    if let row = changes[record] { return row }
    guard let committed = stored[record.key] else {
      throw GraphStoreError(
        .objectNotFound, "The record \(record.key) that holds unique values has gone.",
        remedy: "Check the store; nothing was written.", entity: upsert.layout.entity.name)
    }
    let block = RowBlock(layout: committed.layout, capacity: 1)
    let row = Row(block: block, index: block.appendRow(copying: committed))
    changes[record] = row
    return row
  }

  /// Copies the values that were set, or all, to a row of the same entity or of one that shares the
  /// constraint.
  private func copy(_ candidate: BatchUpsert.Candidate, to row: Row, whole: Bool) throws {
    let layout = candidate.row.layout
    for leaf in layout.leaves where leaf.attribute != nil && leaf.isPersistent && !leaf.isDerived {
      guard whole || candidate.given.contains(leaf.path.isEmpty ? leaf.number : layout.field(of: leaf)),
        let target = row.layout.counterpart(of: leaf)
      else { continue }
      let value = try candidate.row.value(of: leaf)
      row.block.replacing(row.index, target.slot, target.kind) {
        row.block.setValue(value, of: target, inRow: row.index)
      }
    }
  }
}

extension EntityLayout {
  /// The leaf that has a value of another entity's leaf: of an attribute that both inherit.
  fileprivate func counterpart(of leaf: PropertyLayout) -> PropertyLayout? {
    leaf.path.isEmpty
      ? leaf.attribute.flatMap { property(named: $0.name) } : element(at: leaf.path)
  }
}

extension Row {
  /// The stored properties whose values differ from those of another row, with the elements of composite
  /// attributes among ``EntityLayout/fields``.
  fileprivate func fields(differingFrom other: Row) -> PropertySet {
    var fields = PropertySet()
    for property in properties(differingFrom: other) {
      fields.insert(property.number)
      guard property.kind == .composite else { continue }
      for leaf in property.leaves where !isEqual(other, leaf) { fields.insert(layout.field(of: leaf)) }
    }
    return fields
  }
}
