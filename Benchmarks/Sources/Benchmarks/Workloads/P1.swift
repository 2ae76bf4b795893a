import GraphStore

extension Workload {
  private static let rounds: Int64 = 25_000

  /// Predicates as people write them, each with the number of comparisons in it.
  private static let texts: [(text: String, comparisons: Int64)] = [
    ("salary > 50000", 1),
    (#"name BEGINSWITH "A""#, 1),
    (#"salary > 50000 AND name BEGINSWITH "A""#, 2),
    ("department.name == 'Sales'", 1),
    (#"name CONTAINS[cd] "e" OR email ENDSWITH ".org""#, 2),
    ("age BETWEEN {18, 65}", 1),
    ("badge IN {1, 2, 3}", 1),
    ("manager == nil", 1),
  ]

  static func p1() -> Workload {
    Workload(
      id: "P1", title: "parse 200,000 short predicates", goal: "≥ 500,000 predicates a second",
      rows: rounds * Int64(texts.count),
      expected: {
        Answer(
          count: rounds * Int64(texts.count), sum: rounds * texts.reduce(0) { $0 + $1.comparisons })
      },
      contenders: {
        [
          PlainContender("GraphStore", .project) {
            var answer = Answer(count: 0)
            for _ in 0..<rounds {
              for (text, _) in texts {
                answer.count += 1
                answer.sum += comparisons(in: try QueryPredicate(parsing: text))
              }
            }
            return answer
          }
        ]
      })
  }

  private static func comparisons(in predicate: QueryPredicate) -> Int64 {
    switch predicate {
    case .comparison: 1
    case .and(let members), .or(let members): members.reduce(0) { $0 + comparisons(in: $1) }
    default: 0
    }
  }
}
