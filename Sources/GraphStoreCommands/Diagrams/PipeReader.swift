import Foundation
import Synchronization

/// Reads what a child process writes, in a thread of its own, so that no side waits for the other.
final class PipeReader: Sendable {
  private struct State {
    var data = Data()
    var isDone = false
  }

  let pipe = Pipe()
  private let state = Mutex(State())
  private let end = DispatchSemaphore(value: 0)

  /// Begins to read. Not before the process runs: until then this side holds the writing end too.
  func start() {
    Thread.detachNewThread { [self] in
      // A pipe that cannot be read has ended; the exit status of the process tells why.
      let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
      state.withLock { $0 = State(data: data, isDone: true) }
      end.signal()
    }
  }

  /// Whether the process has closed its end.
  var isDone: Bool { state.withLock { $0.isDone } }

  /// What was read; complete when it is done.
  var data: Data { state.withLock { $0.data } }

  /// Waits for the end, for a moment at most.
  func wait() {
    if end.wait(timeout: .now() + .milliseconds(50)) == .success { end.signal() }
  }
}

/// Writes what a child process reads.
enum PipeWriter {
  /// Writes in a thread of its own and closes the pipe.
  static func write(_ data: Data, to pipe: Pipe) {
    let handle = pipe.fileHandleForWriting
    Thread.detachNewThread {
      // A process that reads no further has failed; its exit status tells.
      try? handle.write(contentsOf: data)
      try? handle.close()
    }
  }
}
