import Foundation
import Synchronization

/// Scheduler of cases over workers until the time is over: the next case is of the search that had least of
/// its share.
final class Schedule: Sendable {
  private struct Progress {
    var next: Int
    var seconds = 0.0
    var finished = 0
  }

  let setup: Setup
  let seed: UInt64
  private let searches: [any Search]
  private let deadline: Date
  private let findings: Findings
  private let progress: Mutex<[Progress]>
  private let rerun: @Sendable (String, Int) -> String

  init(
    searches: [any Search], setup: Setup, seed: UInt64, seconds: Double, first: Int, findings: Findings,
    rerun: @escaping @Sendable (String, Int) -> String
  ) {
    self.searches = searches
    self.setup = setup
    self.seed = seed
    self.findings = findings
    self.rerun = rerun
    deadline = Date().addingTimeInterval(seconds)
    progress = Mutex(searches.map { _ in Progress(next: first) })
  }

  /// Runs cases on so many threads, and comes back when the last has ended.
  func run(workers: Int) {
    let group = DispatchGroup()
    for worker in 0..<workers {
      group.enter()
      // A thread of its own: whoever watches a process by its calls must stay on the thread that started it.
      let thread = Thread {
        while let (index, number) = self.nextCase() { self.examine(index, number: number, worker: worker) }
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
  }

  /// Runs one case.
  func run(case number: Int) {
    for index in searches.indices { examine(index, number: number, worker: 0, keepsAll: true) }
  }

  /// How many cases each search had, and for how long.
  var summary: [String] {
    progress.withLock { progress in
      zip(searches, progress).map { search, progress in
        let name = search.name.padding(toLength: 12, withPad: " ", startingAt: 0)
        return "\(name) \(progress.finished) cases, \(Int(progress.seconds)) s"
      }
    }
  }

  private func nextCase() -> (index: Int, number: Int)? {
    guard Date() < deadline else { return nil }
    return progress.withLock { progress in
      func spent(_ index: Int) -> Double { progress[index].seconds / searches[index].share }
      guard let index = searches.indices.min(by: { spent($0) < spent($1) }) else { return nil }
      // An estimate until it is done, so that two workers do not take the same search for the same reason.
      progress[index].seconds += 0.2
      defer { progress[index].next += 1 }
      return (index, progress[index].next)
    }
  }

  private func examine(_ index: Int, number: Int, worker: Int, keepsAll: Bool = false) {
    let search = searches[index]
    let start = Date()
    let rerun = rerun(search.name, number)
    do {
      let trial = try CampaignCase(
        search: search.name, seed: seed, number: number, setup: setup, root: setup.scratch + "/w\(worker)")
      do {
        try search.examine(trial)
      } catch {
        // A defect of the search makes the run fail too: what it looked for was not looked for.
        trial.violate("the search failed", key: "", "\(error)")
      }
      findings.add(trial, rerun: rerun, keepsAll: keepsAll)
    } catch {
      findings.add(failure: error, of: search.name, rerun: rerun)
    }
    let seconds = Date().timeIntervalSince(start)
    progress.withLock { progress in
      progress[index].seconds += seconds - 0.2
      progress[index].finished += 1
    }
  }
}
