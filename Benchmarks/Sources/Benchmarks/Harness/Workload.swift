/// One row of the table: a piece of work, the answer it must give, and who does it.
struct Workload {
  let id: String
  let title: String
  let goal: String
  var runs = 7
  let expected: () throws -> Answer
  let contenders: () throws -> [any Contender]
}
