import Foundation
import Synchronization

/// The program `dot` of Graphviz, which lays out and draws.
package struct Graphviz {
  private let program: String

  /// Searches the program in the folders of `PATH`.
  ///
  /// - Throws: `graphviz-missing`, with the forms that need no Graphviz.
  package init(environment: [String: String]) throws(Diagnostic) {
    guard let found = ExecutableFile.path(of: "dot", in: environment) else {
      throw Diagnostic(
        code: "graphviz-missing",
        message: "drawing SVG needs Graphviz, and there is no program \"dot\" in PATH",
        hints: [
          "install it (apt-get install graphviz, brew install graphviz), or choose a form that needs none: "
            + "--as mermaid or --as ascii",
          "--as dot prints what Graphviz would draw, for another machine",
        ], exitCode: .configuration)
    }
    program = found
  }

  /// Draws a diagram as SVG.
  ///
  /// - Throws: `graphviz-failed` with what the program says; `interrupted`.
  package func svg(of text: String, _ interruption: StatementInterruption) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-Tsvg"]
    let input = Pipe()
    let output = PipeReader()
    let errors = PipeReader()
    process.standardInput = input
    process.standardOutput = output.pipe
    process.standardError = errors.pipe
    do {
      try process.run()
    } catch {
      throw failure("cannot be started: \(error.localizedDescription)", "")
    }
    output.start()
    errors.start()
    PipeWriter.write(Data(text.utf8), to: input)
    do {
      while !output.isDone || !errors.isDone {
        try interruption.check()
        (output.isDone ? errors : output).wait()
      }
    } catch {
      process.terminate()
      throw error
    }
    process.waitUntilExit()
    let messages = String(decoding: errors.data, as: UTF8.self)
    guard process.terminationReason == .exit else {
      throw failure("was ended by signal \(process.terminationStatus)", messages)
    }
    guard process.terminationStatus == 0, !output.data.isEmpty else {
      throw failure("failed with exit code \(process.terminationStatus)", messages)
    }
    return output.data
  }

  private func failure(_ reason: String, _ messages: String) -> Diagnostic {
    Diagnostic(
      code: "graphviz-failed", message: "\(program) \(reason)",
      details: messages.split(separator: "\n").prefix(5).map { VisibleText.escape(String($0)) },
      hints: ["--as mermaid and --as ascii draw without Graphviz"], exitCode: .failure)
  }
}

/// Reader of a child process's output, in a thread of its own, so that no side waits for the other.
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

/// Writer of a child process's input.
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
