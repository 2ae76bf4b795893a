import Foundation

/// A fetch that runs beside the work of its context, and then hands over its objects.
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.predicate = try QueryPredicate(parsing: "salary > 75000")
/// let fetch = try context.execute(
///   AsynchronousFetchRequest(fetchRequest: request) { result in
///     print(result.finalResult?.count ?? 0, "employees")
///   })
/// print(fetch.finalResult == nil)  // true
/// ```
///
/// The store is asked on another queue; the context and its objects can be used meanwhile. See
/// ``ManagedObjectContext/execute(_:)-(AsynchronousFetchRequest<Object>)``.
public struct AsynchronousFetchRequest<Object: ManagedObject> {
  /// What is fetched; every option is allowed.
  public let fetchRequest: FetchRequest<Object>
  /// How many results there will be, for its progress; 0 where that is not known.
  public var estimatedResultCount: Int
  let completion: (AsynchronousFetchResult<Object>) -> Void

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - fetchRequest: What is fetched.
  ///   - estimatedResultCount: How many results there will be; 0 where that is not known.
  ///   - completion: Called once, on the context's queue, when the objects are there, or the fetch has ended
  ///     otherwise.
  public init(
    fetchRequest: FetchRequest<Object>, estimatedResultCount: Int = 0,
    completion: @escaping (AsynchronousFetchResult<Object>) -> Void = { _ in }
  ) {
    self.fetchRequest = fetchRequest
    self.estimatedResultCount = estimatedResultCount
    self.completion = completion
  }
}

/// What an asynchronous fetch has found, once it has ended.
///
/// ```swift
/// let fetch = try context.execute(AsynchronousFetchRequest(fetchRequest: Employee.fetchRequest()))
/// fetch.cancel()
/// ```
///
/// Exactly one of ``finalResult`` and ``operationError`` is there in the end. Both belong to the context's
/// queue; ``progress`` and ``cancel()`` may be used anywhere.
public final class AsynchronousFetchResult<Object: ManagedObject> {
  /// What is fetched.
  public let fetchRequest: FetchRequest<Object>
  /// The objects; nil until the fetch has ended, and where it has failed.
  public private(set) var finalResult: [Object]?
  /// Why there are none: `cancelled`, or what a fetch throws; nil until the fetch has ended, and where it has
  /// succeeded.
  public private(set) var operationError: (any Error)?
  /// How many results are there; in the end all of them. The total is the estimate of the request, else not
  /// known before the end. A progress that is current where the fetch begins has it as a child.
  public let progress: Progress
  let fetch: AsynchronousFetch

  init(_ request: FetchRequest<Object>, _ fetch: AsynchronousFetch) {
    fetchRequest = request
    self.fetch = fetch
    progress = fetch.progress
  }

  /// Ends the fetch: its statement is stopped, no object is handed over, and it completes with `cancelled`.
  /// Nothing happens where it has completed.
  public func cancel() { fetch.cancel() }

  func end(_ outcome: Result<[ManagedObject], any Error>) {
    switch outcome {
    case .success(let objects): finalResult = unsafe unsafeBitCast(objects, to: [Object].self)
    case .failure(let error): operationError = error
    }
  }
}
