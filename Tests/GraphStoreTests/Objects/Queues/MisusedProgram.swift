import Foundation
import GraphStoreTestSupport
import Testing

/// The program that breaks the rules of queues, which lies where the test bundle lies.
enum MisusedProgram {
  /// What it says before it is stopped.
  static func errors(of misuse: String) throws -> String {
    let process = Process()
    process.executableURL = SwiftCompiler.products.appendingPathComponent("graphstore-misuse")
    process.arguments = [misuse]
    process.environment = ["GRAPHSTORE_CONCURRENCY_DEBUG": "1", "SWIFT_BACKTRACE": "enable=no"]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGABRT)
    return String(decoding: said, as: UTF8.self)
  }
}
