import Dispatch
import Foundation
import GraphStore
import GraphStoreFiles
import GraphStoreReports
import Synchronization

/// Watch over a migration that runs: its progress on a terminal, and the signals that cancel it.
///
/// The first signal stops it at the next batch or statement (MIG-293), a second one ends the process at once
/// (MIG-331).
final class MigrationWatch {
  private let signals: [any DispatchSourceSignal]
  private let timer: any DispatchSourceTimer
  private let bar: ProgressDisplay

  /// - Throws: `store-open` where too many files are open: Dispatch would end the process over it.
  init(_ migration: StoreMigration, terminal: TerminalInfo?) throws {
    guard DescriptorRoom.isThere(for: 8) else { throw GraphStoreError.tooManyFiles(migration.plan.path) }
    let queue = DispatchQueue(label: "graphstore.migration")
    signals = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        signal(number, SIG_DFL)
        migration.cancelMigration(with: TerminationSignal(number: number))
      }
      source.resume()
      return source
    }
    let bar = ProgressDisplay(terminal, total: 1_000)
    self.bar = bar
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { bar.update(done: Int(migration.progress.fractionCompleted * 1_000)) }
    timer.schedule(deadline: .now() + 0.1, repeating: 0.1)
    timer.resume()
  }

  /// Ends the watch, and wipes off what it shows.
  func end() {
    timer.cancel()
    for source in signals { source.cancel() }
    bar.finish()
    ProcessSignals.install()
  }
}

/// Progress bar that another thread than the one at work draws.
private final class ProgressDisplay: Sendable {
  private let bar: Mutex<ProgressBar?>

  init(_ terminal: TerminalInfo?, total: Int) {
    bar = Mutex(terminal.map { ProgressBar(title: "migrating", total: total, terminal: $0) })
  }

  func update(done: Int) { bar.withLock { $0?.update(done: done) } }

  func finish() { bar.withLock { $0?.finish() } }
}
