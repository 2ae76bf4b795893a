import GraphStoreModel
import GraphStorePredicates

extension RecordImporter {
  /// What one attempt at writing the batch has worked out.
  struct Attempt {
    /// By position in `entries`: records that become new rows, in order.
    var insertions: [Int] = []
    /// Records whose values go to an object that exists.
    var updates: [(position: Int, object: ManagedObject)] = []
    /// Records that change what an earlier record of the batch makes, behind that record's position.
    var merged: [(first: Int, position: Int)] = []
    /// Records whose object is that of an earlier record of the batch.
    var twins: [(first: Int, position: Int)] = []
    /// Records that change nothing.
    var ignored: Set<Int> = []
    /// Ids of the batch.
    var labels: [ImportTarget: Int] = [:]
    var joins: [SaveRequest.LinkChange] = []
    var connections: [ImportConnection] = []
    var pending: [ImportPendingLink] = []
    var checks: [(object: RecordReference, position: Int)] = []
  }

  /// Writes the records that wait, inside the coordinator's transaction that the caller has open.
  ///
  /// - Returns: the records that cannot be written. Unless failures are skipped nothing of the batch is usable
  ///   then, and the caller has to take the transaction back.
  /// - Throws: what the store throws.
  package func flush() throws -> [ImportFailure] {
    defer {
      removeEntries()
      context.reset()
    }
    guard options.skipsFailures else {
      let attempt = try attempt(oneByOne: false)
      let failures = takeFailures()
      if failures.isEmpty { try keep(attempt) }
      return failures
    }
    var failures: [ImportFailure] = []
    var goesOneByOne = false
    while true {
      try store.setSavepoint()
      do {
        let attempt = try attempt(oneByOne: goesOneByOne)
        let found = takeFailures()
        guard !found.isEmpty else {
          try store.releaseSavepoint()
          try keep(attempt)
          return failures
        }
        failures += found
        goesOneByOne = found.contains { $0.error.code == .constraintConflict }
      } catch {
        try? store.rollbackToSavepoint()
        throw error
      }
      try store.rollbackToSavepoint()
      context.reset()
    }
  }

  /// Takes the failing records out of the batch.
  private func takeFailures() -> [ImportFailure] {
    guard hasFailures else { return [] }
    defer { rejected = [:] }
    var (kept, failed): ([Entry], [ImportFailure]) = ([], [])
    for (position, entry) in entries.enumerated() {
      if let error = rejected[position] {
        failed.append(ImportFailure(record: entry.record, line: entry.line, error: error))
      } else {
        kept.append(entry)
      }
    }
    entries = kept
    return failed
  }

  private func attempt(oneByOne: Bool) throws -> Attempt {
    var attempt = Attempt()
    for position in entries.indices { entries[position].object = nil }
    refuseForeignEntities()
    if hasFailures { return attempt }
    try settleKeys(&attempt)
    try validate(attempt)
    if hasFailures { return attempt }
    try giveKeys(&attempt)
    if hasFailures { return attempt }
    try resolveLinks(&attempt)
    if hasFailures { return attempt }
    try write(&attempt, oneByOne: oneByOne)
    if hasFailures { return attempt }
    try change(attempt)
    return attempt
  }

  private var hasFailures: Bool { !rejected.isEmpty }

  /// Records of entities that the store's configuration does not have fail one by one.
  private func refuseForeignEntities() {
    guard store.entities.configuration != nil else { return }
    for (position, entry) in entries.enumerated() where !store.entities.contains(entry.plan.entity) {
      rejected[position] = coordinator.noStore(for: entry.plan.entity)
    }
  }

  private func validate(_ attempt: Attempt) throws {
    for position in attempt.insertions {
      let broken = try entries[position].plan.attributeFailures(
        entries[position].row, context.validationEvaluators)
      if let error = GraphStoreError.combining(broken) { rejected[position] = error }
    }
  }

  // MARK: Keys

  /// Gives each new record its key, in the order of the input, and notes the ids.
  private func giveKeys(_ attempt: inout Attempt) throws {
    if options.keepsKeys {
      try keepKeys(attempt)
    } else {
      var counts = [Int](repeating: 0, count: plans.count)
      for position in attempt.insertions { counts[entries[position].plan.rootIndex] += 1 }
      var next = [Int64](repeating: 0, count: plans.count)
      for root in plans.indices where counts[root] > 0 {
        next[root] = try store.reserveKeys(plans[root], count: counts[root])
        if firstKeys[root] == nil { firstKeys[root] = next[root] }
      }
      for position in attempt.insertions {
        let plan = entries[position].plan
        entries[position].object = RecordReference(entity: plan.index, key: next[plan.rootIndex])
        next[plan.rootIndex] += 1
      }
    }
    for (position, object) in attempt.updates {
      entries[position].object = RecordReference(entity: object.plan.index, key: object.key)
    }
    for (first, position) in attempt.twins { entries[position].object = entries[first].object }
    for position in entries.indices {
      guard let label = entries[position].label else { continue }
      let canonical = canonical(label)
      let isTaken = try attempt.labels[canonical] != nil || labels.object(label) != nil
      guard !isTaken else {
        rejected[position] = duplicateLabel(label)
        continue
      }
      attempt.labels[canonical] = position
    }
  }

  private func keepKeys(_ attempt: Attempt) throws {
    for position in attempt.insertions {
      let plan = entries[position].plan
      guard case .reference(let entity, let number) = entries[position].label,
        plans[entity].rootIndex == plan.rootIndex
      else {
        rejected[position] = GraphStoreError(
          .valueType, "The record has no id such as \(plan.entity.name)/p1, whose number could be kept.",
          remedy: "Give every record one, or do not keep ids.", entity: plan.entity.name,
          property: "id")
        continue
      }
      entries[position].object = RecordReference(entity: plan.index, key: number)
      greatestKeys[plan.rootIndex] = max(greatestKeys[plan.rootIndex] ?? 0, number)
    }
  }

  private func duplicateLabel(_ label: ImportTarget) -> GraphStoreError {
    let text = text(of: label)
    return GraphStoreError(
      .notUnique, "The id \"\(text)\" comes twice in the input.",
      remedy: "Give each record an id of its own.",
      property: "id", value: .string(text))
  }

  /// The id with the root of its tree, so that a record has one name whatever entity of the tree it is called by.
  func canonical(_ label: ImportTarget) -> ImportTarget {
    guard case .reference(let entity, let number) = label else { return label }
    return .reference(entity: plans[entity].rootIndex, number: number)
  }

  func text(of target: ImportTarget) -> String {
    switch target {
    case .nothing: ""
    case .reference(let entity, let number): "\(plans[entity].entity.name)/p\(number)"
    case .label(let name): String(decoding: name, as: UTF8.self)
    case .lookup(_, let text): text
    }
  }

  // MARK: Writing

  private func write(_ attempt: inout Attempt, oneByOne: Bool) throws {
    var request = SaveRequest()
    if oneByOne {
      // A statement that fails takes back itself alone, so the others show whether they fail too.
      for position in attempt.insertions {
        guard let object = entries[position].object else { continue }
        request.insertions = [SaveRequest.Insertion(row: entries[position].row, key: object.key)]
        do { try store.write(request) } catch let error as GraphStoreError
          where error.code == .constraintConflict
        {
          rejected[position] = error
        }
      }
      if hasFailures { return }
      request.insertions = []
    } else {
      request.insertions.reserveCapacity(attempt.insertions.count)
      for position in attempt.insertions {
        guard let object = entries[position].object else { continue }
        request.insertions.append(SaveRequest.Insertion(row: entries[position].row, key: object.key))
      }
    }
    request.links = attempt.joins
    do {
      try store.write(request)
    } catch let error as GraphStoreError where error.code == .constraintConflict {
      try blame(error)
    }
  }

  /// Lays a failure of the store on the record that it comes from.
  private func blame(_ error: GraphStoreError) throws {
    guard let id = error.objectID,
      let position = entries.firstIndex(where: {
        $0.object?.key == id.key && $0.plan.rootIndex == plans[id.entityIndex].rootIndex
      })
    else { throw error }
    rejected[position] = error
  }

  /// Changes objects through the context: those that exist already, and both ends of links that need it.
  private func change(_ attempt: Attempt) throws {
    for (position, object) in attempt.updates {
      do { try apply(entries[position], to: object) } catch let error as GraphStoreError {
        rejected[position] = error
      }
    }
    if hasFailures { return }
    try connect(attempt.connections)
    do { try context.save() } catch let error as GraphStoreError {
      for error in error.errors.isEmpty ? [error] : error.errors { try blame(error) }
    }
  }

  // MARK: Keeping

  private func keep(_ attempt: Attempt) throws {
    for position in entries.indices {
      guard let label = entries[position].label, let object = entries[position].object else { continue }
      try labels.add(label, object)
    }
    for link in attempt.pending { try scratch.addPending(link) }
    for check in attempt.checks {
      try scratch.addCheck(
        check.object, record: entries[check.position].record, line: entries[check.position].line)
    }
    counts.inserted += attempt.insertions.count
    counts.updated += attempt.updates.count + attempt.merged.count
    counts.ignored += attempt.ignored.count
  }
}
