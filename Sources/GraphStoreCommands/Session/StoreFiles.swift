import Foundation
import GraphStore

/// Files of a store: the database, and those that stand beside it while it is in use.
struct StoreFiles {
  private let paths: [String]
  /// The folder of its external data, with all that lies in it.
  private let support: String

  init(_ store: String) {
    paths = ["", "-wal", "-shm", "-journal"].map { store + $0 }
    support = ExternalDataFolder.supportPath(
      besideStoreAt: URL(fileURLWithPath: store).resolvingSymlinksInPath().path)
  }

  /// The one that a path leads to, whatever links it goes through, or would make if it is not there.
  func file(at path: String) -> String? {
    let target = PathTarget(path)
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    if resolved == support || resolved.hasPrefix(support + "/") { return resolved }
    return paths.first { PathTarget($0) == target }
  }

  /// All that may be there.
  var all: [String] { paths + [support] }

  /// Removes a store that nobody has open.
  func remove() {
    for path in paths { _ = unsafe unlink(path) }
    try? FileManager.default.removeItem(atPath: support)
  }
}
