import Foundation
import GraphStore

/// Suite of the promises that stores of every type keep.
///
/// It is run over a type that a program has written, and reports which promises the type keeps, which it
/// breaks and how, and which were skipped since it lacks a feature. It needs no framework of tests:
///
/// ```swift
/// var suite = StoreConformance(of: .json, lacking: [.severalWriters, .history]) { number in
///   URL(fileURLWithPath: "conformance-\(number).json")
/// }
/// suite.seed = 7
/// let report = suite.run()
/// print(report.isKept)  // true
/// ```
///
/// The stores are left where they are.
public struct StoreConformance: Sendable {
  /// Opens a store in a coordinator of its own: one that is empty where the number is a new one, and the one
  /// that was opened by the number before, with what it holds, where it is not.
  public typealias Opening =
    @Sendable (_ model: ManagedObjectModel, _ number: Int) throws -> PersistentStoreCoordinator

  /// Makes all saves of a store fail from now on, or lets them succeed again.
  public typealias Obstruction = @Sendable (_ number: Int, _ isObstructed: Bool) throws -> Void

  /// The name of the type, for the report.
  public let name: String
  /// The features that the type lacks.
  public let lacking: Set<StoreFeature>
  /// The first number of what is random: another one tries other predicates, orders and windows.
  public var seed: UInt64 = 1
  /// What makes saves fail; nil skips the promise that needs it.
  public var obstruction: Obstruction?
  let opening: Opening

  /// A suite over stores that a closure opens.
  public init(_ name: String, lacking: Set<StoreFeature> = [], opening: @escaping Opening) {
    (self.name, self.lacking, self.opening) = (name, lacking, opening)
  }

  /// A suite over the stores of a registered type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - lacking: The features that it lacks.
  ///   - options: How stores are opened.
  ///   - location: The location of the store with a number, at which there is none at first.
  public init(
    of type: StoreType, lacking: Set<StoreFeature> = [], options: StoreOptions = StoreOptions(),
    at location: @escaping @Sendable (_ number: Int) throws -> URL
  ) {
    self.init(type.rawValue, lacking: lacking) { model, number in
      let url = try location(number)
      var options = options
      options.type = type
      let coordinator = PersistentStoreCoordinator(model: model)
      try coordinator.addStore(at: url.isFileURL ? url.path : url.absoluteString, options: options)
      return coordinator
    }
  }

  /// The promises, in the order in which they are run.
  public static var promises: [StorePromise] { Promise.all.map(\.promise) }

  /// Runs all promises, or some of them by name.
  ///
  /// The calling thread is used until the end. Nothing is thrown: what goes wrong is in the report.
  public func run(only names: Set<String>? = nil) -> ConformanceReport {
    let numbers = StoreNumbers()
    let results = Promise.all.filter { names?.contains($0.promise.name) ?? true }.map { promise in
      ConformanceReport.Result(promise: promise.promise, outcome: outcome(of: promise, numbers))
    }
    return ConformanceReport(name: name, results: results)
  }

  private func outcome(of promise: Promise, _ numbers: StoreNumbers) -> ConformanceReport.Outcome {
    let missing = promise.promise.needs.filter(lacking.contains)
    if let feature = missing.min(by: { $0.rawValue < $1.rawValue }) {
      return .skipped("it lacks \(feature.rawValue)")
    }
    if promise.needsObstruction, obstruction == nil { return .skipped("nothing makes its saves fail") }
    let run = PromiseRun(self, numbers)
    defer { run.end() }
    do {
      try promise.body(run)
      return .kept
    } catch let deviation as ConformanceReport.Deviation {
      return .broken(deviation)
    } catch {
      return .broken(
        ConformanceReport.Deviation(
          subject: "a request", expected: "no error", got: "\(error)", seed: run.usedSeed))
    }
  }
}
