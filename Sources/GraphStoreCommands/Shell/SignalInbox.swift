import Foundation
import Synchronization

/// Self-pipe of the process's signals: each becomes a byte, so that a loop that waits for keys, or a thread
/// beside a running statement, can take them one after the other.
///
/// A handler does nothing but write the signal's number. There is one inbox a process.
final class SignalInbox: Sendable {
  static let shared = SignalInbox()

  /// Signals that end or interrupt; caught as long as a session lasts.
  static let lasting = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// Signals that matter while a line is edited.
  static let editing = [SIGWINCH, SIGTSTP, SIGCONT]

  /// Readable when a signal has come.
  let descriptor: Int32
  private let writer: Int32
  private let saved = Mutex<[Int32: sigaction]>([:])

  private init() {
    var ends: [Int32] = [-1, -1]
    if unsafe pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    writer = ends[1]
    signalWriter.store(writer, ordering: .relaxed)
  }

  /// Catches signals until they are released.
  func catchSignals(_ signals: [Int32]) {
    for signal in signals {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { number in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        unsafe write(signalWriter.load(ordering: .relaxed), &byte, 1)
        errno = code
      }
      var old = sigaction()
      guard unsafe sigaction(signal, &action, &old) == 0 else { continue }
      saved.withLock { if $0[signal] == nil { $0[signal] = old } }
    }
  }

  /// Puts back what was there before.
  func releaseSignals(_ signals: [Int32]) {
    for signal in signals {
      guard var old = saved.withLock({ $0.removeValue(forKey: signal) }) else { continue }
      unsafe sigaction(signal, &old, nil)
    }
  }

  /// The next signal that has come; nil if there is none.
  func next() -> Int32? {
    var byte: UInt8 = 0
    return unsafe read(descriptor, &byte, 1) == 1 ? Int32(byte) : nil
  }

  /// Runs something while another thread passes signals on as they come.
  func whileRunning<Result>(
    onSignal: @escaping @Sendable (Int32) -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let done = DispatchSemaphore(value: 0)
    let descriptor = descriptor
    let thread = Thread {
      while true {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, -1) > 0 || errno == EINTR else { break }
        var byte: UInt8 = 0
        guard unsafe read(descriptor, &byte, 1) == 1 else { continue }
        // The end of the statement is told by a byte that is no signal.
        if byte == 0 { break }
        onSignal(Int32(byte))
      }
      done.signal()
    }
    thread.start()
    defer {
      var byte: UInt8 = 0
      unsafe write(writer, &byte, 1)
      done.wait()
    }
    return try body()
  }
}

/// Read by the signal handler, which may touch nothing that needs a lock.
private let signalWriter = Atomic<Int32>(-1)

/// First signal that asked the program to end.
final class FatalSignal: Sendable {
  private let stored = Mutex<Int32?>(nil)

  var signal: Int32? { stored.withLock { $0 } }

  func set(_ signal: Int32) {
    stored.withLock { $0 = $0 ?? signal }
  }
}
