import CFloors

/// Workers of teams: what a reader of each one's team finds.
enum Workers {
  static let count: Int64 = 100_000

  static func answer(rows: Int64 = count) -> Answer {
    let digests = (0...Int64(data_teams)).map { digest(of: teamName($0)) }
    func found(_ worker: Int64) -> Int64 { digests[Int(data_team(worker))] }
    return Answer(
      count: rows, first: found(1), last: found(rows), sum: (1...rows).reduce(0) { $0 + found($1) })
  }

  static func digest(of name: String?) -> Int64 { name.map(Mixed.digest(of:)) ?? 0 }

  private static func teamName(_ team: Int64) -> String {
    var data = data_word_row()
    data_team_name(team, &data)
    return withUnsafeBytes(of: data.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
