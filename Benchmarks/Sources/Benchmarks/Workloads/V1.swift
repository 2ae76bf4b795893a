import Foundation
import GraphStore

/// Migrations of a million rows of ten integers.
extension Workload {
  private static let migrated = Scale.rows(1_000_000)

  /// One attribute added and one renamed, inferred.
  static func v1Inferred(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    migration(
      files, project, id: "V1.1", title: "migrate 1,000,000 rows: one attribute added, one renamed",
      goal: "≤ 1.5 × floor",
      mapping: nil)
  }

  /// The same by a mapping that somebody wrote.
  static func v1Mapped(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    migration(
      files, project, id: "V1.2", title: "the same by a written mapping", goal: "≤ 3 × floor",
      mapping: MappingModel(
        entityMappings: [
          EntityMapping(
            from: "Numbers", to: "Numbers",
            attributeMappings: [
              PropertyMapping(
                "last",
                .expression(
                  QueryExpression(.keyPath(QueryKeyPath(base: .variable("source"), steps: [.key("i9")]))))),
              PropertyMapping("extra", .expression(.constant(7))),
            ])
        ]))
  }

  private static func migration(
    _ files: WorkFiles, _ project: ProjectStore, id: String, title: String, goal: String,
    mapping: MappingModel?
  ) -> Workload {
    Workload(
      id: id, title: title, goal: goal, runs: 5,
      expected: {
        var answer = Numbers.answer(rows: migrated)
        answer.first += 7
        answer.last += 7
        answer.sum += 7 * migrated
        return answer
      },
      contenders: {
        let (old, new) = try models(project)
        let own = try project.numbers(rows: migrated)
        let floor = try Numbers.template(files, rows: migrated)
        return [
          MigrationContender(
            "GraphStore", .project, copying: { try files.freshCopy(of: own, as: "migrated.db") },
            answer: answer
          ) { path in
            let step = try MigrationStep(
              from: ModelVersion(old), to: ModelVersion(new), written: mapping.map { [$0] } ?? [])
            var options = MigrationOptions()
            options.keepsBackup = false
            let plan = try MigrationPlan(fromStoreAt: path, steps: [step])
            _ = try StoreMigration(plan, options: options).run()
          },
          MigrationContender(
            "floor: C", .floor, copying: { try files.freshCopy(of: floor, as: "floor-migrated.db") },
            answer: answer, migrateByHand),
        ]
      })
  }

  private static func models(_ project: ProjectStore) throws -> (
    old: ManagedObjectModel, new: ManagedObjectModel
  ) {
    let text = try String(contentsOfFile: project.model, encoding: .utf8)
    let changed = text.replacingOccurrences(
      of: #"{ "name": "i9", "type": "int64" }"#,
      with: #"{ "name": "last", "type": "int64", "renamingIdentifier": "i9" }, "#
        + #"{ "name": "extra", "type": "int64", "optional": false, "default": 7 }"#)
    return (try ManagedObjectModel(json: Array(text.utf8)), try ManagedObjectModel(json: Array(changed.utf8)))
  }

  /// The hand-written way: the rows into a table of a new file, which takes the place of the old one.
  private static func migrateByHand(_ path: String) throws {
    let other = path + ".new"
    try? FileManager.default.removeItem(atPath: other)
    do {
      let store = try FloorStore(path)
      let columns = (0..<9).map { "ZI\($0)" }.joined(separator: ", ")
      for sql in [
        "ATTACH '\(other)' AS new", "PRAGMA new.journal_mode = MEMORY", "PRAGMA new.synchronous = OFF",
        "BEGIN IMMEDIATE",
        "CREATE TABLE new.ZNUMBERS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZEXTRA INTEGER, "
          + (0..<9).map { "ZI\($0) INTEGER" }.joined(separator: ", ") + ", ZLAST INTEGER)",
        "INSERT INTO new.ZNUMBERS SELECT Z_PK, Z_ENT, Z_OPT, 7, \(columns), ZI9 FROM ZNUMBERS", "COMMIT",
        "DETACH new",
      ] {
        _ = try store.integer(sql)
      }
    }
    let file = open(other, O_RDONLY)
    fsync(file)
    close(file)
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    rename(other, path)
  }

  private static func answer(_ path: String) throws -> Answer {
    let store = try FloorStore(path)
    let sum = (0..<9).map { "ZI\($0)" }.joined(separator: " + ") + " + ZLAST + ZEXTRA"
    return Answer(
      count: try store.integer("SELECT count(*) FROM ZNUMBERS"),
      first: try store.integer("SELECT \(sum) FROM ZNUMBERS ORDER BY Z_PK LIMIT 1"),
      last: try store.integer("SELECT \(sum) FROM ZNUMBERS ORDER BY Z_PK DESC LIMIT 1"),
      sum: try store.integer("SELECT sum(\(sum)) FROM ZNUMBERS"))
  }
}

/// A contender that migrates a copy of a store, whose rows are looked at afterwards.
private final class MigrationContender: Contender {
  let name: String
  let side: Side
  private let copying: () throws -> String
  private let check: (String) throws -> Answer
  private let migrate: (String) throws -> Void
  private var path = ""

  init(
    _ name: String, _ side: Side, copying: @escaping () throws -> String,
    answer: @escaping (String) throws -> Answer,
    _ migrate: @escaping (String) throws -> Void
  ) {
    self.name = name
    self.side = side
    self.copying = copying
    self.check = answer
    self.migrate = migrate
  }

  func prepare() throws { path = try copying() }
  func work() throws { try migrate(path) }
  func answer() throws -> Answer { try check(path) }
}
