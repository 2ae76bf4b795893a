import Foundation
import GraphStorePredicates

/// The functions that expressions of mappings call on `$manager` and `$entityPolicy` (MIG-168, MIG-172, MIG-175).
///
/// It is called on the thread that migrates alone, by expressions that its run evaluates.
final class MigrationLookUps: @unchecked Sendable {
  /// The selectors of the look-ups.
  static let destinationInstances = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  static let sourceInstances = "sourceInstancesForEntityMappingNamed:destinationInstances:"

  private weak var run: MigrationRun?

  init(_ run: MigrationRun) { self.run = run }

  /// How expressions of an entity mapping are evaluated.
  ///
  /// - Parameter functions: Those of the program.
  func options(for work: MappingWork, _ functions: PredicateFunctions) -> EvaluationOptions {
    var functions = functions
    functions.register(Self.destinationInstances) { target, arguments in
      try self.lookUp(Self.destinationInstances, target, arguments) { run, work, objects in
        try run.destinationReferences(of: work, objects).map { run.destination.object($0) }
      }
    }
    functions.register(Self.sourceInstances) { target, arguments in
      try self.lookUp(Self.sourceInstances, target, arguments) { run, work, objects in
        try run.sourceReferences(of: work, objects).map { run.source.object($0) }
      }
    }
    for (name, function) in work.policy.functions {
      let body = PolicyFunction(body: function)
      functions.register(name) { _, arguments in try body.body(arguments) }
    }
    return EvaluationOptions(functions: functions)
  }

  private func lookUp(
    _ name: String, _ target: QueryOperand, _ arguments: [QueryOperand],
    _ find: (MigrationRun, MappingWork, [ManagedObject]) throws -> [ManagedObject]
  ) throws -> QueryOperand {
    guard case .source(let source) = target, (source as? FunctionTarget)?.variable == .manager,
      arguments.count == 2, case .value(.string(let mapping)) = arguments[0], let run
    else {
      throw GraphStoreError(
        .migrationFailed,
        "\(name) takes the name of an entity mapping and objects, and is called on $manager.",
        remedy: "Write FUNCTION($manager, \"\(name)\", \"MAPPING\", OBJECTS).")
    }
    let work = try run.work(named: mapping)
    // No objects give no objects, never all (MIG-171).
    let found = try find(run, work, run.objects(in: arguments[1]))
    return .collection(found.map { .source($0) }, isOrdered: true)
  }

  /// A policy's function, which runs on the thread that migrates.
  private struct PolicyFunction: @unchecked Sendable {
    let body: EntityMigrationPolicy.Function
  }
}
