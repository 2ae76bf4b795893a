import Foundation
import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// Reads the histories of the stores, or removes a part of them.
  ///
  /// Nothing is registered and no fault fires; what is read is what the stores have now, also where the
  /// context is pinned. A removal is one transaction of each store, and does not touch what is not asked for.
  /// It costs a statement for the transactions of a store and one for their changes, and the memory of what
  /// is returned.
  ///
  /// ```swift
  /// try coordinator.enableHistoryTracking(of: archive)
  /// try context.save()
  /// let other = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
  /// let history = try other.execute(.fetchHistory(after: nil))
  /// try other.mergeChanges(fromHistory: history.transactions)
  /// ```
  ///
  /// - Throws: `history-not-tracked` where no store keeps a history; `history-expired` where something has
  ///   been removed after the place from which to read, or a token is of a state that another one has
  ///   replaced: what was missed cannot be read, and all that was derived from the store has to be made anew;
  ///   `unknown-store` for a token of other stores; `unknown-key` for a key in the predicate that a history
  ///   does not have; for a removal `read-only-store`; what reading or writing throws.
  public func execute(_ request: PersistentHistoryChangeRequest) throws -> PersistentHistoryResult {
    checkQueue()
    let logged = SQLLogRequest.begin()
    defer { logged?.end() }
    let stores = try coordinator.trackedStores(request.affectedStores, rootContext.transaction)
    if case .token(let token) = request.place { try coordinator.checkStores(of: token, stores) }
    return request.isDeletion ? try delete(request, stores) : try fetch(request, stores)
  }

  // MARK: Reading

  /// What one store's history has for a request.
  private struct Found {
    let mount: Mount
    var transactions: [PersistentHistoryTransaction] = []
    /// The place after the last transaction that was looked at.
    var reached: PersistentHistoryToken.Place
    /// The number of the transactions that were taken into the result.
    var taken = 0

    /// The place up to which the result has the history.
    var place: PersistentHistoryToken.Place {
      if taken == transactions.count { return reached }
      return taken > 0 ? transactions[taken - 1].place : start
    }
    let start: PersistentHistoryToken.Place
  }

  private func fetch(
    _ request: PersistentHistoryChangeRequest, _ stores: [Mount]
  ) throws -> PersistentHistoryResult {
    let filter = try HistoryFilter(request.predicate)
    var found = try stores.map { mount in
      try readingHistory(of: mount) { try fetch(request, filter, mount, $0) }
    }
    var result = PersistentHistoryResult(request.resultType)
    var identifiers: Set<ManagedObjectID> = []
    while request.fetchLimit <= 0 || found.reduce(0, { $0 + $1.taken }) < request.fetchLimit,
      let next = Self.earliest(found)
    {
      let transaction = found[next].transactions[found[next].taken]
      found[next].taken += 1
      result.add(transaction, &identifiers)
    }
    for store in found {
      result.token = result.token.merging(
        PersistentHistoryToken(store: store.mount.scope.uuid, store.place))
    }
    return result
  }

  /// The store whose next transaction is the earliest; those of one store stay in their order.
  private static func earliest(_ found: [Found]) -> Int? {
    found.indices.filter { found[$0].taken < found[$0].transactions.count }
      .min { left, right in
        found[left].transactions[found[left].taken].timestamp
          < found[right].transactions[found[right].taken].timestamp
      }
  }

  private func fetch(
    _ request: PersistentHistoryChangeRequest, _ filter: HistoryFilter, _ mount: Mount,
    _ session: any HistoryReadSession
  ) throws -> Found {
    let place = request.place.place(in: mount)
    let start: PersistentHistoryToken.Place
    if case .transaction(let given) = place {
      try coordinator.checkKept(after: given, mount, session)
      start = given
    } else {
      start = try session.historyPlace(after: session.historyNumber(before: place))
    }
    var query = HistoryQuery(after: start.number, readsChanges: request.needsChanges || filter.isOfChanges)
    query.entities = request.changedEntity.map { entity in
      Set(coordinator.layout.entities.filter { $0.entity.isKind(of: entity) }.map(\.index))
    }
    if let id = request.changedObjectID {
      let isOfStore = id.scope.uuid == mount.scope.uuid && !id.isTemporaryID
      let root = isOfStore ? id.entity.rootEntity.name : ""
      let family = coordinator.layout.entities.filter { $0.entity.rootEntity.name == root }.map(\.index)
      query.entities = query.entities?.intersection(family) ?? Set(family)
      query.key = id.key
    }
    let isOfRecords = query.entities != nil
    query.readsChanges = query.readsChanges || isOfRecords
    var found = Found(mount: mount, reached: start, start: start)
    try session.readHistory(query) { transaction in
      found.reached = transaction.place
      if isOfRecords, transaction.changes?.isEmpty == true { return true }
      if let passed = try filter.filtered(transaction) { found.transactions.append(passed) }
      return request.fetchLimit <= 0 || found.transactions.count < request.fetchLimit
    }
    return found
  }

  private func readingHistory<Result>(
    of mount: Mount, _ body: (any HistoryReadSession) throws -> Result
  ) throws -> Result {
    try coordinator.readingHistory(of: mount, rootContext.transaction, body)
  }

  // MARK: Removing

  private func delete(
    _ request: PersistentHistoryChangeRequest, _ stores: [Mount]
  ) throws -> PersistentHistoryResult {
    var result = PersistentHistoryResult(request.resultType)
    for mount in stores {
      let place = request.place.place(in: mount)
      if case .beginning = place { continue }
      if mount.store.isReadOnly { throw coordinator.readOnlyStore(mount.store) }
      result.count += try coordinator.writingHistory(of: mount, rootContext.transaction) { session in
        // What is asked for stays: the transaction of a token, and one that is as late as the date.
        let last: Int64
        switch place {
        case .beginning: last = 0
        case .transaction(let place):
          try coordinator.checkHistory(of: place, mount, session)
          last = place.number - 1
        case .date(let date):
          last = try session.historyNumber(ofLastBefore: date)
        }
        return try session.deleteHistory(through: last)
      }
    }
    result.status = result.count > 0
    return result
  }
}

extension PersistentHistoryChangeRequest {
  fileprivate var needsChanges: Bool {
    switch resultType {
    case .transactionsAndChanges, .changesOnly, .objectIDs, .count: true
    case .transactionsOnly, .statusOnly: false
    }
  }
}

extension PersistentHistoryChangeRequest.Place {
  /// The place in one store; the beginning of one that a token does not cover.
  fileprivate func place(in mount: Mount) -> HistoryPlace {
    switch self {
    case .beginning: .beginning
    case .date(let date): .date(date)
    case .token(let token):
      token.places[mount.scope.uuid].map { .transaction($0) } ?? .beginning
    }
  }
}

extension PersistentHistoryResult {
  /// Adds a transaction in the form of the result.
  fileprivate mutating func add(
    _ transaction: PersistentHistoryTransaction, _ identifiers: inout Set<ManagedObjectID>
  ) {
    status = true
    let found = transaction.changes ?? []
    count += found.count
    switch resultType {
    case .transactionsAndChanges: transactions.append(transaction)
    case .transactionsOnly:
      transactions.append(PersistentHistoryTransaction(header: transaction.header, changes: nil))
    case .changesOnly: changes += found
    case .objectIDs:
      for change in found where identifiers.insert(change.changedObjectID).inserted {
        objectIDs.append(change.changedObjectID)
      }
    case .count, .statusOnly: break
    }
  }
}
