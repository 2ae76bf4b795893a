import GraphStore

extension Workload {
  static func r1(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "R1", title: "100,000 workers, the name of each one's team, prefetched",
      goal: "≤ 2 × floor (a join)",
      expected: { Workers.answer() },
      contenders: {
        let path = try files.floorTemplate("workers.db") { try $0.fillWorkers(Workers.count) }
        let own = try project.template("workers.db") { try $0.fillWorkers(Workers.count) }
        return [
          try ProjectRead(own, readTeams(in:)),
          try FloorRead(path) { try $0.joinWorkers() },
          try GRDBRead("GRDB: including(required:), Codable", path) { try WorkerWithTeam.answer($0) },
        ]
      })
  }

  static func readTeams(in context: ManagedObjectContext) throws -> Answer {
    var request = FetchRequest(entityName: "Worker")
    request.relationshipKeyPathsForPrefetching = ["team"]
    let workers = try context.fetch(WorkerObject.self, request)
    func digest(_ worker: WorkerObject?) -> Int64 {
      Workers.digest(of: worker?[WorkerObject.team]?[TeamObject.name])
    }
    var answer = Answer(
      count: Int64(workers.count), first: digest(workers.first), last: digest(workers.last))
    for worker in workers { answer.sum += digest(worker) }
    return answer
  }
}
