import GraphStore

extension Workload {
  /// A sub-query with a count (PRD-276), against the same written by hand.
  static func q3(_ searches: ProjectStore) -> Workload {
    let rows: Int64 = 100_000
    let expected = Answer(count: staffWithManyWellPaid(rows))
    return Workload(
      id: "Q3", title: "SUBQUERY(…).@count > 3 over 100,000 objects", goal: "≤ 1.2 × hand-written SQL",
      rows: rows,
      expected: { expected },
      contenders: {
        let path = try searches.template("staff.db") { try $0.fillStaff(rows) }
        let request = FetchRequest(
          entityName: "Staff",
          predicate: try QueryPredicate(parsing: "SUBQUERY(reports, $r, $r.salary > 100).@count > 3"))
        return [
          try ProjectRead(path) { Answer(count: Int64(try $0.count(for: request))) },
          try FloorRead(path) { store in
            Answer(
              count: try store.integer(
                "SELECT count(*) FROM ZSTAFF WHERE (SELECT count(*) FROM ZSTAFF AS report "
                  + "WHERE report.ZBOSS = ZSTAFF.Z_PK AND report.ZSALARY > 100) > 3"))
          },
        ]
      })
  }

  private static func staffWithManyWellPaid(_ rows: Int64) -> Int64 {
    var counts: [Int64: Int] = [:]
    for row in 6...rows where row * 7919 % 200 > 100 { counts[row / 6, default: 0] += 1 }
    return Int64(counts.values.count { $0 > 3 })
  }
}
