import Foundation
import Synchronization
import Testing

/// Runs each test of a suite once for each type of store; what a test needs and a type lacks is skipped and
/// counted (STO-049, STO-050).
struct EveryStore: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }
  /// The types of stores.
  let factories: [StoreFactory]

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let needs = Set(test.traits.compactMap { ($0 as? StoreNeed)?.feature })
    for factory in factories {
      guard needs.isDisjoint(with: factory.lacks) else {
        ConformanceTally.shared.count(skipped: true, factory)
        continue
      }
      ConformanceTally.shared.count(skipped: false, factory)
      let naming = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.append("over a store: \(factory)")
        return issue
      }
      try await StoreFactory.$current.withValue(factory) {
        try await naming.provideScope(for: test, testCase: testCase, performing: function)
      }
    }
  }
}

/// What a test needs that not every type of store has.
struct StoreNeed: SuiteTrait, TestTrait {
  let feature: StoreFactory.Feature

  var isRecursive: Bool { true }
}

/// How many tests ran over which type of store, and how many were skipped; printed when the process ends.
final class ConformanceTally: Sendable {
  static let shared = ConformanceTally()

  private let counts = Mutex<[String: (run: Int, skipped: Int)]>([:])

  private init() {
    atexit { ConformanceTally.shared.print() }
  }

  func count(skipped: Bool, _ factory: StoreFactory) {
    counts.withLock { counts in
      var count = counts[factory.description] ?? (0, 0)
      if skipped { count.skipped += 1 } else { count.run += 1 }
      counts[factory.description] = count
    }
  }

  private func print() {
    let lines = counts.withLock { counts in
      counts.sorted { $0.key < $1.key }.map { "\($0): \($1.run) run, \($1.skipped) skipped" }
    }
    Swift.print("Conformance, \(lines.joined(separator: "; "))")
  }
}

extension Trait where Self == EveryStore {
  /// Over every type of store whose entity trees count keys by themselves.
  static var everyStore: Self { EveryStore(factories: StoreFactory.all) }
  /// Over these, and over XML and stores that answer requests: for tests that name no keys.
  static var everyKindOfStore: Self {
    EveryStore(factories: StoreFactory.everyKind)
  }
}

extension Trait where Self == StoreNeed {
  /// Only over types of stores that have something.
  static func needs(_ feature: StoreFactory.Feature) -> Self { StoreNeed(feature: feature) }
}
