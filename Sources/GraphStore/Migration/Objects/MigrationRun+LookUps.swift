import Foundation
import GraphStorePredicates
import OrderedCollections

extension MigrationRun {
  /// The objects of either side that an operand represents, in order.
  ///
  /// - Throws: `migration-failed` for anything else than objects.
  func objects(in operand: QueryOperand) throws -> [ManagedObject] {
    switch operand {
    case .value(.null): return []
    case .source(let object as ManagedObject): return [object]
    case .collection(let members, _): return try members.flatMap(objects)
    case .value(.list(let values)): return try values.flatMap { try objects(in: .value($0)) }
    case .value(.object(let reference)):
      if let id = reference.identifier(as: ManagedObjectID.self) {
        let side = id.scope.uuid == source.mount.scope.uuid ? source : destination
        return [try side.context.object(with: id)]
      }
    default: break
    }
    throw GraphStoreError(
      .migrationFailed, "\(operand.value.shownText) was given where objects are needed.",
      remedy: "Give an object, or a collection of objects.", value: operand.value)
  }

  /// The destination objects that a mapping made for source objects: in the order of these, without
  /// duplicates (MIG-205).
  func destinationReferences(of work: MappingWork, _ sources: [ManagedObject]) throws -> [PackedReference] {
    try check(sources, in: source)
    var found: OrderedSet<PackedReference> = []
    for object in sources {
      work.associations.forEachDestination(of: PackedReference(object)) { found.append($0) }
    }
    return found.elements
  }

  /// The source objects for which a mapping made destination objects, in the same way.
  func sourceReferences(of work: MappingWork, _ destinations: [ManagedObject]) throws -> [PackedReference] {
    try check(destinations, in: destination)
    var found: OrderedSet<PackedReference> = []
    for object in destinations {
      work.associations.forEachSource(of: PackedReference(object)) { found.append($0) }
    }
    return found.elements
  }

  private func check(_ objects: [ManagedObject], in side: MigrationSide) throws {
    for object in objects where object.context !== side.context {
      throw GraphStoreError(
        .contextMismatch,
        "\(object.objectID.shortForm) is not an object of the \(side.context === source.context ? "source" : "destination") context.",
        remedy: "Give source objects for destination objects, and the reverse.", objectID: object.objectID)
    }
  }

  /// Notes that an object was made for another one by a mapping.
  func associate(_ source: ManagedObject, _ made: ManagedObject, _ work: MappingWork) throws {
    try check([source], in: self.source)
    try check([made], in: destination)
    if made.key < 0 {
      _ = try session()
      try destination.context.obtainPermanentIDs(for: [made])
    }
    work.associations.add(PackedReference(source), PackedReference(made))
    addPlace(of: work, for: source.layout.index)
    describe(made, of: source, work)
  }
}

/// The functions that expressions of mappings call on `$manager` and `$entityPolicy` (MIG-168, MIG-172,
/// MIG-175).
///
/// It is called on the thread that migrates alone, by expressions that its run evaluates.
final class MigrationLookUps: @unchecked Sendable {
  /// The selectors of the look-ups.
  static let destinationInstances = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  static let sourceInstances = "sourceInstancesForEntityMappingNamed:destinationInstances:"

  private weak var run: MigrationRun?

  init(_ run: MigrationRun) { self.run = run }

  /// The options of evaluating expressions of an entity mapping.
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
    // No objects yield no objects, never all (MIG-171).
    let found = try find(run, work, run.objects(in: arguments[1]))
    return .collection(found.map { .source($0) }, isOrdered: true)
  }

  /// A policy's function, which runs on the thread that migrates.
  private struct PolicyFunction: @unchecked Sendable {
    let body: EntityMigrationPolicy.Function
  }
}
