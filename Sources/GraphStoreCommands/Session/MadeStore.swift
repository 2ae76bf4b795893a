import Foundation
import GraphStore
import GraphStoreReports

/// Store that a command makes for what it is going to write; where nothing comes of it, it is removed again.
///
/// One in files is removed too where the process is ended before anything is saved in it. For a rehearsal it
/// lies in a folder of its own, so that nothing appears at its place.
struct MadeStore {
  /// Where it lies.
  let path: String
  /// The folder of a rehearsal.
  private let folder: String?

  /// Makes a store at a path that is free.
  ///
  /// - Throws: `usage` for a rehearsal on a server, where a store would appear; what making it throws.
  init(path: String, model: ManagedObjectModel, options: StoreOptions, isRehearsal: Bool) throws {
    let isOnServer = StorePlace(path: path).isOnServer
    if isOnServer, isRehearsal {
      throw Diagnostic(
        code: "usage", message: "a dry run makes no store on a server, and \(path) is not there",
        hints: ["make it first with graphstore init, and repeat the dry run"], exitCode: .usage)
    }
    folder = isRehearsal ? try Self.makeFolder() : nil
    self.path = folder.map { $0 + "/" + URL(fileURLWithPath: path).lastPathComponent } ?? path
    do {
      try PersistentStoreCoordinator.create(storeAt: self.path, model: model, options: options).close()
    } catch {
      removeFolder()
      throw error
    }
    guard !isOnServer else { return }
    ProcessSignals.watch()
    UnfinishedFiles.add(StoreFiles(self.path))
  }

  private static func makeFolder() throws -> String {
    var template = Array((NSTemporaryDirectory() + "/graphstore.XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw OutputError(errno: errno, path: NSTemporaryDirectory(), creating: true)
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    ProcessSignals.watch()
    UnfinishedFiles.add(path)
    return path
  }

  /// Removes it, once it is closed.
  func remove() {
    guard !StorePlace(path: path).isOnServer else {
      try? PersistentStoreCoordinator.destroyPersistentStore(at: LocationText.url(path))
      return
    }
    StoreFiles(path).remove()
    UnfinishedFiles.keepStore()
    removeFolder()
  }

  private func removeFolder() {
    guard let folder else { return }
    try? FileManager.default.removeItem(atPath: folder)
    UnfinishedFiles.remove(folder)
  }
}
