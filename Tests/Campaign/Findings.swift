import Foundation
import Synchronization

/// Findings of a campaign so far, and the folder in which their evidence is kept.
final class Findings: Sendable {
  private struct Kind {
    var count = 0
    var examples: [String] = []
  }

  private struct State {
    var kinds: [String: Kind] = [:]
    var failures: [String] = []
  }

  /// Of each kind so many cases keep their evidence.
  private static let kept = 3
  let folder: String
  private let state = Mutex(State())

  init(folder: String) { self.folder = folder }

  var isEmpty: Bool { state.withLock { $0.kinds.isEmpty && $0.failures.isEmpty } }

  /// Adds what a case found: says it, and keeps the case's files where its kind is new or rare.
  ///
  /// - Parameter keepsAll: the files are kept of a case that is as it should be too.
  func add(_ trial: CampaignCase, rerun: String, keepsAll: Bool) {
    guard keepsAll || !trial.violations.isEmpty else { return }
    let name = "\(trial.search)-\(trial.seed)-\(trial.number)"
    let isKept = state.withLock { state in
      var isKept = keepsAll
      for kind in Set(trial.violations.map { "\(trial.search): \($0.rule) [\($0.key)]" }) {
        state.kinds[kind, default: Kind()].count += 1
        guard state.kinds[kind, default: Kind()].examples.count < Self.kept else { continue }
        state.kinds[kind]?.examples.append(name)
        isKept = true
      }
      return isKept
    }
    guard isKept else { return }
    let place = folder + "/" + name
    do {
      try Files.makeFolder(folder)
      Files.remove(place)
      try Files.copy(trial.evidence, to: place)
      let report = ["run it again: \(rerun)\n"] + trial.report
      try Files.write(report.joined(separator: "\n"), to: place + "/report.txt")
    } catch {
      Console.say("cannot keep the evidence in \(place): \(error)")
    }
    for violation in trial.violations.prefix(4) {
      let detail = violation.detail.split(separator: "\n").prefix(3).joined(separator: " | ").prefix(300)
      Console.say(
        "\(trial.search) case \(trial.number): \(violation.rule) [\(violation.key)]: \(detail)".visible)
    }
    Console.say("  again: \(rerun)\n  evidence: \(place)/report.txt")
  }

  /// Adds a case that could not be begun, which makes the run fail too: what it looked for was not looked
  /// for.
  func add(failure: any Error, of search: String, rerun: String) {
    let isNew = state.withLock { state in
      state.failures.append("\(search): \(error(failure))")
      return state.failures.count <= 20
    }
    if isNew { Console.say("\(search): the search itself failed: \(error(failure))\n  again: \(rerun)") }
  }

  private func error(_ failure: any Error) -> String { String(String(describing: failure).prefix(500)) }

  /// Every kind of violation with the number of its cases and where to look.
  var summary: [String] {
    state.withLock { state in
      state.kinds.sorted { $0.key < $1.key }.map { kind, found in
        "FAIL  \(found.count) × \(kind)   \(found.examples.joined(separator: ", "))".visible
      } + (state.failures.isEmpty ? [] : ["FAIL  \(state.failures.count) cases could not be run"])
    }
  }
}

extension String {
  /// The text with what a terminal would obey written as escapes.
  var visible: String {
    unicodeScalars.map { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
        scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }.joined()
  }
}

/// Standard output, a line at a time from whatever worker.
enum Console {
  private static let lock = Mutex(())

  static func say(_ text: String) {
    lock.withLock { _ in FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
  }
}
