import Foundation

/// Ends the process cleanly when somebody asks it to end.
///
/// Unfinished files are removed. A save that is running needs nothing: the store takes it back when it is opened next.
enum TerminationSignals {
  /// Takes the signals over for the rest of the process.
  ///
  /// A thread waits for them, so that nothing has to be safe inside of a signal handler.
  static func install() {
    var set = signals
    pthread_sigmask(SIG_BLOCK, &set, nil)
    Thread.detachNewThread {
      var set = signals
      var number: Int32 = 0
      while sigwait(&set, &number) != 0 {}
      UnfinishedFiles.removeAll()
      _exit(128 + number)
    }
  }

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
    return set
  }
}
