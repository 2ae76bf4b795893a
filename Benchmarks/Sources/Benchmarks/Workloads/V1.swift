import Foundation
import GraphStore

/// Migrations of a million rows of ten integers.
extension Workload {
  private static let migrated = Scale.rows(1_000_000)

  /// One attribute added and one renamed, inferred.
  static func v1Inferred(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "V1.1", title: "migrate 1,000,000 rows: one attribute added, one renamed", goal: "≤ 1.5 × floor",
      runs: 5,
      expected: {
        var answer = Numbers.answer(rows: migrated)
        answer.first += 7
        answer.last += 7
        answer.sum += 7 * migrated
        return answer
      },
      contenders: {
        let sum = (0..<9).map { "ZI\($0)" }.joined(separator: " + ") + " + ZLAST + ZEXTRA"
        return try contenders(
          files, project, mapping: nil,
          replacing: #"{ "name": "i9", "type": "int64" } ]"#,
          by: #"{ "name": "last", "type": "int64", "renamingIdentifier": "i9" }, "#
            + #"{ "name": "extra", "type": "int64", "optional": false, "default": 7 } ]"#,
          byHand: [
            "CREATE TABLE new.ZNUMBERS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
              + "ZEXTRA INTEGER, \(columns(0..<9, type: " INTEGER")), ZLAST INTEGER)",
            "INSERT INTO new.ZNUMBERS SELECT Z_PK, Z_ENT, Z_OPT, 7, \(columns(0..<9)), ZI9 FROM ZNUMBERS",
          ], rows: "(SELECT \(sum) AS value, Z_PK FROM ZNUMBERS)")
      })
  }

  /// One entity split in two that are linked, by a mapping that somebody wrote.
  static func v1Mapped(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "V1.2", title: "migrate 1,000,000 rows: one entity split by a written mapping", goal: "≤ 3 × floor",
      runs: 5, expected: { Numbers.answer(rows: migrated) },
      contenders: {
        let source = QueryExpression(.variable("source"))
        let mapping = MappingModel(entityMappings: [
          EntityMapping(
            from: "Numbers", to: "Numbers",
            relationshipMappings: [
              PropertyMapping("rest", .objects(ofMapping: "NumbersToRest", from: source))
            ]),
          EntityMapping(from: "Numbers", to: "Rest"),
        ])
        let sum = (0..<10).map { "\($0 < 5 ? "n" : "r").ZI\($0)" }.joined(separator: " + ")
        return try contenders(
          files, project, mapping: mapping,
          replacing: ", \(attributes(5..<10)) ] }",
          by:
            #" ], "relationships": [ { "name": "rest", "destination": "Rest", "inverse": "numbers" } ] }, "#
            + #"{ "name": "Rest", "attributes": [ \#(attributes(5..<10)) ], "#
            + #""relationships": [ { "name": "numbers", "destination": "Numbers", "inverse": "rest" } ] }"#,
          byHand: [
            "CREATE TABLE new.ZNUMBERS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZREST INTEGER, "
              + "\(columns(0..<5, type: " INTEGER")))",
            "CREATE TABLE new.ZREST (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBERS INTEGER, "
              + "\(columns(5..<10, type: " INTEGER")))",
            "INSERT INTO new.ZNUMBERS SELECT Z_PK, 1, 1, Z_PK, \(columns(0..<5)) FROM ZNUMBERS",
            "INSERT INTO new.ZREST SELECT Z_PK, 2, 1, Z_PK, \(columns(5..<10)) FROM ZNUMBERS",
            "CREATE INDEX new.rest ON ZNUMBERS (ZREST)", "CREATE INDEX new.numbers ON ZREST (ZNUMBERS)",
          ],
          rows: "(SELECT \(sum) AS value, n.Z_PK FROM ZNUMBERS AS n JOIN ZREST AS r ON r.Z_PK = n.ZREST "
            + "AND r.ZNUMBERS = n.Z_PK)")
      })
  }

  /// One attribute more, with a value that the mapping computes, which goes object by object (MIG-354).
  static func v1Computed(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "V1.3", title: "migrate 1,000,000 rows: one value computed by a written mapping",
      goal: "≥ 50,000 objects a second", runs: 3, rows: migrated,
      expected: { Numbers.answer(rows: migrated) },
      contenders: {
        let mapping = MappingModel(entityMappings: [
          EntityMapping(
            from: "Numbers", to: "Numbers",
            attributeMappings: [
              PropertyMapping("sum", .expression(try QueryExpression(parsing: "$source.i0 + $source.i9")))
            ])
        ])
        let sum = (1..<10).map { "ZI\($0)" }.joined(separator: " + ") + " + ZSUM - ZI9"
        return try contenders(
          files, project, mapping: mapping,
          replacing: #"{ "name": "i9", "type": "int64" } ]"#,
          by: #"{ "name": "i9", "type": "int64" }, { "name": "sum", "type": "int64" } ]"#,
          byHand: [
            "CREATE TABLE new.ZNUMBERS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
              + "\(columns(0..<10, type: " INTEGER")), ZSUM INTEGER)",
            "INSERT INTO new.ZNUMBERS SELECT Z_PK, Z_ENT, Z_OPT, \(columns(0..<10)), ZI0 + ZI9 FROM ZNUMBERS",
          ], rows: "(SELECT \(sum) AS value, Z_PK FROM ZNUMBERS)")
      })
  }

  private static func columns(_ numbers: Range<Int>, type: String = "") -> String {
    numbers.map { "ZI\($0)\(type)" }.joined(separator: ", ")
  }

  private static func attributes(_ numbers: Range<Int>) -> String {
    numbers.map { #"{ "name": "i\#($0)", "type": "int64" }"# }.joined(separator: ", ")
  }

  /// - Parameters:
  ///   - old: A part of the model's text, all white space in it one space; `new` takes its place.
  ///   - byHand: The statements that fill the attached database `new`.
  ///   - rows: A query whose column `value` is what is summed of each object, by its `Z_PK`.
  private static func contenders(
    _ files: WorkFiles, _ project: ProjectStore, mapping: MappingModel?, replacing old: String,
    by new: String, byHand: [String], rows: String
  ) throws -> [any Contender] {
    let text = try String(contentsOfFile: project.model, encoding: .utf8)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let changed = text.replacingOccurrences(of: old, with: new)
    precondition(changed != text, "the model of the benchmarks has no \(old)")
    let models = try [text, changed].map { try ManagedObjectModel(json: Array($0.utf8)) }
    let own = try project.numbers(rows: migrated)
    let floor = try Numbers.template(files, rows: migrated)
    let check = { path in try answer(path, rows: rows) }
    return [
      MigrationContender(
        "GraphStore", .project, copying: { try files.freshCopy(of: own, as: "migrated.db") }, answer: check
      ) { path in
        let step = try MigrationStep(
          from: ModelVersion(models[0]), to: ModelVersion(models[1]), written: mapping.map { [$0] } ?? [])
        var options = MigrationOptions()
        options.keepsBackup = false
        let plan = try MigrationPlan(fromStoreAt: path, steps: [step])
        _ = try StoreMigration(plan, options: options).run()
      },
      MigrationContender(
        "floor: C", .floor, copying: { try files.freshCopy(of: floor, as: "floor-migrated.db") },
        answer: check
      ) { path in try migrateByHand(path, byHand) },
    ]
  }

  /// The hand-written way: the rows into tables of a new file, which takes the place of the old one.
  private static func migrateByHand(_ path: String, _ statements: [String]) throws {
    let other = path + ".new"
    try? FileManager.default.removeItem(atPath: other)
    do {
      let store = try FloorStore(path)
      for sql in [
        "ATTACH '\(other)' AS new", "PRAGMA new.auto_vacuum = 2", "PRAGMA new.journal_mode = MEMORY",
        "PRAGMA new.synchronous = OFF",
        "BEGIN IMMEDIATE",
      ] + statements + ["COMMIT", "DETACH new"] {
        _ = try store.integer(sql)
      }
    }
    let file = open(other, O_RDONLY)
    fsync(file)
    close(file)
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    rename(other, path)
  }

  private static func answer(_ path: String, rows: String) throws -> Answer {
    let store = try FloorStore(path)
    return Answer(
      count: try store.integer("SELECT count(*) FROM \(rows)"),
      first: try store.integer("SELECT value FROM \(rows) ORDER BY Z_PK LIMIT 1"),
      last: try store.integer("SELECT value FROM \(rows) ORDER BY Z_PK DESC LIMIT 1"),
      sum: try store.integer("SELECT sum(value) FROM \(rows)"))
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
