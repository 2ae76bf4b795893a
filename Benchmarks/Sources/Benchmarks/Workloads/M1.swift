import GRDB
import GraphStore

extension Workload {
  /// The memory of an object with all that belongs to it (OBJ-541).
  static func m1(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "M1", title: "heap for each of 200,000 loaded objects of ten integers",
      goal: "≤ 250 bytes, ≤ GRDB's class record", runs: 1, unit: .bytes,
      expected: { Numbers.answer(rows: Numbers.fetched) },
      contenders: {
        let own = try project.numbers(rows: Numbers.fetched)
        let context = ManagedObjectContext(
          coordinator: try ProjectStore.open(own), concurrencyType: .mainQueue)
        let queue = try DatabaseQueue(path: try Numbers.template(files, rows: Numbers.fetched))
        return [
          MemoryContender("GraphStore", .project) {
            let objects = try context.fetch(
              NumbersObject.self, GraphStore.FetchRequest(entityName: "Numbers"))
            return (objects, NumbersObject.answer(objects))
          },
          MemoryContender("GRDB: class record", .peer) {
            let records = try queue.read {
              try RecordNumbers.fetchAll(
                $0, sql: "SELECT Z_PK, Z_ENT, Z_OPT, \(RecordNumbers.columns) FROM \(RecordNumbers.table)")
            }
            var answer = Answer(
              count: Int64(records.count), first: records.first?.digest ?? 0, last: records.last?.digest ?? 0)
            for record in records { answer.sum += record.digest }
            return (records, answer)
          },
        ]
      })
  }
}
