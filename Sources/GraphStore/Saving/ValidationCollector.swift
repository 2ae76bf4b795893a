/// Collector of what several checks of an object find, so that all of it is told at once (OBJ-366).
///
/// An override of a validation goes on with it after `super` has failed:
///
/// ```swift
/// override func validateForUpdate() throws {
///   var collector = ValidationCollector(of: self)
///   collector.check { try super.validateForUpdate() }
///   collector.check { try checkDates() }
///   try collector.throwFailures()
/// }
/// ```
public struct ValidationCollector {
  private let object: ManagedObject
  /// What was found so far, in the order found; a multiple failure counts as those that it holds.
  public var failures: [GraphStoreError] { found.flatMap(\.parts) }
  private var found: [GraphStoreError] = []

  /// Makes a collector without failures.
  ///
  /// - Parameter object: The object that is checked, which failures name that name none.
  public init(of object: ManagedObject) { self.object = object }

  /// Runs a check and keeps what it throws: an error of any type, as a save would tell it.
  public mutating func check(_ body: () throws -> Void) {
    do { try body() } catch { add(error) }
  }

  /// Adds a failure.
  public mutating func add(_ failure: any Error) { found.append(.failure(failure, of: object)) }

  /// Throws what was found; nothing where nothing was.
  ///
  /// - Throws: one failure as itself; several as one error of code 1560, whose ``GraphStoreError/errors`` are flat and in the
  ///   order found (OBJ-367 to OBJ-369).
  public func throwFailures() throws {
    if let error = GraphStoreError.combining(found) { throw error }
  }
}
