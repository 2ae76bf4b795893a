import Foundation
import GraphStore
import GraphStoreReports

/// Two stores that are compared: each is open by itself, so that both may be copies of one.
final class ComparedStores {
  let old: StoreContents
  let new: StoreContents
  /// What they are called.
  let names: (old: String, new: String)
  private let coordinators: [PersistentStoreCoordinator]
  /// The folder of a copy of the main file.
  private let folder: String?

  /// Opens two stores; without a second one, the first one's main file alone, and the store as it is.
  init(_ first: String, _ second: String?, in session: CommandSession) throws {
    let (first, second) = (ServerAddress.shown(first), second.map(ServerAddress.shown))
    var opened: [PersistentStoreCoordinator] = []
    var copy: MainFileCopy?
    do {
      if let second {
        names = (first, second)
        opened.append(try session.open([StoreName(path: first)], session.storeOptions(isReadOnly: true)))
        opened.append(try session.open([StoreName(path: second)], session.storeOptions(isReadOnly: true)))
      } else {
        guard !StorePlace(path: first).isOnServer else {
          throw Diagnostic(
            code: "usage", message: "\(first) is on a server, and has no log beside a file",
            hints: ["compare two stores: graphstore diff A B"], exitCode: .usage)
        }
        names = ("\(first) without its log", first)
        // Opened first, so that nobody folds the log into the file meanwhile.
        let whole = try session.open([StoreName(path: first)], session.storeOptions(isReadOnly: true))
        opened.append(whole)
        let made = try MainFileCopy(of: first)
        copy = made
        opened.insert(try Self.openAlone(made, first, session), at: 0)
      }
      old = try StoreContents(opened[0])
      new = try StoreContents(opened[1])
    } catch {
      opened.forEach { $0.close() }
      copy?.remove()
      throw error
    }
    coordinators = opened
    folder = copy?.folder
  }

  private static func openAlone(
    _ copy: MainFileCopy, _ path: String, _ session: CommandSession
  ) throws -> PersistentStoreCoordinator {
    do {
      return try session.open([StoreName(path: copy.path)], session.storeOptions(isReadOnly: true))
    } catch let error as GraphStoreError {
      var diagnostic = DiagnosticMapper.diagnostic(error)
      diagnostic.message = "without its log \(path) cannot be opened: \(diagnostic.message)"
      throw diagnostic
    }
  }

  func close() {
    old.close()
    new.close()
    coordinators.forEach { $0.close() }
    if let folder { MainFileCopy.remove(folder) }
  }
}

/// Copy of a store's main file, without its log, in a folder of its own; external data are those of the
/// store.
struct MainFileCopy {
  let folder: String
  let path: String

  init(of store: String) throws {
    var template = Array((NSTemporaryDirectory() + "/graphstore.XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw OutputError(errno: errno, path: NSTemporaryDirectory(), creating: true)
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    ProcessSignals.watch()
    UnfinishedFiles.add(folder)
    let original = URL(fileURLWithPath: store).resolvingSymlinksInPath().path
    path = folder + "/" + (original as NSString).lastPathComponent
    do {
      try FileManager.default.copyItem(atPath: original, toPath: path)
      let data = ExternalDataFolder.supportPath(besideStoreAt: original)
      if FileManager.default.fileExists(atPath: data) {
        try FileManager.default.createSymbolicLink(
          atPath: ExternalDataFolder.supportPath(besideStoreAt: path), withDestinationPath: data)
      }
    } catch {
      Self.remove(folder)
      throw OutputError(.cannotCreate, "the main file of \(store) cannot be copied to \(folder): \(error)")
    }
  }

  func remove() { Self.remove(folder) }

  static func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
    UnfinishedFiles.remove(folder)
  }
}
