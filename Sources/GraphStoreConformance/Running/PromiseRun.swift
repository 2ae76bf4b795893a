import GraphStore

/// Run of one promise: its stores, its random numbers and its checks.
final class PromiseRun {
  private let suite: StoreConformance
  private let numbers: StoreNumbers
  private var stores: [TestedStore] = []
  /// The seed, once something random was drawn.
  private(set) var usedSeed: UInt64?

  init(_ suite: StoreConformance, _ numbers: StoreNumbers) { (self.suite, self.numbers) = (suite, numbers) }

  /// An empty store.
  func makeStore() throws -> TestedStore {
    let store = try TestedStore(suite, number: numbers.next())
    stores.append(store)
    return store
  }

  /// A store with objects, which were saved.
  func makeStore(_ fill: (ManagedObjectContext) throws -> Void) throws -> TestedStore {
    let store = try makeStore()
    try store.change(fill)
    return store
  }

  /// Random numbers; `usedSeed` tells from which on.
  func makeGenerator() -> SeededGenerator {
    usedSeed = suite.seed
    return SeededGenerator(seed: suite.seed)
  }

  func end() { for store in stores { store.coordinator.close() } }

  // MARK: Checks

  private func deviation(_ subject: String, _ expected: String, _ got: String) -> ConformanceReport.Deviation
  {
    ConformanceReport.Deviation(subject: subject, expected: expected, got: got, seed: usedSeed)
  }

  /// Expects something to be equal to what it has to be.
  func expect<Element: Equatable>(_ subject: String, _ got: Element, _ expected: Element) throws {
    if got != expected { throw deviation(subject, String(reflecting: expected), String(reflecting: got)) }
  }

  /// Expects something to fail with one of some errors.
  @discardableResult
  func expectFailure(
    _ subject: String, _ codes: GraphStoreError.Code..., of body: () throws -> Void
  ) throws -> GraphStoreError {
    let expected = codes.map(\.rawValue).joined(separator: " or ")
    do {
      try body()
    } catch let error as GraphStoreError where codes.contains(error.code) {
      return error
    } catch {
      throw deviation(subject, expected, "\(error)")
    }
    throw deviation(subject, expected, "no error")
  }
}
