import GraphStore

extension Workload {
  /// Searches of a normalised copy (PRD-274); the indexed one, of which a single one is over at once, many
  /// times.
  static func q2(_ searches: ProjectStore, part: Int, isIndexed: Bool) -> Workload {
    let rows: Int64 = 200_000
    let repeats = isIndexed ? 200 : 1
    let expected = Answer(count: (1...rows).reduce(0) { $0 + ($1 % 26 == 18 && $1 / 26 % 26 == 0 ? 1 : 0) })
    return Workload(
      id: "Q2.\(part)",
      title: isIndexed
        ? "indexed BEGINSWITH[n] over 200,000 strings, \(repeats) times"
        : "BEGINSWITH[cd] over the same strings, once",
      goal: isIndexed ? "≤ 1.5 × floor, ≥ 15 × faster than Q2.2" : "none; for comparison", rows: nil,
      expected: { expected },
      contenders: {
        let path = try searches.template("places.db") { try $0.fillPlaces(rows) }
        let predicate = try QueryPredicate(
          parsing: isIndexed ? #"normalizedName BEGINSWITH[n] "sa""# : #"normalizedName BEGINSWITH[cd] "sa""#)
        let request = FetchRequest(entityName: "Place", predicate: predicate)
        let range = isIndexed ? "ZNORMALIZEDNAME" : "+ZNORMALIZEDNAME"
        let sql = "SELECT count(*) FROM ZPLACE WHERE \(range) >= 'sa' AND \(range) < 'sb'"
        return [
          try ProjectRead(path) { context in
            var count = 0
            for _ in 0..<repeats { count = try context.count(for: request) }
            return Answer(count: Int64(count))
          },
          try FloorRead(path) { store in
            var count: Int64 = 0
            for _ in 0..<repeats { count = try store.integer(sql) }
            return Answer(count: count)
          },
        ]
      })
  }
}
