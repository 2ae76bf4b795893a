/// Query generations: a context that is pinned reads one state of its stores, whatever others save.
extension ManagedObjectContext {
  /// The state of the stores that the context is pinned to, nil at first: it reads the newest each time.
  ///
  /// ``QueryGenerationToken/current`` until the next read, which chooses the state. A child context has that
  /// of the context at the root of its chain.
  public var queryGenerationToken: QueryGenerationToken? {
    checkQueue()
    return parent == nil ? generationToken : family.queryGenerationToken
  }

  /// Pins the context to a state of the stores, or with nil lets it read the newest each time.
  ///
  /// With ``QueryGenerationToken/current`` the state is chosen by the next fetch, count, or access that needs
  /// the store, and is then the same for all that the context reads, until it saves, is reset or merges a
  /// save: the pin then moves to the newest state, chosen again by the next read. With the token of another
  /// context of the coordinator it is that context's state, at once.
  ///
  /// Saves are compared with what is stored now, not with the state that is seen. Stores that are neither
  /// SQLite files with a write-ahead log nor on a PostgreSQL server are read as they are; where there are no
  /// others the context stays unpinned.
  ///
  /// A state has a connection of its own, and keeps the write-ahead log from being folded into the file, or a
  /// server from removing what has become old: see <doc:Concurrency>. The read that chooses one throws
  /// `query-generation-unavailable` where as many are alive as ``StoreOptions/queryGenerationMaxCount`` says.
  ///
  /// - Throws: `query-generation-unavailable` for a token of a state to which no context of the coordinator
  ///   is pinned any more; `query-generation-on-child` for a child context; `context-busy` while it saves.
  ///   The pin stays as it was then.
  public func setQueryGenerationFrom(_ token: QueryGenerationToken?) throws {
    checkQueue()
    guard parent == nil else { throw Self.pinOfChild }
    if saving.isRunning { try checkIdle(before: "setQueryGenerationFrom") }
    guard let token, token != .current || coordinator.keepsGenerations else {
      setPin(nil)
      return lookAgainForMissingRecords()
    }
    if token == .current { return setPin(GenerationPin(hasOtherRows: true)) }
    if token == fetching.pin?.generation?.token { return }
    guard let generation = coordinator.generations[token] else { throw Self.unavailable(token) }
    setPin(GenerationPin(hasOtherRows: true))
    adopt(generation)
  }

  /// The token of a context that is no child, asked for by itself.
  var generationToken: QueryGenerationToken? { fetching.pin.map { $0.generation?.token ?? .current } }

  // MARK: Moving the pin

  /// Moves the pin of a context that is pinned: the next read chooses the newest state (CTX-341).
  ///
  /// Called before it takes over what is stored by now: by `reset`, after a save of its own, which other
  /// processes may have preceded, and before a save is merged.
  func movePin() {
    if fetching.pin != nil { setPin(GenerationPin(hasOtherRows: true)) }
  }

  private func setPin(_ pin: GenerationPin?) {
    fetching.pin = pin
    fetching.isPinned = pin.map { !$0.isSuspended } ?? false
    fetching.sharesRowCache = !fetching.isPinned
    if pin?.hasOtherRows == true { fetching.knownCommitNumber = .min }
    tellFamily()
  }

  // MARK: Saves

  /// Lets the context read the newest state, with which its save is compared (CTX-349).
  func suspendPin() {
    guard var pin = fetching.pin else { return }
    pin.isSuspended = true
    setPin(pin)
  }

  /// Lets it read its own state again, after a save that has failed.
  func resumePin() {
    guard var pin = fetching.pin, pin.isSuspended else { return }
    pin.isSuspended = false
    setPin(pin)
    dropRowsOfFaults()
  }

  // MARK: Reading

  /// Whether the rows of a store's faults, where they have some, are those that would be read now.
  @inline(__always)
  func hasPresentRows(in storeIndex: Int32) -> Bool {
    fetching.knownCommitNumber == source.commitNumber || hasPinnedRows(in: storeIndex)
  }

  private func hasPinnedRows(in storeIndex: Int32) -> Bool {
    guard fetching.isPinned, transaction == nil, let pin = fetching.pin, !pin.hasOtherRows else {
      return false
    }
    return pin.generation?.keeps(storeIndex) ?? false
  }

  /// Those of some stores that a request can ask: the ones of the state that the context is pinned to, where
  /// they are still there (CTX-348). They are those that the request has begun with: a store that is closed
  /// meanwhile is an error, and not one that has no objects.
  func visibleMounts(of mounts: [Mount]) throws -> [Mount] {
    guard fetching.isPinned, transaction == nil, let generation = try chosenGeneration() else {
      return mounts
    }
    return mounts.filter { generation.contains($0.index) }
  }

  /// Runs a request at the state that the context is pinned to, which is chosen where it is not yet.
  ///
  /// - Parameter body: Gets the generation; nil where no store keeps states.
  func readingGeneration<Result>(_ body: (QueryGeneration?) throws -> Result) throws -> Result {
    guard let generation = try chosenGeneration() else { return try body(nil) }
    let read = try generation.reading { () -> Result? in
      // A store may have been moved while the request waited for its turn.
      generation.fits(coordinator.mounts) ? try body(generation) : nil
    }
    return try read ?? readingGeneration(body)
  }

  private func chosenGeneration() throws -> QueryGeneration? {
    if let pin = fetching.pin, let chosen = pin.generation {
      if chosen.fits(mounts) {
        if pin.hasOtherRows { adopt(chosen) }
        return chosen
      }
      movePin()
    }
    guard let found = try coordinator.presentGeneration() else {
      if !mounts.isEmpty { setPin(nil) }
      return nil
    }
    adopt(found)
    return found
  }

  /// Pins the context to a state; rows of faults that may be of another one are dropped.
  private func adopt(_ generation: QueryGeneration) {
    if fetching.pin?.hasOtherRows != false || fetching.knownCommitNumber != generation.commitNumber {
      dropRowsOfFaults()
      lookAgainForMissingRecords()
    }
    fetching.knownCommitNumber = generation.commitNumber
    fetching.pin?.generation = generation
    fetching.pin?.hasOtherRows = false
    tellFamily()
  }

  /// Lets children know what they read through the context, and that what they have read may be of another
  /// state.
  private func tellFamily() {
    countRefresh()
    family.isPinned = fetching.isPinned
    family.queryGenerationToken = generationToken
  }

  /// The session of a store in the state that the context is pinned to; nil where it reads the newest.
  func pinnedSession(on mount: Mount) -> (any ReadSession)? {
    guard fetching.isPinned, transaction == nil else { return nil }
    return try? fetching.pin?.generation?.session(mount.index)
  }

  /// Faults keep neither rows nor what was looked up for them; of those with unsaved changes, which are links
  /// alone, these stay. A relationship that is being read, which has chosen the state, stays the same object.
  private func dropRowsOfFaults() {
    for object in registry.all() where object.state.contains(.fault) {
      if object.state.isDisjoint(with: .changed) {
        object.dropRow()
        object.forgetLookups(keeping: PropertySet())
      } else if object.state.isDisjoint(with: [.deleted, .inserted, .ownsRow]) {
        object.dropRow()
        object.forgetLookups(keeping: object.ownProperties)
      }
    }
  }

  /// Makes objects faults again whose records another state did not have: this one may have them.
  private func lookAgainForMissingRecords() {
    let missing = deletions.order.filter {
      $0.state.contains(.inaccessible) && $0.state.isDisjoint(with: [.deletedElsewhere, .detached])
    }
    if missing.isEmpty { return }
    for object in missing {
      object.changeState(
        removing: ObjectState.listing.union([.updated, .deleted, .propagated, .inaccessible, .ownsRow]),
        adding: .fault)
      object.dropRow()
      object.dropAttachment()
    }
    removeUnlisted()
    deletions.order.removeAll { !$0.state.contains(.deleted) }
    deletions.pending.removeAll { !$0.state.contains(.deleted) }
    countSetter()
  }

  // MARK: Errors

  private static var pinOfChild: GraphStoreError {
    GraphStoreError(
      .queryGenerationOnChild, "A child context reads what its parent has, and cannot be pinned.",
      remedy: "Pin the context at the root of the chain.")
  }

  private static func unavailable(_ token: QueryGenerationToken) -> GraphStoreError {
    GraphStoreError(
      .queryGenerationUnavailable, "No context of the coordinator is at the state \(token) any more.",
      remedy: "Take the token of a context that is pinned, or the current one. The context reads as before.")
  }
}
