import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore stats [ENTITY]`
struct StatsCommand: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Say how much of what the store holds, and which indexes there are.",
    discussion: """
      For each entity a line with its rows and bytes, then one for each property that has a column: bytes, the share of \
      objects without a value, how many different values there are, and the indexes that begin with it. Objects of \
      entities below an entity are counted with these. Sizes are those of values, of which "file" is what an entity's table \
      takes in the store's file with its indexes, for all entities of one tree together.

      On a server sizes are those of the server, and "file" is what a table takes there.

      The store is only read, unless --analyze has SQLite gather its statistics anew, by which it chooses indexes.

      graphstore stats Employee
      """)

  @Argument(help: "Entity; all, where none is named.") var entity: String?
  @Flag(help: "Have SQLite gather its statistics anew before.") var analyze = false
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup var options: AskingStoreCommandOptions

  var writesStoreItself: Bool { analyze }

  var idleOptions: IdleStoreOptions? { .ofWorkOnFiles }

  func validate() throws {
    guard !(analyze && options.store.readOnly) else {
      throw ValidationError("--analyze writes to the store, which --read-only forbids")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let path = try session.storePath()
    let model = try session.givenModel()
    if analyze { try Self.analyze(path, model, in: session) }
    let statistics = try session.recovering(path) {
      try StoreStatistics.read(
        path: path, model: model, configuration: session.settings.configuration, entity: entity,
        timeout: session.timeout)
    }
    let tables = statistics.flatMap { entity in
      [Self.table(entity)] + entity.properties.map { Self.table($0, of: entity) }
    }
    try session.write(PropertyTables(tables: tables, format: session.settings.format ?? .table))
    return .success
  }

  private static func analyze(_ path: String, _ model: ManagedObjectModel?, in session: CommandSession) throws
  {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: session.storeOptions(), model: model)
    defer { coordinator.close() }
    try coordinator.persistentStores[0].analyze()
  }

  private static func table(_ entity: EntityStatistics) -> PropertyTable {
    var table = PropertyTable()
    table.add("entity", .string(entity.name))
    table.add("property", .null)
    table.add("rows", .int(Int64(entity.rows)))
    table.add("bytes", .int(Int64(entity.bytes)))
    table.add("missing", .null)
    table.add("distinct", .null)
    table.add("indexes", .string("\(entity.indexCount)\(entity.isAnalyzed ? ", analyzed" : "")"))
    table.add("file", entity.fileBytes.map { .int(Int64($0)) } ?? .null)
    return table
  }

  private static func table(_ property: PropertyStatistics, of entity: EntityStatistics) -> PropertyTable {
    var table = PropertyTable()
    table.add("entity", .string(entity.name))
    table.add("property", .string(property.name))
    table.add("rows", .int(Int64(entity.rows)))
    table.add("bytes", .int(Int64(property.bytes)))
    table.add("missing", entity.rows == 0 ? .null : .string(percent(property.missing, of: entity.rows)))
    table.add("distinct", .int(Int64(property.distinct)))
    table.add(
      "indexes", property.indexes.isEmpty ? .null : .string(property.indexes.joined(separator: ", ")))
    table.add("file", .null)
    return table
  }

  /// A share with one decimal; what is not all, and not nothing, does not look so.
  private static func percent(_ part: Int, of whole: Int) -> String {
    var tenths = Int((Double(part) / Double(whole) * 1000).rounded())
    if part > 0 { tenths = max(1, tenths) }
    if part < whole { tenths = min(999, tenths) }
    return "\(tenths / 10).\(tenths % 10)%"
  }
}
