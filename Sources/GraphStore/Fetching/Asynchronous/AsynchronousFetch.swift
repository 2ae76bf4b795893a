import Foundation
import Synchronization

/// One fetch beside a context: a helper context reads rows, which the context turns into objects in portions.
///
/// The context's queue is free between two portions. Threads of the queues do the work, and not tasks, which
/// would wait where a program lets the threads of tasks wait for the fetch.
final class AsynchronousFetch: @unchecked Sendable {
  /// How many batches of rows become objects in one portion.
  private static let batchesAtOnce = 8

  let progress: Progress
  private let request: FetchRequest<ManagedObject>
  private let queue: ContextQueue
  private weak var context: ManagedObjectContext?
  private let wasCancelled = Atomic(false)
  /// Called once, on the queue; belongs to it, as the objects do.
  private let completion: (Result<[ManagedObject], any Error>) -> Void
  private var objects: [ManagedObject] = []
  /// The context's count of dropped rows when the first portion became objects.
  private var droppedRowCount: Int?

  /// - Parameter request: A request that fits the context's model.
  init(
    _ request: FetchRequest<ManagedObject>, in context: ManagedObjectContext, estimatedResultCount: Int,
    completion: @escaping (Result<[ManagedObject], any Error>) -> Void
  ) {
    self.request = request
    self.context = context
    self.completion = completion
    queue = context.queue
    progress = Progress(totalUnitCount: estimatedResultCount > 0 ? Int64(estimatedResultCount) : -1)
    progress.isCancellable = true
  }

  func cancel() { wasCancelled.store(true, ordering: .releasing) }

  private var isCancelled: Bool { wasCancelled.load(ordering: .acquiring) || progress.isCancelled }

  private func checkCancellation() throws {
    if isCancelled { throw GraphStoreError.cancelledRequest }
  }

  /// Begins to read.
  ///
  /// - Parameter helper: A context of its own, which sees what the context would.
  func start(with helper: ManagedObjectContext) {
    helper.enqueue { [self] in
      do {
        let found = try RequestCancellation.ending(when: { self.isCancelled }) {
          try checkCancellation()
          return try helper.rowsInTransit(request)
        }
        take(found.portions(Self.batchesAtOnce)[...], of: found)
      } catch { fail(error) }
    }
  }

  /// Makes objects of a portion, and then of the others; behind the last one the fetch ends.
  private func take(_ portions: ArraySlice<RowsInTransit>, of all: RowsInTransit) {
    guard let context else { return fail(GraphStoreError.cancelledRequest) }
    context.enqueue { [self] in
      do {
        try checkCancellation()
        let dropped = droppedRowCount ?? context.registry.droppedRowCount
        droppedRowCount = dropped
        if let portion = portions.first {
          objects += try context.objects(in: portion)
          progress.completedUnitCount = Int64(objects.count)
          return take(portions.dropFirst(), of: all)
        }
        // A walk over all of them would keep the queue as long as many portions do.
        let keepRows =
          all.hasRows && context.registry.droppedRowCount == dropped && context.stalenessInterval <= 0
        let objects = try context.completed(objects, request, keepRows: keepRows)
        progress.totalUnitCount = Int64(objects.count)
        progress.completedUnitCount = Int64(objects.count)
        finish(.success(objects))
      } catch { fail(error) }
    }
  }

  /// Ends the fetch without objects, on the context's queue, whether or not the context lives.
  private func fail(_ error: any Error) {
    guard queue.isRunningBlock else { return queue.async { [self] in finish(.failure(error)) } }
    finish(.failure(error))
  }

  private func finish(_ outcome: Result<[ManagedObject], any Error>) {
    objects = []
    completion(outcome)
  }
}

/// What a helper context has read for another: rows, or identifiers of objects that it holds, whose rows are
/// in the row cache.
struct RowsInTransit: @unchecked Sendable {
  fileprivate enum Content {
    case batches([RowBatch], RowCache.Origin, storeIndex: Int32)
    case identifiers([ManagedObjectID], holding: [ManagedObject])
  }

  fileprivate let content: Content

  fileprivate init(_ content: Content) { self.content = content }

  /// Whether objects that are made of it have their rows.
  var hasRows: Bool {
    if case .batches = content { true } else { false }
  }

  /// Parts of so many batches of rows.
  func portions(_ size: Int) -> [RowsInTransit] {
    switch content {
    case .batches(let batches, let origin, let index):
      stride(from: 0, to: batches.count, by: size).map { start in
        RowsInTransit(
          .batches(Array(batches[start..<min(start + size, batches.count)]), origin, storeIndex: index))
      }
    case .identifiers(let ids, _):
      stride(from: 0, to: ids.count, by: size * RowBatch.capacity).map { start in
        RowsInTransit(
          .identifiers(Array(ids[start..<min(start + size * RowBatch.capacity, ids.count)]), holding: []))
      }
    }
  }
}

extension ManagedObjectContext {
  /// Fetches beside the work of the context: returns at once, and calls the request's completion on the
  /// context's queue when the objects are there.
  ///
  /// The store is read on another queue; then the objects are made on the context's own, in portions, between
  /// which other blocks run. Unsaved changes count as they are at the end: where they concern the answer, the
  /// context fetches once more by itself. A fetch of a context that is reset, or released, ends with
  /// `cancelled`.
  ///
  /// - Returns: The result, which is filled when the completion is called, and by which the fetch can be
  ///   cancelled.
  /// - Throws: what a fetch throws before it reads anything.
  @discardableResult
  public func execute<Object>(
    _ request: AsynchronousFetchRequest<Object>
  ) throws -> AsynchronousFetchResult<Object> {
    checkQueue()
    var named = try named(request.fetchRequest)
    try checkResultType(of: named, is: .managedObject)
    named.locale = named.locale ?? locale
    _ = try prepare(named)
    let helper = try fetchingHelper()
    var result: AsynchronousFetchResult<Object>?
    let fetch = AsynchronousFetch(named, in: self, estimatedResultCount: request.estimatedResultCount) {
      guard let ended = result else { return }
      result = nil
      ended.end($0)
      request.completion(ended)
    }
    let running = AsynchronousFetchResult(request.fetchRequest, fetch)
    result = running
    fetching.asynchronousFetches.removeAll { $0.fetch == nil }
    fetching.asynchronousFetches.append(WeakAsynchronousFetch(fetch: fetch))
    fetch.start(with: helper)
    return running
  }

  /// The objects that a request selects, fetched beside the work of the context, as
  /// ``execute(_:)-(AsynchronousFetchRequest<Object>)`` does.
  ///
  /// For callers on the context's queue, as the main actor is of a main-queue context. Cancelling the task
  /// ends the fetch.
  ///
  /// - Throws: `cancelled`, and what a fetch throws.
  nonisolated(nonsending) public func fetchAsynchronously<Object>(
    _ request: FetchRequest<Object>
  ) async throws -> [Object] {
    let outcome = AwaitedObjects<Object>()
    let asynchronous = AsynchronousFetchRequest(fetchRequest: request) { outcome.end($0) }
    let fetch = try execute(asynchronous).fetch
    return try await withTaskCancellationHandler {
      try await outcome.value().objects
    } onCancel: {
      fetch.cancel()
    }
  }

  /// A context that sees what this one sees, but for its unsaved changes.
  private func fetchingHelper() throws -> ManagedObjectContext {
    let helper =
      parent.map { ManagedObjectContext(parent: $0, concurrencyType: .privateQueue) }
      ?? ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    helper.functions = functions
    if let token = parent == nil ? generationToken : nil, token != .current {
      try helper.performAndWait { try helper.setQueryGenerationFrom(token) }
    }
    return helper
  }

  // MARK: Rows on their way

  /// Reads the rows that a request selects, for another context: without making objects where one store has
  /// them all.
  fileprivate func rowsInTransit(_ request: FetchRequest<ManagedObject>) throws -> RowsInTransit {
    let prepared = try prepare(request)
    if parent == nil, !request.readsIdentityAlone, case .stores(let mounts) = route(of: prepared),
      mounts.count == 1
    {
      var batches: [RowBatch] = []
      let storeRequest = prepared.request.storeRequest(.rows)
      let origin = try readingPlanned(storeRequest, from: mounts[0]) { plan, session in
        try plan.rows { batch in
          batches.append(batch)
          batch = RowBatch()
        }
        return session.origin
      }
      if let origin { return RowsInTransit(.batches(batches, origin, storeIndex: mounts[0].index)) }
    }
    if request.readsIdentityAlone {
      return RowsInTransit(.identifiers(try identifiers(for: prepared), holding: []))
    }
    let objects = try objects(prepared)
    return RowsInTransit(.identifiers(objects.map(\.objectID), holding: objects))
  }

  /// The objects of rows that another context has read.
  fileprivate func objects(in transit: RowsInTransit) throws -> [ManagedObject] {
    switch transit.content {
    case .batches(let batches, let origin, let index):
      var materializer = ObjectMaterializer(self, storeIndex: index)
      for batch in batches { try materializer.take(batch, from: origin) }
      let objects = materializer.consumeObjects()
      try loadRows(of: objects)
      return objects
    case .identifiers(let ids, _): return try ids.map { try object(with: $0) }
    }
  }

  /// The objects of a request once all rows are there, as a fetch returns them.
  ///
  /// - Parameter keepRows: Whether they have had their rows since they were made.
  fileprivate func completed(
    _ objects: [ManagedObject], _ request: FetchRequest<ManagedObject>, keepRows: Bool
  ) throws -> [ManagedObject] {
    let prepared = try prepare(request)
    if needsCorrection(prepared) { return try fetch(request) }
    return try counting(request, as: .objects, objects: \.count) {
      if request.readsIdentityAlone, request.fetchBatchSize > 0 {
        fetching.faultBatches.removeUnused()
        fetching.faultBatches.add(objects, of: prepared.request)
        return objects
      }
      if !request.readsIdentityAlone, !keepRows { try loadRows(of: objects) }
      let keyPaths = request.relationshipKeyPathsForPrefetching
      if !keyPaths.isEmpty {
        try reading(runsCallbacks: coordinator.hasClasses) { try prefetch(keyPaths, of: objects, with: $0) }
      }
      try completeFetched(objects, request)
      return objects
    }
  }
}

/// A fetch that a context ends when it is reset.
struct WeakAsynchronousFetch {
  weak var fetch: AsynchronousFetch?
}

/// The outcome of a fetch for a task that awaits it.
private final class AwaitedObjects<Object: ManagedObject>: Sendable {
  /// Objects on their way to the caller, who is on the same queue.
  struct Found: @unchecked Sendable {
    let objects: [Object]
  }

  private typealias Continuation = CheckedContinuation<Found, any Error>

  private struct State {
    var outcome: Result<Found, any Error>?
    var continuation: Continuation?
  }

  private let state = Mutex(State())

  func end(_ result: AsynchronousFetchResult<Object>) {
    let outcome: Result<Found, any Error> =
      result.finalResult.map { .success(Found(objects: $0)) }
      ?? .failure(result.operationError ?? GraphStoreError.cancelledRequest)
    let continuation = state.withLock { state in
      state.outcome = outcome
      return state.continuation
    }
    continuation?.resume(with: outcome)
  }

  func value() async throws -> Found {
    try await withCheckedThrowingContinuation { (continuation: Continuation) in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.continuation = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(with: outcome) }
    }
  }
}
