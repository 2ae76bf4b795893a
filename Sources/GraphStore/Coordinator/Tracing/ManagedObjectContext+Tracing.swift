/// Counting of what a context does, and its delivery to observers of the trace.
extension ManagedObjectContext {
  /// Whether any of these kinds of events is traced.
  @inline(__always)
  func traces(_ kinds: UInt8) -> Bool { coordinator.activity.tracedKinds & kinds != 0 }

  /// A clock, where the time of a kind of event is traced.
  @inline(__always)
  func clock(for kinds: UInt8, isSummed: Bool = false) -> RequestClock? {
    guard traces(kinds) || (isSummed && coordinator.activity.measuresTime) else { return nil }
    return RequestClock()
  }

  /// Runs a fetch request, which is counted and reported to observers.
  ///
  /// A child has the contexts above it to itself before its unsaved changes are looked at: these are known by
  /// keys, for which a save of another context could assign permanent ones in between.
  func counting<Result>(
    _ request: FetchRequest<ManagedObject>, as result: TraceEvent.FetchResult, objects count: (Result) -> Int,
    _ body: () throws -> Result
  ) throws -> Result {
    let logged = SQLLogRequest.begin()
    let clock = clock(for: TraceKind.fetches.bit, isSummed: true)
    let answer: Result
    do { answer = try readingFromSource(body) } catch {
      logged?.end()
      throw error
    }
    let (time, count) = (clock?.time, count(answer))
    if let logged {
      if result == .count { logged.addCountTime(count: count) } else { logged.addFetchTimes(rows: count) }
      // Before the event, whose observer may do anything.
      logged.end()
    }
    activity.countFetch(of: request.entityName, objects: count, time: time)
    if let clock, let time {
      let sqlTime = clock.sqlTime(within: time)
      report(
        .fetches, .fetch(entity: request.entityName, result: result, objects: count, sqlTime: sqlTime),
        time: time)
    }
    return answer
  }

  /// Counts a fault of an object that has got its values, and reports it to observers.
  @inline(__always)
  func recordFault(of object: ManagedObject, isCached: Bool, since clock: RequestClock?) {
    activity.countObjectFault(isCached: isCached)
    if let clock { reportFault(of: object, isCached: isCached, clock.time) }
  }

  @inline(never)
  private func reportFault(of object: ManagedObject, isCached: Bool, _ time: Duration) {
    let work = TraceEvent.Work.objectFault(object.objectID, isCached: isCached)
    report(.faults, work, time: time)
    if !isCached { report(.misses, work, time: time) }
  }

  /// Counts the faults of a to-many of several owners, which one statement has resolved, and reports each to
  /// observers.
  func recordFaults(
    of relationship: RelationshipLayout, _ owners: [ManagedObject], since clock: RequestClock?
  ) {
    activity.countRelationshipFaults(owners.count)
    guard let time = clock?.time else { return }
    for owner in owners {
      let members = owner.toMany(relationship).members?.count ?? 0
      let work = TraceEvent.Work.relationshipFault(
        source: owner.objectID, relationship: relationship.description.name, members: members)
      report(.faults, work, time: time)
      report(.misses, work, time: time)
    }
  }

  /// Counts a save that has reached a store, and reports it to observers.
  func recordSave(_ changes: PendingSave, _ failure: (any Error)?, since clock: RequestClock?) {
    let time = clock?.time
    activity.countSave(time: time)
    guard let time else { return }
    report(
      .saves,
      .save(
        inserted: changes.inserted.count, updated: changes.updated.count, deleted: changes.deleted.count,
        failure: failure.map { ($0 as? GraphStoreError)?.word ?? "\(type(of: $0))" }), time: time)
  }

  private func report(_ kind: TraceKind, _ work: TraceEvent.Work, time: Duration) {
    guard traces(kind.bit) else { return }
    coordinator.activity.deliver(TraceEvent(kind: kind, work: work, time: time, contextName: name))
  }
}
