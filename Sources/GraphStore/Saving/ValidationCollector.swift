import GraphStoreModel
import GraphStorePredicates

/// Collector of what several checks of an object find, so that all of it is reported at once.
///
/// An override of a validation continues with it after `super` has failed:
///
/// ```swift
/// final class Employee: ManagedObject {
///   override func validateForUpdate() throws {
///     var collector = ValidationCollector(of: self)
///     collector.check { try super.validateForUpdate() }
///     if try object(forKey: "department") == nil {
///       collector.add(GraphStoreError(.validation, "There is no department.", remedy: "Choose one."))
///     }
///     try collector.throwFailures()
///   }
/// }
/// ```
public struct ValidationCollector {
  private let object: ManagedObject
  /// The failures so far, in the order found; a multiple failure counts as those that it holds.
  public var failures: [GraphStoreError] { found.flatMap(\.parts) }
  private var found: [GraphStoreError] = []

  /// Makes a collector without failures.
  ///
  /// - Parameter object: The object that is checked, which failures name that name none.
  public init(of object: ManagedObject) { self.object = object }

  /// Runs a check and keeps what it throws: an error of any type, as a save would throw it.
  public mutating func check(_ body: () throws -> Void) {
    do { try body() } catch { add(error) }
  }

  /// Adds a failure.
  public mutating func add(_ failure: any Error) { found.append(.failure(failure, of: object)) }

  /// Throws what was found; nothing where nothing was.
  ///
  /// - Throws: one failure as itself; several as one error of code 1560, whose ``GraphStoreError/errors`` are
  ///   flat and in the order found.
  public func throwFailures() throws {
    if let error = GraphStoreError.combining(found) { throw error }
  }
}
