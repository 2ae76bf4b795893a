import Foundation
import GraphStoreTestSupport

/// What became of a run of a program of samples, in a folder of its own.
struct SampleRun {
  /// What it printed.
  let lines: [String]
  /// What it wrote to standard error.
  let errors: String
  let status: Int32

  /// Runs a program to its end.
  init(of program: URL, argument: String) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let process = Process()
    process.executableURL = program
    process.arguments = [argument]
    process.currentDirectoryURL = folder.url
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    lines = String(decoding: printed, as: UTF8.self).split(separator: "\n").map(String.init)
    self.errors = String(decoding: said, as: UTF8.self)
    status = process.terminationStatus
  }
}
