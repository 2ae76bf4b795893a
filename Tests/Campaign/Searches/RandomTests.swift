import Foundation

/// Runs the package's own tests that are made of random numbers, with a fresh seed for each case.
struct RandomTests: Search {
  let name: String
  let summary: String
  let share: Double
  /// The suites that run; nil for all that draw random numbers.
  private let suites: [String]?
  /// How many times the seeds of `swift test`.
  private let rounds: Int

  /// Every suite for a while, and some at length: random models, 16 a round, a thousand a case (REL-392); and
  /// random requests against a computation of the tests' own, 516 a round, more than 5,000 a case.
  static let all = [
    RandomTests(
      name: "tests", summary: "the random tests of `swift test`, with fresh seeds", share: 2, suites: nil,
      rounds: 1),
    RandomTests(
      name: "graphs", summary: "changes of graphs of a thousand random models against a model of sets",
      share: 1,
      suites: ["RandomGraphTests"], rounds: 63),
    RandomTests(
      name: "requests",
      summary:
        "five thousand requests for objects, groups and aggregates against a computation of the tests' own",
      share: 1, suites: ["RandomRequestTests", "ResultAgreementTests"], rounds: 10),
  ]

  func examine(_ trial: CampaignCase) throws {
    let filter = try (suites ?? suites(in: trial.setup.repository + "/Tests")).joined(separator: "|")
    let tests = URL(fileURLWithPath: trial.setup.command).deletingLastPathComponent()
      .appendingPathComponent("GraphStorePackageTests.xctest").path
    let seed = trial.random.next() % 1_000_000_000
    var environment = ProcessInfo.processInfo.environment
    environment["GS_SEED"] = String(seed)
    let rounds = environment["GS_ROUNDS"] ?? String(rounds)
    environment["GS_ROUNDS"] = rounds
    let run = CommandRun(
      program: tests, arguments: ["--testing-library", "swift-testing", "--filter", filter],
      folder: trial.setup.repository, environment: environment, processorSeconds: 0, addressSpace: 0,
      wallMilliseconds: 3_600_000)
    let ending = try run.run()
    let line = "GS_SEED=\(seed) GS_ROUNDS=\(rounds) swift test --filter '\(filter)'"
    trial.record(
      "$ \(line)\n=> \(ending.code)\n\(ending.outputText.suffix(20_000))\n\(ending.errorText.suffix(5000))")
    if ending.code != 0 {
      // Each failure names its own seed and the command that runs it again.
      let failures = (ending.lines + ending.errorText.split(separator: "\n")).filter { $0.contains("✘") }
      trial.violate(
        "random tests", key: "",
        failures.isEmpty ? "exit code \(ending.code): \(line)" : failures.prefix(3).joined(separator: "\n"))
    }
    let said = ending.outputText + ending.errorText
    if !said.contains("Test run with") {
      trial.violate("random tests", key: "not run", "\(line): \(ending.errorText.suffix(500))")
    }
  }

  /// The suites whose data come from `GS_SEED`, by the names of their files.
  private func suites(in folder: String) throws -> [String] {
    let files = Files.listing(of: folder).filter { name, bytes in
      name.hasSuffix("Tests.swift") && String(decoding: bytes, as: UTF8.self).contains("TestSeed.sequence(")
    }
    guard !files.isEmpty else { throw CampaignError(message: "no test draws random numbers") }
    return files.keys.map {
      String($0.split(separator: "/").last ?? "").replacingOccurrences(of: ".swift", with: "")
    }
    .sorted()
  }
}
