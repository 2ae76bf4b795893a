import GraphStoreModel
import GraphStorePredicates

extension RecordImporter {
  /// State of one attempt at writing the batch.
  struct Attempt {
    /// By position in `entries`: records that become new rows, in order.
    var insertions: [Int] = []
    /// Rows that later records of the batch change, by the position of the record that makes them.
    var mergedRows: [Int: Row] = [:]
    /// Records whose values are set in an existing object.
    var updates: [(position: Int, object: ManagedObject)] = []
    /// Records that change what an earlier record of the batch makes, behind that record's position.
    var merged: [(first: Int, position: Int)] = []
    /// Records whose object is that of an earlier record of the batch.
    var twins: [(first: Int, position: Int)] = []
    /// Records that change nothing.
    var ignored: Set<Int> = []
    /// The objects that those among them have already.
    var kept: [(position: Int, object: ObjectKey)] = []
    /// Those among them whose key several objects have.
    var manifold: [Int] = []
    var joins: [SaveRequest.LinkChange] = []
    /// Objects to whose to-manys the new rows belong, or that those rows are linked with through a table of
    /// pairs.
    var owners: Set<ObjectKey> = []
    var connections: [ImportConnection] = []
    var pending: [ImportPendingLink] = []
    var touches: [ImportTouch] = []
    var dependencies: [ImportDependency] = []
  }

  /// The number of attempts at a batch as a whole: each kind of failure takes one or two.
  private static let attemptLimit = 4

  /// Takes an attempt back.
  private struct Incomplete: Error {}

  /// Writes the records that wait into a transaction.
  ///
  /// - Returns: the records that are not written. Unless failures are skipped nothing of the batch is usable
  ///   where there are some, and the caller has to take the transaction back.
  /// - Throws: what the store throws.
  package func flush(in transaction: StoreTransaction) throws -> ImportBatch {
    try context.performAndWait { try writing(in: transaction) { try writeEntries(in: transaction) } }
  }

  private func writeEntries(in transaction: StoreTransaction) throws -> ImportBatch {
    defer {
      removeEntries()
      context.reset()
    }
    var batch = ImportBatch()
    guard options.skipsFailures || options.completesBatches else {
      let attempt = try attempt(isProbe: false)
      batch.failures = removeFailures()
      if batch.failures.isEmpty { try keep(attempt) }
      return batch
    }
    try writeSoundEntries(in: transaction, &batch)
    return batch.sorted()
  }

  /// Writes the records that can be written now, attempt by attempt, each without what the ones before it
  /// found wrong.
  ///
  /// Some steps find one bad record at a time. A batch that has more of these is halved, so that an attempt
  /// repeats little.
  private func writeSoundEntries(in transaction: StoreTransaction, _ batch: inout ImportBatch) throws {
    var isProbe = false
    var attempts = 0
    while !entries.isEmpty {
      attempts += 1
      if attempts > Self.attemptLimit, entries.count > 1, options.skipsFailures {
        return try writeHalves(in: transaction, &batch)
      }
      do {
        try transaction.savepoint {
          let attempt = try attempt(isProbe: isProbe)
          guard isComplete, !isProbe else { throw Incomplete() }
          try keep(attempt)
        }
        return
      } catch is Incomplete {
        context.reset()
        if options.findsFirstFailure, let (first, error) = rejected.min(by: { $0.key < $1.key }) {
          batch.failures = [failure(of: first, error)]
          rejected = [:]
          waiting = []
          entries.removeSubrange(first...)
          continue
        }
        isProbe = !isProbe && rejected.values.contains { $0.code == .constraintConflict }
        try removeWaiting(&batch)
        batch.failures += removeFailures()
        guard options.skipsFailures || batch.failures.isEmpty else { return }
      }
    }
  }

  private func writeHalves(in transaction: StoreTransaction, _ batch: inout ImportBatch) throws {
    let whole = entries
    let middle = whole.count / 2
    for half in [whole[..<middle], whole[middle...]] {
      entries = Array(half)
      try writeSoundEntries(in: transaction, &batch)
      context.reset()
    }
  }

  private var isComplete: Bool { rejected.isEmpty && waiting.isEmpty }

  /// Takes the failing records out of the batch.
  private func removeFailures() -> [ImportFailure] {
    guard !rejected.isEmpty else { return [] }
    defer { rejected = [:] }
    let failed = rejected.sorted { $0.key < $1.key }.map { failure(of: $0.key, $0.value) }
    entries = entries.enumerated().filter { rejected[$0.offset] == nil }.map(\.element)
    return failed
  }

  private func failure(of position: Int, _ error: GraphStoreError) -> ImportFailure {
    ImportFailure(record: entries[position].record, line: entries[position].line, error: error)
  }

  /// Takes records out of the batch that have to wait for others; their ids and keys stay theirs.
  private func removeWaiting(_ batch: inout ImportBatch) throws {
    // The records that wait are known when all others are sound.
    guard rejected.isEmpty else { return waiting = [] }
    for position in waiting.sorted() {
      let entry = entries[position]
      batch.waiting.append(entry.record)
      if let label = entry.label { try labels.addWaiting(label, record: entry.record) }
      if let key = key(of: position) { try scratch.addWaitingKey(key, entity: keyOwner(entry.layout).index) }
    }
    entries = entries.enumerated().filter { !waiting.contains($0.offset) }.map(\.element)
    waiting = []
  }

  /// One step after the other, each over what the steps before it found sound.
  private func attempt(isProbe: Bool) throws -> Attempt {
    var attempt = Attempt()
    forgetCreated()
    for position in entries.indices { entries[position].object = nil }
    refuseForeignEntities()
    guard isComplete else { return attempt }
    try resolveKeys(&attempt)
    guard isComplete else { return attempt }
    try validate(&attempt)
    guard isComplete else { return attempt }
    try assignKeys(&attempt)
    guard isComplete else { return attempt }
    try resolveLinks(&attempt)
    guard isComplete else { return attempt }
    try isProbe ? probe(attempt) : write(attempt)
    if isProbe { return attempt }
    guard isComplete else { return attempt }
    try change(&attempt)
    guard isComplete else { return attempt }
    try raiseVersions(attempt)
    guard options.completesBatches else { return attempt }
    for (touch, _) in try countFailures(attempt.touches) {
      guard let position = position(ofRecord: touch.record) else { continue }
      waiting.insert(position)
    }
    return attempt
  }

  /// Records of entities that the store's configuration does not have fail one by one.
  private func refuseForeignEntities() {
    guard store.entities.configuration != nil else { return }
    for (position, entry) in entries.enumerated() where !store.entities.contains(entry.layout.entity) {
      rejected[position] = coordinator.noStore(for: entry.layout.entity)
    }
  }

  /// Checks each new row as its record makes it, and again as each later record of the batch leaves it.
  private func validate(_ attempt: inout Attempt) throws {
    for position in attempt.insertions {
      let broken = try entries[position].layout.attributeFailures(
        entries[position].row, context.validationEvaluators)
      if let error = GraphStoreError.combining(broken) { rejected[position] = error }
    }
    guard rejected.isEmpty else { return }
    for (first, position) in attempt.merged {
      let row = attempt.mergedRows[first] ?? copy(entries[first].row)
      attempt.mergedRows[first] = row
      merge(entries[position], into: row)
      let broken = try row.layout.attributeFailures(row, context.validationEvaluators)
      if let error = GraphStoreError.combining(broken) {
        rejected[position] = error
        return
      }
    }
  }

  private func copy(_ row: Row) -> Row {
    let block = RowBlock(layout: row.layout, capacity: 1)
    return Row(block: block, index: block.appendRow(copying: row))
  }

  /// The row that a record makes, with what later records of the batch change in it.
  func row(_ position: Int, _ merged: [Int: Row]) -> Row {
    merged.isEmpty ? entries[position].row : merged[position] ?? entries[position].row
  }

  // MARK: Keys

  /// Assigns each new record its key, in the order of the input, and notes the ids.
  private func assignKeys(_ attempt: inout Attempt) throws {
    if options.keepsKeys {
      try keepKeys(attempt)
    } else {
      var counts = [Int](repeating: 0, count: layouts.count)
      for position in attempt.insertions { counts[entries[position].layout.rootIndex] += 1 }
      var keys = try KeyReservation(layouts, counts: counts, session)
      for root in layouts.indices where counts[root] > 0 && firstKeys[root] == nil {
        firstKeys[root] = keys[root]
      }
      for position in attempt.insertions {
        let layout = entries[position].layout
        entries[position].object = ObjectKey(entity: layout.index, key: keys.consume(layout.rootIndex))
      }
    }
    for (position, object) in attempt.updates {
      entries[position].object = ObjectKey(entity: object.layout.index, key: object.key)
    }
    for (position, object) in attempt.kept { entries[position].object = object }
    for (first, position) in attempt.twins { entries[position].object = entries[first].object }
    for position in attempt.manifold { entries[position].object = .several }
    try recordLabels()
  }

  private func recordLabels() throws {
    batchLabels.removeAll()
    for position in entries.indices {
      guard let label = entries[position].label else { continue }
      let isTaken = try batchLabels.update(position, for: label) != nil || labels.holder(of: label) != nil
      if isTaken, rejected[position] == nil { rejected[position] = duplicateLabel(label) }
    }
  }

  private func keepKeys(_ attempt: Attempt) throws {
    for position in attempt.insertions {
      let layout = entries[position].layout
      guard case .reference(let entity, let number) = entries[position].label,
        layouts[entity].rootIndex == layout.rootIndex
      else {
        rejected[position] = GraphStoreError(
          .valueType, "The record has no id such as \(layout.entity.name)/p1, whose number could be kept.",
          remedy: "Give every record one, or do not keep ids.", entity: layout.entity.name,
          property: "id")
        continue
      }
      entries[position].object = ObjectKey(entity: layout.index, key: number)
      greatestKeys[layout.rootIndex] = max(greatestKeys[layout.rootIndex] ?? 0, number)
    }
  }

  private func duplicateLabel(_ label: ImportTarget) -> GraphStoreError {
    let text = text(of: label)
    return GraphStoreError(
      .notUnique, "The id \"\(text)\" comes twice in the input.",
      remedy: "Give each record an id of its own.",
      property: "id", value: .string(text))
  }

  func text(of target: ImportTarget) -> String {
    switch target {
    case .nothing: ""
    case .reference(let entity, let number): "\(layouts[entity].entity.name)/p\(number)"
    case .label(_, let name): String(decoding: name, as: UTF8.self)
    case .lookup(_, let text): text
    }
  }

  // MARK: Writing

  /// Writes the new rows one by one, to see which of them break a constraint: a statement that fails rolls
  /// back itself alone. All rows written so are rolled back.
  private func probe(_ attempt: Attempt) throws {
    for position in attempt.insertions {
      guard let object = entries[position].object else { continue }
      var request = context.makeSaveRequest()
      request.insertions = [
        SaveRequest.Insertion(row: row(position, attempt.mergedRows), key: object.key)
      ]
      do { try session.writeRows(request) } catch let error as GraphStoreError {
        switch error.code {
        case .constraintConflict: try blame(error, attempt)
        // The destination of the row may follow it.
        case .objectNotFound: continue
        default: throw error
        }
      }
    }
  }

  private func write(_ attempt: Attempt) throws {
    var request = context.makeSaveRequest()
    request.insertions.reserveCapacity(attempt.insertions.count)
    for position in attempt.insertions {
      guard let object = entries[position].object else { continue }
      request.insertions.append(
        SaveRequest.Insertion(row: row(position, attempt.mergedRows), key: object.key))
    }
    request.links = attempt.joins
    do {
      try session.writeRows(request)
    } catch let error as GraphStoreError where error.code == .constraintConflict {
      try blame(error, attempt)
    }
  }

  /// Changes objects through the context: those that exist already, and both ends of links that need it.
  private func change(_ attempt: inout Attempt) throws {
    for (position, object) in attempt.updates {
      do {
        try apply(entries[position], to: object)
        guard let row = object.currentRow else { continue }
        let broken = try object.layout.attributeFailures(row, context.validationEvaluators)
        if let error = GraphStoreError.combining(broken) { rejected[position] = error }
      } catch let error as GraphStoreError {
        rejected[position] = error
      }
    }
    guard rejected.isEmpty else { return }
    do {
      try connect(attempt.connections) { attempt.touches.append($0) }
    } catch let failure as ImportFailure {
      guard let position = position(ofRecord: failure.record) else { throw failure.error }
      rejected[position] = failure.error
      return
    }
    removeSavedOwners(&attempt)
    do { try context.save() } catch let error as GraphStoreError {
      for error in error.errors.isEmpty ? [error] : error.errors { try blame(error, attempt) }
    }
  }

  /// Removes the owners whose versions the context's save raises.
  private func removeSavedOwners(_ attempt: inout Attempt) {
    guard !attempt.owners.isEmpty else { return }
    for object in context.unsaved.objects where object.hasValuesToSave {
      attempt.owners.remove(ObjectKey(entity: object.layout.index, key: object.key))
    }
  }

  /// Raises the versions of objects that exist and whose members are changed by the new rows alone, as a save
  /// of those rows' objects would.
  private func raiseVersions(_ attempt: Attempt) throws {
    guard !attempt.owners.isEmpty else { return }
    let made = Set(attempt.insertions.compactMap { entries[$0].object } + created.map(\.object))
    var request = context.makeSaveRequest()
    for owner in attempt.owners where !made.contains(owner) {
      request.touched[layouts[owner.entity].rootIndex, default: []].append(owner.key)
    }
    guard !request.isEmpty else { return }
    try session.writeRows(request)
    for (root, keys) in request.touched { store.rowCache.forget(root, keys, in: .transaction) }
  }

  /// Attributes a failure of the store or of a save to the record that caused it: the last one of the object
  /// that gives it a value of the property, or of the constraint; or the last one that links to it.
  private func blame(_ error: GraphStoreError, _ attempt: Attempt) throws {
    guard let id = error.objectID else { throw error }
    let root = layouts[id.entityIndex].rootIndex
    func isMeant(_ object: ObjectKey) -> Bool {
      object.key == id.key && layouts[object.entity].rootIndex == root
    }
    let own = entries.indices.filter { entries[$0].object.map(isMeant) ?? false }
    let broken = properties(of: error, layouts[id.entityIndex])
    let giver = own.last { position in
      let entry = entries[position]
      return !attempt.ignored.contains(position)
        && (options.conflictPolicy == .replace || broken.contains { entry.fields.contains($0) })
    }
    let linking = attempt.connections.last { isMeant($0.owner) || $0.members.contains(where: isMeant) }
    guard let position = giver ?? own.first ?? linking.flatMap({ position(ofRecord: $0.record) }) else {
      throw error
    }
    rejected[position] = try naming(error)
  }

  /// The numbers of the properties that a failure is about: the one that it names, or all of a constraint.
  private func properties(of error: GraphStoreError, _ layout: EntityLayout) -> [Int] {
    guard let name = error.property, let named = layout.property(named: name) else { return [] }
    guard error.code == .constraintConflict else { return [named.number] }
    let constraints = layout.entity.uniquenessConstraints.filter { $0.contains { $0.name == name } }
    return constraints.flatMap { $0.map(\.number) }
  }

  func position(ofRecord record: Int) -> Int? { entries.firstIndex { $0.record == record } }

  /// A conflict that names the record, not an id, where the other object is of this import.
  private func naming(_ error: GraphStoreError) throws -> GraphStoreError {
    guard error.code == .constraintConflict, let other = error.relatedObjects.first else { return error }
    let reference = ObjectKey(entity: other.entityIndex, key: other.key)
    guard let text = try recordText(of: reference) else { return error }
    var error = error
    error.details = ["the record of \(text) has it"]
    error.relatedObjects = []
    error.remedy = "Change one of the two, or leave one out."
    return error
  }

  /// The position of the record that became an object, if one of this import did.
  func recordText(of object: ObjectKey) throws -> String? {
    let root = layouts[object.entity].rootIndex
    let entry = entries.first {
      $0.object?.key == object.key && $0.layout.rootIndex == root
    }
    if let entry { return placeText(entry.record, entry.line) }
    if let place = try scratch.place(tree: root, key: object.key) {
      return placeText(place.record, place.line)
    }
    return try earlier?.recordText(of: object)
  }

  // MARK: Keeping

  private func keep(_ attempt: Attempt) throws {
    for position in entries.indices {
      guard let label = entries[position].label, let object = entries[position].object else { continue }
      try labels.add(label, object, record: entries[position].record)
    }
    try lookForStoredLabels(attempt)
    for link in attempt.pending { try scratch.addPending(link) }
    if !options.completesBatches {
      for touch in attempt.touches { try scratch.addTouch(touch) }
    }
    for dependency in attempt.dependencies { try scratch.addDependency(dependency) }
    try keepPlaces(attempt)
    forgetLookups(attempt)
    relay(attempt)
    countCreated()
    if options.completesBatches, options.keepsKeys { try raiseCounters() }
    counts.inserted += attempt.insertions.count
    counts.updated += attempt.updates.count + attempt.merged.count
    counts.ignored += attempt.ignored.count
  }

  /// Records the origins of the objects that a later record can conflict with.
  private func keepPlaces(_ attempt: Attempt) throws {
    guard hasKeys.contains(true) else { return }
    var places = [ImportScratch.Places](repeating: ImportScratch.Places(), count: layouts.count)
    for position in attempt.insertions {
      guard let object = entries[position].object, hasKeys[object.entity] else { continue }
      places[layouts[object.entity].rootIndex].add(
        key: object.key, record: entries[position].record, line: entries[position].line)
    }
    for (root, places) in places.enumerated() where !places.isEmpty {
      try scratch.addPlaces(tree: root, places)
    }
  }

  /// Passes the new rows on to contexts that merge saves by themselves, and the objects whose members they
  /// are; what the context has saved it passes on itself.
  private func relay(_ attempt: Attempt) {
    guard let transaction = writing?.transaction, coordinator.saveRelay.hasListeners() else { return }
    func identifier(_ object: ObjectKey) -> ManagedObjectID {
      ManagedObjectID(scope: mount.scope, entityIndex: object.entity, key: object.key)
    }
    let objects = attempt.insertions.compactMap { entries[$0].object } + created.map(\.object)
    let inserted = Set(objects.map(identifier))
    let updated = Set(attempt.owners.map(identifier)).subtracting(inserted)
    guard !inserted.isEmpty else { return }
    transaction.keepForRelay(
      SavedChanges(inserted: inserted, updated: updated, in: mount.scope), number: transaction.numberSave())
  }

  /// Passes on the objects that links have made after the last batch.
  func relayCreated() { relay(Attempt()) }

  /// Forgets what links by attributes found among objects that the batch has added to or changed.
  private func forgetLookups(_ attempt: Attempt) {
    guard !foundLookups.isEmpty else { return }
    let written = Set(
      (attempt.insertions + attempt.updates.map(\.position)).map { entries[$0].layout.rootIndex })
    for place in foundLookups.keys where written.contains(layouts[place.entity].rootIndex) {
      foundLookups[place] = nil
    }
  }
}
