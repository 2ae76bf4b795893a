import GraphStore
import GraphStoreReports

/// Selection of the objects that a command changes: ids, or those of an entity by `--where` or `--all`.
struct ObjectSelection {
  /// The entity, where one is named.
  let entity: EntityDescription?
  private let session: CommandSession
  private let ids: [ManagedObjectID]
  let query: EntityQuery?

  init(
    _ targets: [String], filter: FilterOptions, all: Bool, action: String, isDryRun: Bool,
    in session: CommandSession
  ) throws {
    self.session = session
    guard let first = targets.first else {
      throw Diagnostic(
        code: "usage", message: "\(action) needs ids, or an entity with --where or --all", exitCode: .usage)
    }
    if targets.count > 1 || first.contains("/") {
      guard !filter.selects, filter.variables.isEmpty, filter.subentities, !all else {
        throw Diagnostic(
          code: "usage",
          message:
            "ids select objects by themselves; --where, --search, --var, --no-subentities and --all go with an entity",
          exitCode: .usage)
      }
      entity = nil
      query = nil
      ids = try targets.map { try session.identifier($0, .write) }
      return
    }
    let named = try session.entity(first, .write)
    guard all != filter.selects else {
      throw Diagnostic(
        code: "usage",
        message: all
          ? "--all and --where exclude each other"
          : "which \(first)? --where selects some, --all selects all",
        entity: first, exitCode: .usage)
    }
    if all, !isDryRun {
      try session.requireConsent(for: "\(action) --all", or: "select objects with --where")
    }
    entity = named
    ids = []
    query = try session.query(try filter.text(in: session), for: named)
  }

  /// The objects, each once.
  func objects() throws -> [ManagedObject] {
    let context = try session.context(.write)
    if let query {
      let objects = try query.run { try context.fetch($0) }
      session.warn(of: query, selected: objects.count)
      return objects
    }
    var seen: Set<ManagedObjectID> = []
    return try ids.filter { seen.insert($0).inserted }.map { try context.existingObject(with: $0) }
  }

  /// What the objects are called.
  var noun: String { entity?.name ?? (ids.count == 1 ? "object" : "objects") }

  /// Refuses more objects than `--max` allows.
  func check(_ count: Int, max: Int?, _ verb: String) throws {
    guard let max, count > max else { return }
    throw Diagnostic(
      code: "too-many", message: "\(count.counted("object")) would be \(verb), more than --max \(max)",
      hints: ["raise --max, or select fewer"], exitCode: .notConfirmed)
  }
}
