import Foundation

/// A command that runs while the test goes on, fed through a pipe that stays open.
final class RunningTool {
  private struct Stuck: Error {}

  private let process = Process()
  private let input = Pipe()

  /// - Parameter errors: the name of a file that takes what the command says of errors.
  init(_ tool: CommandLineTool, _ arguments: [String], errors: String? = nil) throws {
    process.executableURL = CommandLineTool.executable
    process.arguments = arguments
    process.currentDirectoryURL = tool.folder
    process.environment = ["HOME": tool.folder.path, "LC_ALL": "C.UTF-8"].merging(tool.environment) { $1 }
    process.standardInput = input.fileHandleForReading
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    if let errors {
      try tool.write("", to: errors)
      process.standardError = try FileHandle(forWritingTo: tool.folder.appendingPathComponent(errors))
    }
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  /// Writes less than a pipe holds and waits until the command has taken it.
  func feed(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    for _ in 0..<3000 {
      var waiting: Int32 = 0
      _ = ioctl(input.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &waiting)
      if waiting == 0 { return }
      usleep(10_000)
    }
    throw Stuck()
  }

  func endInput() { try? input.fileHandleForWriting.close() }

  /// The number of the process.
  var identifier: Int32 { process.processIdentifier }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end: the exit code, or nil when a signal ended the process.
  func exitCode() -> Int32? {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }
}
