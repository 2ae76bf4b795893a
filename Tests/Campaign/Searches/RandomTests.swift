import Foundation

/// Runs the package's own tests that are made of random numbers, with a fresh seed for each case.
struct RandomTests: Search {
  let name = "tests"
  let summary = "the random tests of `swift test`, with fresh seeds"
  let share = 2.0

  func examine(_ trial: CampaignCase) throws {
    let filter = try suites(in: trial.setup.repository + "/Tests").joined(separator: "|")
    let seed = trial.random.next() % 1_000_000_000
    var environment = ProcessInfo.processInfo.environment
    environment["GS_SEED"] = String(seed)
    environment["GS_ROUNDS"] = environment["GS_ROUNDS"] ?? "1"
    let run = CommandRun(
      program: "/usr/bin/env", arguments: ["swift", "test", "--skip-build", "--filter", filter],
      folder: trial.setup.repository, environment: environment, processorSeconds: 0, addressSpace: 0,
      wallMilliseconds: 3_600_000)
    let ending = try run.run()
    let line = "GS_SEED=\(seed) swift test --filter '\(filter)'"
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
