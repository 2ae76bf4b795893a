import ArgumentParser
import Foundation
import GraphStore
import GraphStoreFiles
import GraphStoreReports

/// `graphstore info`
struct InfoCommand: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Say what the store is, what it holds, and which model it follows.",
    discussion: """
      The store is that of --store, or the path that is given; of a folder a line for each store that lies in it. What is \
      not readable, such as the model of a damaged store, is said, and the rest printed.

      graphstore info hr.db
      graphstore info .
      """)

  @Argument(help: "Store, or a folder with stores.", completion: .file()) var place: String?
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup var options: AskingStoreCommandOptions

  var usualFormat: OutputFormat { .line }

  func adjust(_ settings: inout CommandSettings) throws {
    try options.apply(to: &settings)
    try settings.apply(output)
    if let place {
      guard options.store.paths.isEmpty, options.shortStore.paths.isEmpty else {
        throw Diagnostic(
          code: "usage", message: "the store is named twice, as \"\(place)\" and by --store",
          hints: ["leave out one of the two"], exitCode: .usage)
      }
      settings.stores = [StoreName(place)]
    }
    try output.refuseIdle(in: settings.format ?? usualFormat)
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    if let folder = try FolderListing(session) {
      try session.write(
        PropertyTables(
          tables: folder.tables(), names: FolderListing.names, format: session.settings.format ?? .table))
      return .success
    }
    // What stands beside a store by itself, and not because the command has it open.
    let beside = Dictionary(
      try session.stores().map { ($0.path, FileFormReport.sideFiles(of: $0.path)) }, uniquingKeysWith: { $1 })
    if try session.stores().count > 1 {
      let context = try session.context(.read)
      let tables = try context.coordinator.persistentStores.map { try table(context, $0, beside) }
      try session.write(
        default: .line, PropertyTables(tables: tables, format: session.settings.format ?? .line))
      return .success
    }
    do {
      let context = try session.context(.read)
      try session.write(default: .line, table(context, context.coordinator.persistentStores[0], beside))
    } catch let error as GraphStoreError where Self.leavesSomething.contains(error.code) {
      guard let path = try? session.storePath(),
        let summary = try? StoreSummary.read(path: path, timeout: session.timeout)
      else { throw error }
      var warning = DiagnosticMapper.diagnostic(error)
      warning.severity = .warning
      session.report(warning)
      try session.write(default: .line, Self.table(summary, path, beside[path] ?? nil))
    }
    return .success
  }

  /// Failures that leave a store whose file says something of itself (STO-287).
  private static let leavesSomething: [GraphStoreError.Code] = [.noModel, .storeCorrupt, .incompatibleModel]

  /// What can be said of a store; of one of several, its name too.
  private func table(
    _ context: ManagedObjectContext, _ store: PersistentStoreReference, _ beside: [String: String?]
  ) throws -> PropertyTable {
    let isOneOfSeveral = context.coordinator.persistentStores.count > 1
    let model = store.carriedModel
    let metadata = try store.metadata()
    var table = PropertyTable()
    if isOneOfSeveral { table.add("store", store.name.map { .string($0) } ?? .null) }
    let names = beside.first { FileIdentity($0.key) == FileIdentity(store.path) }?.value
    Self.addFile(store.path, names, to: &table)
    table.add("uuid", .string(store.identifier.uuidString))
    table.add("type", .string(store.typeName.lowercased()))
    let summary = try StoreSummary.read(path: store.path)
    FileFormReport.add(summary, to: &table)
    if let log = store.writeAheadLog, log.bytes > 0 { table.add("log-bytes", .int(Int64(log.bytes))) }
    table.add("model", .string(model.name))
    table.add("version", model.versionIdentifiers.first.map { .string($0) } ?? .null)
    table.add("checksum", metadata["NSStoreModelVersionChecksumKey"] ?? .null)
    for warning in store.warnings where warning.preventsWriting {
      table.add("read-only", .string(warning.message))
    }
    if let data = store.externalData {
      table.add("external-files", .int(Int64(data.files)))
      table.add("external-bytes", .int(Int64(data.bytes)))
    }
    try Self.addHistory(of: store, context.coordinator, to: &table)
    var total = 0
    let hashes = Self.hashes(metadata)
    for entity in model.entities where !entity.isAbstract && hashes[entity.name] != nil {
      var request = FetchRequest(entityName: entity.name, includesSubentities: false)
      if isOneOfSeveral { request.affectedStores = [store] }
      let count = try context.count(for: request)
      total += count
      table.add("objects.\(entity.name)", .int(Int64(count)))
    }
    table.add("objects", .int(Int64(total)))
    table.add("hashes", .string(Self.origin(ofHashesIn: store)))
    Self.addHashes(hashes, model.entities.map(\.name), to: &table)
    return table
  }

  /// What the history of a store costs, where it keeps one.
  private static func addHistory(
    of store: PersistentStoreReference, _ coordinator: PersistentStoreCoordinator,
    to table: inout PropertyTable
  ) throws {
    let usage = try coordinator.historyUsage(of: store)
    table.add("history", .string(usage == nil ? "off" : "on"))
    guard let usage else { return }
    table.add("history.transactions", .int(Int64(usage.transactions)))
    table.add("history.changes", .int(Int64(usage.changes)))
    if let bytes = usage.bytes { table.add("history.bytes", .int(Int64(bytes))) }
    if let oldest = usage.oldest { table.add("history.oldest", .date(oldest)) }
  }

  /// What can be said without a model.
  private static func table(
    _ summary: StoreSummary, _ path: String, _ sideFiles: String?
  ) -> PropertyTable {
    var table = PropertyTable()
    addFile(path, sideFiles, to: &table)
    table.add("uuid", summary.identifier.map { .string($0) } ?? .null)
    table.add("type", FileFormReport.type(summary))
    FileFormReport.add(summary, to: &table)
    table.add("model", .null)
    table.add("checksum", summary.metadata["NSStoreModelVersionChecksumKey"] ?? .null)
    table.add("entities", .string(summary.entityNames.joined(separator: ", ")))
    addHashes(hashes(summary.metadata), summary.entityNames, to: &table)
    return table
  }

  private static func addFile(_ path: String, _ sideFiles: String?, to table: inout PropertyTable) {
    table.add("path", .string(path))
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    if let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int {
      table.add("size", .int(Int64(size)))
    }
    table.add("side-files", sideFiles.map { .string($0) } ?? .null)
  }

  /// The hashes of the entities that a store holds, which may be those of a part of the model.
  private static func hashes(_ metadata: [String: Value]) -> [String: Value] {
    guard case .dictionary(let hashes)? = metadata["NSStoreModelVersionHashes"] else { return [:] }
    return hashes
  }

  private static func addHashes(
    _ hashes: [String: Value], _ names: [String], to table: inout PropertyTable
  ) {
    for name in names {
      guard case .data(let hash)? = hashes[name] else { continue }
      table.add("hash.\(name)", .string(hash.hexadecimal))
    }
  }

  /// Whose hashes a store records: Core Data opens a store only if they are its own.
  private static func origin(ofHashesIn store: PersistentStoreReference) -> String {
    store.isMadeByCoreData
      ? "Core Data's" : "GraphStore's own: Apple's framework will not open the store"
  }
}
