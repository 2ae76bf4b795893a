import Testing

@testable import GraphStore

@Suite("Cost of validation")
struct ValidationCostTests {
  @Test(
    "OBJ-545: 50,000 changed objects with three constraints each cost no statement, and less time than writing them"
  )
  func cost() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing",
          attributes: [
            .init("name", .string, isOptional: false, minLength: 1, maxLength: 20),
            .init("size", .int64, minimum: 0, maximum: 1_000_000),
            .init("ratio", .double, minimum: 0, maximum: 1),
          ])
      ]))
    let things = try (0..<50_000).map { number in
      try stack.context.insert("Thing", ["name": "Thing \(number)", "size": number, "ratio": 0.5])
    }
    try stack.context.save()
    for thing in things { try thing.setValue(1, forKey: "size") }
    try stack.context.processPendingChanges()
    let clock = ContinuousClock()
    var validation = Duration.seconds(1000)
    var failures: [GraphStoreError] = []
    for _ in 0..<3 {
      let statements = try stack.statements {
        let time = try clock.measure { failures = try stack.context.validateChanges() }
        validation = min(validation, time)
      }
      #expect(statements == 0 && failures.isEmpty)
    }
    let saving = try clock.measure { try stack.context.save() }
    #expect(validation < saving - validation, "\(validation) of \(saving)")
  }
}
