import Foundation
import GraphStore
import GraphStoreReports

/// Store that a command makes for what it is going to write; where nothing comes of it, it is removed again.
///
/// One in files is removed too where the process is ended before anything is saved in it.
struct MadeStore {
  /// Where a store lies while it is written to.
  enum Use {
    /// At its place at once: what is saved is there, whatever follows.
    case kept
    /// Beside its place, where it appears when it is whole. On a server it is there at once.
    case whole
    /// In a folder of its own, so that nothing appears at its place.
    case rehearsal
  }

  /// Where it lies.
  let path: String
  /// The folder of a rehearsal.
  private let folder: String?
  private let construction: StoreConstruction?

  /// Makes a store at a path that is free.
  ///
  /// - Throws: `usage` for a rehearsal on a server, where a store would appear; what making it throws.
  init(path: String, model: ManagedObjectModel, options: StoreOptions, for use: Use) throws {
    let isOnServer = StorePlace(path: path).isOnServer
    if isOnServer, use == .rehearsal {
      throw Diagnostic(
        code: "usage", message: "a dry run makes no store on a server, and \(path) is not there",
        hints: ["make it first with graphstore init, and repeat the dry run"], exitCode: .usage)
    }
    ProcessSignals.watch()
    if use == .whole, !isOnServer {
      let construction = try StoreConstruction(at: path, model: model, options: options)
      (self.path, self.construction, folder) = (construction.path, construction, nil)
      return
    }
    construction = nil
    folder = use == .rehearsal ? try Self.makeFolder() : nil
    self.path = folder.map { $0 + "/" + URL(fileURLWithPath: path).lastPathComponent } ?? path
    do {
      try PersistentStoreCoordinator.create(storeAt: self.path, model: model, options: options).close()
    } catch {
      removeFolder()
      throw error
    }
    if !isOnServer { UnfinishedFiles.add(StoreFiles(self.path)) }
  }

  /// Puts it at its place, once it is closed.
  func finish() throws { try construction?.finish() }

  private static func makeFolder() throws -> String {
    var template = Array((NSTemporaryDirectory() + "/graphstore.XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw OutputError(errno: errno, path: NSTemporaryDirectory(), creating: true)
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    UnfinishedFiles.add(path)
    return path
  }

  /// Removes it, once it is closed.
  func remove() {
    // The construction removes what it has not put at its place.
    guard construction == nil else { return }
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
