import Foundation
import GraphStore
import GraphStoreReports

/// Program that is the command with the stores of a server: it links the server's client library, so that the
/// command itself stays small and starts fast.
enum ServerProgram {
  /// What its file is called.
  static let name = "graphstore-postgresql"

  /// Has the program go on with the process where a store is on a server whose stores this one does not have.
  ///
  /// Whether an argument behind a command names a store or is a value, the command alone knows: where one
  /// could, the program goes on, which does the same with a value.
  ///
  /// - Parameters:
  ///   - arguments: Those of the process, which are the program's too.
  ///   - stores: The stores that options, variables and configuration files name.
  /// - Throws: the diagnostic of a program that is not there.
  static func takeOver(_ arguments: [String], stores: [StoreName]) throws(Diagnostic) {
    let named = stores.lazy.compactMap { ServerAddress($0.path) }.first(where: isMissing)
    guard let address = named ?? arguments.lazy.compactMap(ServerAddress.init).first(where: isMissing)
    else { return }
    guard let path else {
      // What else stands for a store says so where it is opened.
      guard let named else { return }
      throw notInstalled(for: named)
    }
    throw cannotStart(path, for: address, replaceProcess(by: path, arguments))
  }

  /// Whether the process lacks the stores of an address.
  private static func isMissing(_ address: ServerAddress) -> Bool {
    !PersistentStoreCoordinator.registeredStoreTypes.contains(address.type)
  }

  // MARK: Finding it

  /// Where it is: beside the command, else in a folder of `PATH`; nil where there is none.
  private static var path: String? {
    let own = Self.own
    let beside = own.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
    // One without the server's stores would start itself for ever.
    let itself = own.map { PathTarget($0) }
    return ExecutableFile.path(
      of: name, in: ProcessEnvironment().variables, behind: [beside].compactMap(\.self)
    ) { PathTarget($0) != itself }
  }

  /// The file of this process.
  private static var own: String? {
    guard let found = unsafe realpath("/proc/self/exe", nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  // MARK: Starting it

  /// Replaces the process by the program.
  ///
  /// - Returns: The number of the failure; otherwise it does not return.
  private static func replaceProcess(by path: String, _ arguments: [String]) -> Int32 {
    let words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    _ = unsafe execv(path, words)
    let failure = errno
    unsafe words.forEach { unsafe free($0) }
    return failure
  }

  private static func notInstalled(for address: ServerAddress) -> Diagnostic {
    Diagnostic(
      code: GraphStoreError.Code.storeTypeUnknown.rawValue,
      message:
        "\(address.text) is on a PostgreSQL server, for which \(name) is needed, and it is not installed",
      hints: [
        "build it where GraphStore's sources are: make install-postgresql; it is looked for beside graphstore, then in PATH"
      ], exitCode: .configuration)
  }

  private static func cannotStart(
    _ path: String, for address: ServerAddress, _ failure: Int32
  ) -> Diagnostic {
    let reason = unsafe String(cString: strerror(failure))
    return Diagnostic(
      code: GraphStoreError.Code.storeTypeUnknown.rawValue,
      message: "\(address.text) is on a PostgreSQL server, and \(path) cannot be started for it: \(reason)",
      hints: ["install it anew: make install-postgresql"], exitCode: .configuration)
  }
}
