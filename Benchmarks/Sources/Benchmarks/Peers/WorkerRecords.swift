import GRDB

struct TeamRecord: Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "ZTEAM"
  let key: Int64
  let entity: Int64
  let version: Int64
  let name: String

  enum CodingKeys: String, CodingKey {
    case key = "Z_PK"
    case entity = "Z_ENT"
    case version = "Z_OPT"
    case name = "ZNAME"
  }
}

/// A worker; `team` is the association that the peer prefetches.
struct WorkerRecord: Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "ZWORKER"
  static let team = belongsTo(TeamRecord.self, key: "team", using: ForeignKey(["ZTEAM"], to: ["Z_PK"]))
  let key: Int64
  let entity: Int64
  let version: Int64
  let teamKey: Int64
  let name: String

  enum CodingKeys: String, CodingKey {
    case key = "Z_PK"
    case entity = "Z_ENT"
    case version = "Z_OPT"
    case teamKey = "ZTEAM"
    case name = "ZNAME"
  }
}

/// A worker with its team, in one record.
struct WorkerWithTeam: Decodable, FetchableRecord {
  let worker: WorkerRecord
  let team: TeamRecord

  static func answer(_ database: Database) throws -> Answer {
    let found = try WorkerRecord.including(required: WorkerRecord.team).asRequest(of: WorkerWithTeam.self)
      .fetchAll(database)
    var answer = Answer(
      count: Int64(found.count), first: Workers.digest(of: found.first?.team.name),
      last: Workers.digest(of: found.last?.team.name))
    for worker in found { answer.sum += Workers.digest(of: worker.team.name) }
    return answer
  }
}
