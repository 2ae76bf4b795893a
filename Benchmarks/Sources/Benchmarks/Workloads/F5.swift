import GraphStore

extension Workload {
  static func f5(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "F5", title: "15,889 orders of 14 columns, loaded 100 times, every value read",
      goal: "≤ 1.5 × floor", runs: 5,
      expected: { Orders.answer() },
      contenders: {
        let path = try files.floorTemplate("orders.db") { try $0.fillOrders(Orders.count) }
        let own = try project.template("orders.db") { try $0.fillOrders(Orders.count) }
        return [
          try ProjectRead(own) { try loadOrders($0.coordinator) },
          try FloorRead(path) { store in
            var answer = Answer(count: 0)
            for _ in 0..<Orders.times {
              let once = try store.fetchOrders()
              answer = Answer(
                count: answer.count + once.count, first: once.first, last: once.last,
                sum: answer.sum + once.sum)
            }
            return answer
          },
          try GRDBRead("GRDB: positional struct", path) { try PositionalOrder.load($0, times: Orders.times) },
          try GRDBRead("GRDB: Codable struct", path) { try CodableOrder.load($0, times: Orders.times) },
        ]
      })
  }

  /// Each time in a context of its own, which lives until the last value is read.
  private static func loadOrders(_ coordinator: PersistentStoreCoordinator) throws -> Answer {
    var context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
    return try Orders.load(times: Orders.times) {
      context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
      return try context.fetch(OrderObject.self, FetchRequest(entityName: "Order"))
    } digest: {
      $0.digest
    }
  }
}
