#if PostgreSQL
import Foundation
import GraphStoreTestSupport

/// A server of a test's own, which may be killed, and have a standby; one task at a time has it.
final class PrivateServer: @unchecked Sendable {
  let address: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init() throws {
    process.executableURL = Repository.root.appendingPathComponent(".ci/postgresql")
    process.arguments = [
      "sh", "-c",
      """
      echo "$GRAPHSTORE_TEST_POSTGRESQL"
      while read -r step; do "$GRAPHSTORE_TEST_SERVER" "$step"; echo "$?"; done
      """,
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = ""
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      line += String(decoding: byte, as: UTF8.self)
    }
    address = line
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The address of the standby, once there is one.
  var standbyAddress: String { address + "/socket" }

  /// Kills the server ("kill"), starts it again ("start"), or makes its standby ("standby"); returns whether that
  /// was done.
  func perform(_ step: String) throws -> Bool {
    try input.fileHandleForWriting.write(contentsOf: Data((step + "\n").utf8))
    var answer = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      answer += byte
    }
    return answer == Data("0".utf8)
  }
}
#endif
