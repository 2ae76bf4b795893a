import CGraphStoreShims
import Foundation
import Synchronization

/// Signal handling of SIGINT, SIGTERM and SIGHUP: they end the process cleanly.
///
/// The handlers themselves are in `process_signals.c`. Unfinished files are removed. A save that is running
/// needs nothing: the store takes it back when it is opened next.
enum ProcessSignals {
  private static let isInstalled = Atomic(false)
  private static let isWatched = Atomic(false)

  /// Installs the handlers for the rest of the process: they end it with 128 and their number, and a line
  /// that says what became of its change (DGN-184).
  static func install() {
    isInstalled.store(true, ordering: .relaxed)
    gs_end_on_signals()
  }

  /// Sees to it that unfinished files are removed first. Needed as soon as there is one: most commands have
  /// none, and are spared the thread.
  ///
  /// A thread waits for the signals, so that removing needs not be safe inside of a signal handler.
  static func watch() {
    guard isInstalled.load(ordering: .relaxed), !isWatched.exchange(true, ordering: .relaxed) else { return }
    gs_begin_watching_signals()
    Thread.detachNewThread {
      let number = gs_wait_for_signal()
      UnfinishedFiles.removeAll()
      gs_tell_signal(number)
      _exit(128 + number)
    }
  }
}
