/// Report of a run of the suite: what became of each promise.
///
/// ```swift
/// let lacking: Set<StoreFeature> = [.persistence, .severalWriters, .history]
/// let suite = StoreConformance("in memory", lacking: lacking) { model, _ in try .inMemory(model: model) }
/// let report = suite.run(only: ["values.nil", "history.changes"])
/// print(report.broken.count, report.skipped.count)  // 0 1
/// ```
public struct ConformanceReport: Sendable {
  /// What became of one promise.
  public struct Result: Sendable {
    /// The promise.
    public let promise: StorePromise
    /// What became of it.
    public let outcome: Outcome
  }

  /// What may become of a promise.
  public enum Outcome: Hashable, Sendable {
    /// The type keeps it.
    case kept
    /// The type breaks it.
    case broken(Deviation)
    /// It was not run, for a reason.
    case skipped(String)
  }

  /// How a promise is broken: what was looked at first that was not as it has to be.
  public struct Deviation: Error, Hashable, Sendable {
    /// What was looked at.
    public let subject: String
    /// What it has to be.
    public let expected: String
    /// What it was.
    public let got: String
    /// The seed with which it happens again, of what is random.
    public let seed: UInt64?
  }

  /// The name of the type.
  public let name: String
  /// What became of each promise, in the order in which they were run.
  public let results: [Result]

  /// Whether no promise is broken.
  public var isKept: Bool { broken.isEmpty }

  /// The promises that were kept.
  public var kept: [StorePromise] { results.filter { $0.outcome == .kept }.map(\.promise) }

  /// The promises that were broken, and how.
  public var broken: [(promise: StorePromise, deviation: Deviation)] {
    results.compactMap { result in
      if case .broken(let deviation) = result.outcome { (result.promise, deviation) } else { nil }
    }
  }

  /// The promises that were skipped, and why.
  public var skipped: [(promise: StorePromise, reason: String)] {
    results.compactMap { result in
      if case .skipped(let reason) = result.outcome { (result.promise, reason) } else { nil }
    }
  }
}

extension ConformanceReport: CustomStringConvertible {
  /// The broken promises with their rules, those that were skipped, and the numbers of all.
  public var description: String {
    let failures = broken.map { promise, deviation in "broken \(promise)\n  \(deviation)" }
    let gaps = skipped.map { "skipped \($0.promise.name): \($0.reason)" }
    let counts = "\(kept.count) kept, \(failures.count) broken, \(gaps.count) skipped"
    return (failures + gaps + ["\(name): \(counts)"]).joined(separator: "\n")
  }
}

extension ConformanceReport.Deviation: CustomStringConvertible {
  /// What was looked at, what it has to be, and what it was.
  public var description: String {
    "\(subject): expected \(expected), got \(got)" + (seed.map { ", with seed \($0)" } ?? "")
  }
}
