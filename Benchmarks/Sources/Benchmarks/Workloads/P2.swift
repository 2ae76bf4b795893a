import CFloors
import GraphStore

extension Workload {
  private static let rounds: Int64 = 5

  static func p2(_ project: ProjectStore) -> Workload {
    Workload(
      id: "P2", title: #"salary > 50000 AND name BEGINSWITH "A", 200,000 loaded objects 5 times"#,
      goal: "≥ 5 million objects a second", rows: rounds * Employees.count,
      expected: { Answer(count: rounds * selected(PlainEmployee.all)) },
      contenders: {
        let context = ManagedObjectContext(
          coordinator: try ProjectStore.open(try project.employees()), concurrencyType: .mainQueue)
        var request = FetchRequest(entityName: "Employee")
        request.returnsObjectsAsFaults = false
        let objects = try context.fetch(request)
        let plain = PlainEmployee.all
        let predicate = try QueryPredicate(parsing: #"salary > 50000 AND name BEGINSWITH "A""#)
        return [
          PlainContender("GraphStore", .project) {
            try withExtendedLifetime(context) {
              let evaluator = try PredicateEvaluator(predicate)
              var answer = Answer(count: 0)
              for _ in 0..<rounds {
                for object in objects where try evaluator.evaluate(object) { answer.count += 1 }
              }
              return answer
            }
          },
          PlainContender("floor: objects of a Swift class", .floor) {
            var answer = Answer(count: 0)
            for _ in 0..<rounds { answer.count += selected(plain) }
            return answer
          },
        ]
      })
  }

  private static func selected(_ employees: [PlainEmployee]) -> Int64 {
    var count: Int64 = 0
    for employee in employees where employee.salary > 50000 && employee.name.utf8.starts(with: "A".utf8) {
      count += 1
    }
    return count
  }
}
