import Foundation
import GraphStore
import GraphStoreReports

/// Listing of the stores that lie in a folder, a record each; in folders below it none is looked for.
struct FolderListing {
  /// The names of a record's values.
  static let names = [
    "store", "type", "size", "log", "external", "model", "history", "journal", "page-size", "maker", "uuid",
    "side-files", "problem",
  ]

  private let folder: String
  private let session: CommandSession

  /// The listing of the folder that a session names as its only store; nil where that is no folder.
  init?(_ session: CommandSession) throws {
    let stores = try session.stores()
    var status = stat()
    guard stores.count == 1, unsafe stat(stores[0].path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR
    else { return nil }
    (folder, self.session) = (stores[0].path, session)
  }

  /// The records, by the names of the files.
  ///
  /// - Throws: ``InputError`` for a folder that cannot be read.
  func tables() throws -> [PropertyTable] {
    guard let entries = unsafe opendir(folder) else { throw InputError(errno: errno, path: folder) }
    unsafe closedir(entries)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return names.sorted().compactMap { table($0) }
  }

  /// What is known of a file; nil for what is no store.
  private func table(_ name: String) -> PropertyTable? {
    let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    let summary: StoreSummary?
    var problem: String?
    do {
      summary = try StoreSummary.read(path: path, timeout: session.timeout)
      problem = summary?.damage
    } catch let error as GraphStoreError where Self.isOfStores(error) {
      (summary, problem) = (nil, DiagnosticMapper.sentence(error.message))
    } catch {
      return nil
    }
    return table(name, path, summary, problem)
  }

  /// Whether an error is of a file that was a store.
  private static func isOfStores(_ error: GraphStoreError) -> Bool {
    [.storeCorrupt, .storeOpen, .storeTimeout, .storePermission].contains(error.code)
  }

  private func table(
    _ name: String, _ path: String, _ summary: StoreSummary?, _ problem: String?
  ) -> PropertyTable {
    let size = StoreSize(path: path)
    let (model, history) = contents(path)
    return PropertyTable(
      names: Self.names,
      values: [
        .string(name),
        summary.map(FileFormReport.type) ?? .null,
        Self.value(size.file),
        Self.value(size.log),
        Self.value(size.externalData),
        Self.value(model),
        Self.value(history),
        Self.value(summary?.journalMode),
        Self.value(summary?.pageSize),
        Self.value(summary.flatMap(FileFormReport.maker)),
        Self.value(summary?.identifier),
        Self.value(FileFormReport.sideFiles(of: path)),
        Self.value(problem),
      ])
  }

  private static func value(_ text: String?) -> Value { text.map { .string($0) } ?? .null }

  private static func value(_ number: Int?) -> Value { number.map { .int(Int64($0)) } ?? .null }

  /// The name and version of the model that a store carries, and the bytes of its history, as far as it
  /// opens.
  private func contents(_ path: String) -> (model: String?, history: Int?) {
    guard
      let coordinator = try? PersistentStoreCoordinator.open(
        storeAt: path, options: session.storeOptions(isReadOnly: true))
    else { return (nil, nil) }
    defer { coordinator.close() }
    let store = coordinator.persistentStores[0]
    let model = store.carriedModel
    let version = model.versionIdentifiers.first.map { " \($0)" } ?? ""
    let usage = (try? coordinator.historyUsage(of: store)).flatMap { $0 }
    return ("\(model.name)\(version)", usage?.bytes)
  }
}
