import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// The same batch requests over every type of store.
struct BatchAgreementTests {
  /// What requests have answered, and what the store holds in the end.
  private struct Outcome: Equatable {
    var answers: [String] = []
    var records: [String] = []
  }

  private static func outcome(on factory: StoreFactory, _ seed: TestSeed) throws -> Outcome {
    var random = seed.generator
    let stack = try TestStack(CompanyWithDerivations.model, factory: factory)
    let context = stack.context
    context.mergePolicy = .overwrite
    var outcome = Outcome()
    let departments = try ["a", "b", "c"].map { try context.insert("Department", ["name": $0]) }
    for number in 0..<30 {
      try context.insert(
        number % 4 == 0 ? "Manager" : "Employee",
        ["name": "e\(number)", "salary": number, "department": departments[number % 3]])
    }
    try context.save()
    for _ in 0..<12 {
      outcome.answers.append(try answer(random.pick(Array(0..<6)), context, &random))
    }
    let fresh = try stack.otherProcess()
    for entity in ["Employee", "Department"] {
      for object in try fresh.all(entity, sort: ["name"]) {
        var values: [String] = [object.objectID.shortForm, "version \(object.currentRow?.version ?? 0)"]
        for attribute in object.entity.attributes where attribute.name != "changed" {
          values.append("\(attribute.name) \(try object.queryValue(forKey: attribute.name))")
        }
        outcome.records.append(values.joined(separator: ", "))
      }
    }
    return outcome
  }

  /// Runs a request, and says what came of it: how many records, which, or the code of the error.
  private static func answer(
    _ kind: Int, _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> String {
    let bound = Int.random(in: 0..<40, using: &random)
    let some = try QueryPredicate(parsing: "salary > \(bound) AND salary < \(bound + 12)")
    do {
      let result: BatchResult
      switch kind {
      case 0, 1:
        var request = BatchInsertRequest(
          entityName: "Employee",
          objects: (0..<5).map { ["name": "new\(bound).\($0)", "salary": Int64(bound + $0)] })
        request.resultType = .objectIDs
        result = try context.execute(request)
      case 2:
        var request = BatchUpdateRequest(
          entityName: "Employee",
          propertiesToUpdate: ["salary": try QueryExpression(parsing: "salary * 2 + 1")], predicate: some)
        request.resultType = .objectIDs
        result = try context.execute(request)
      case 3:
        result = try context.execute(
          BatchUpdateRequest(
            entityName: "Manager", propertiesToUpdate: ["level": bound > 20 ? 70_000 : 7]))
      case 4:
        var request = BatchDeleteRequest(FetchRequest(entityName: "Employee", predicate: some))
        request.resultType = .objectIDs
        result = try context.execute(request)
      default:
        var request = BatchDeleteRequest(
          FetchRequest(
            entityName: "Department", predicate: try QueryPredicate(parsing: "payroll > \(bound * 10)")))
        (request.resultType, request.isDryRun) = (.objectIDs, random.chance(50))
        result = try context.execute(request)
      }
      return "\(kind): \(result.status) \(result.count) \(result.objectIDs.map(\.shortForm).sorted())"
    } catch let error as GraphStoreError { return "\(kind): \(error.word)" }
  }

  @Test(
    "FET-216: batch requests have the same outcome on every type of store: counts, identifiers, errors, values and versions",
    arguments: TestSeed.sequence(6))
  func agreement(_ seed: TestSeed) throws {
    let first = try Self.outcome(on: .sqlite, seed)
    #expect(first.answers.contains { $0.contains("true") } && !first.records.isEmpty)
    for factory in StoreFactory.all.dropFirst() {
      let other = try Self.outcome(on: factory, seed)
      #expect(other.answers == first.answers, "\(factory)")
      #expect(other.records == first.records, "\(factory)")
    }
  }
}
