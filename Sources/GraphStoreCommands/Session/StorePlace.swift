import Foundation
import GraphStore
import GraphStoreReports

/// Place of a store that a command is to make: a path, or an address on a server.
struct StorePlace {
  let path: String

  /// Whether it is on a server.
  var isOnServer: Bool { ServerAddress(path) != nil }

  /// Makes sure that there is a folder in which the store can be made.
  ///
  /// - Throws: `cannot-create`.
  func checkFolder() throws(Diagnostic) {
    guard !isOnServer else { return }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard FileManager.default.fileExists(atPath: folder) else {
      throw Diagnostic(
        code: "cannot-create", message: "there is no folder \(folder)", hints: ["make it first"],
        exitCode: .cannotCreate)
    }
  }

  /// Whether something is there.
  func isTaken(timeout: Duration) throws -> Bool {
    try isOnServer ? hasStore(timeout) : FileManager.default.fileExists(atPath: path)
  }

  /// Whether something is there that a new store cannot take: on a server a store, else anything but an empty
  /// file.
  func isFilled(timeout: Duration) throws -> Bool {
    guard !isOnServer else { return try hasStore(timeout) }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG || status.st_size > 0
  }

  private func hasStore(_ timeout: Duration) throws -> Bool {
    do {
      _ = try StoreSummary.read(path: path, timeout: timeout)
      return true
    } catch let error as GraphStoreError where error.code == .storeNotFound {
      return false
    }
  }
}
