import Foundation
import GraphStoreContextTestSupport
import GraphStoreModel
import GraphStorePredicates
import GraphStoreTestSupport
import Testing

@testable import GraphStore

/// Random changes of a graph, after each of which every derived value is compared with what its expression
/// yields now.
@Suite("Derived values of random graphs", .everyStore)
struct RandomDerivationTests {
  @Test(
    "MDL-174, CTX-106, OBJ-300: derived values are those of their expressions after every save",
    arguments: TestSeed.sequence(4))
  func random(_ seed: TestSeed) throws {
    var run = try Run(seed)
    for _ in 0..<25 {
      try run.company.change()
      try run.context.save()
      try run.compare(run.context)
      try run.compare(run.stack.otherProcess())
    }
  }

  private struct Run {
    let stack: TestStack
    let context: ManagedObjectContext
    var company: RandomCompany

    init(_ seed: TestSeed) throws {
      stack = try TestStack(CompanyWithDerivations.model)
      context = stack.context
      company = RandomCompany(context, seed.generator)
    }

    func compare(_ context: ManagedObjectContext) throws {
      for entity in ["Company", "Department", "Employee", "Project", "Site"] {
        for object in try context.all(entity) {
          for attribute in object.entity.attributes
          where attribute.isDerived && attribute.derivation != "now()" {
            let derived = try #require(DerivedAttribute(attribute))
            let evaluator = try ExpressionEvaluator(#require(derived.expression))
            guard case .value(let computed) = try evaluator.operand(for: .source(object)) else { continue }
            let expected = try derived.value(computed)
            let found = try object.queryValue(forKey: attribute.name)
            #expect(
              found == expected, "\(object.objectID.shortForm).\(attribute.name): \(found), not \(expected)")
          }
        }
      }
    }
  }
}
