import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("How an in-memory store runs requests")
struct ScanExplanationTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company(), factory: .memory)
    for number in 0..<3 {
      try stack.context.insert("Employee", ["name": "E\(number)", "salary": Int64(number)])
    }
    try stack.context.insert("Manager", ["name": "M"])
    try stack.context.insert("Department", ["name": "D"])
    try stack.context.save()
  }

  private func request(_ predicate: String) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate(parsing: predicate),
      sortDescriptors: try QuerySortDescriptor.list(parsing: "-name"), fetchLimit: 1)
  }

  @Test("DGN-079, FET-251: a scan stands for statement and plan, with as many objects as are looked at")
  func scan() throws {
    let explanation = try context.explain(request("salary > 0 AND name != 'E1'"))
    #expect(explanation.statements.isEmpty && explanation.isInStore && explanation.advice.isEmpty)
    #expect(explanation.scans == [.init(store: "in memory", entity: "Employee", objects: 4)])
    #expect(explanation.parts.map(\.text) == ["salary > 0", "name != \"E1\"", "-name"])
    #expect(explanation.parts.allSatisfy { $0.place == .scan })
    #expect(explanation.sort == .afterScan && explanation.window?.limit == 1)
    #expect(explanation.rows == .init(read: 4, returned: nil, total: 4, isExact: true))
    var own = try request("salary > 0")
    own.includesSubentities = false
    #expect(try context.explain(own).scans.map(\.objects) == [3])
  }

  @Test("DGN-079: a predicate that names objects leaves these alone")
  func keys() throws {
    let first = try context.all("Employee", "name == 'E0'")[0]
    var request = try request("TRUEPREDICATE")
    request.predicate = .compare(.evaluatedObject, .equal, QueryExpression(.constant(first.queryValue)))
    let explanation = try context.explain(request)
    #expect(explanation.scans.map(\.objects) == [1] && explanation.rows.total == 4)
  }

  @Test("DGN-079, DGN-078: groups, prefetching and analysis need no statement either")
  func others() throws {
    var groups = FetchRequest(entityName: "Employee")
    groups.resultType = .dictionary
    groups.propertiesToGroupBy = ["salary"]
    #expect(try context.explain(groups).scans.map(\.objects) == [4])
    var request = try request("salary >= 0")
    request.relationshipKeyPathsForPrefetching = ["department"]
    let analysis = try context.analyze(request)
    #expect(analysis.statements.isEmpty && analysis.rows.returned == 1)
    #expect(analysis.scans.count == 1 && analysis.analysis?.objects == 1)
  }
}
