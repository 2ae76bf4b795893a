import GraphStorePredicates
import Synchronization

/// Program code of an entity mapping: hooks around the making of its destination objects and their
/// relationships.
///
/// A subclass is registered under the name that mappings use (``register(_:named:)``). One policy object is
/// made for each entity mapping of a step and gets all its calls:
///
/// ```swift
/// final class FullNamePolicy: EntityMigrationPolicy {
///   override func createDestinationInstances(
///     forSource source: ManagedObject, in mapping: CheckedEntityMapping, manager: MigrationManager
///   ) throws {
///     try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
///     let made = try manager.destinationInstances(
///       forEntityMappingName: mapping.name, sourceInstances: [source])
///     let parts = [source["first"], source["last"]].compactMap { $0 as? String }
///     try made.first?.setValue(parts.joined(separator: " "), forKey: "name")
///   }
/// }
///
/// EntityMigrationPolicy.register(FullNamePolicy.self, named: "FullNamePolicy")
/// ```
///
/// Source and destination objects are plain `ManagedObject`s, read and written by key; source objects are
/// only read. All hooks of a step run on the thread that migrates. Between batches all objects become faults
/// again, so that those that a policy keeps can be used at any time. An error of a hook ends the migration
/// with `migration-policy`, and no further hook runs.
open class EntityMigrationPolicy {
  private(set) var functions: [String: Function] = [:]

  /// A function that expressions of the policy's mapping call: from its arguments to its result.
  public typealias Function = ([QueryOperand]) throws -> QueryOperand

  /// Makes a policy for one entity mapping of one step.
  ///
  /// An initialiser of a subclass calls `super` and registers the functions that expressions call.
  public required init() {}

  /// Registers a function that expressions of the mapping call: `FUNCTION($entityPolicy, "name:", …)`.
  ///
  /// It belongs into an initialiser: expressions are compiled before the first pass.
  ///
  /// - Parameters:
  ///   - name: The name in expressions, its colons included.
  ///   - function: What it does; what it throws, the migration throws.
  public final func registerFunction(_ name: String, _ function: @escaping Function) {
    functions[name] = function
  }

  // MARK: First pass

  /// Begins the first pass of the mapping; the base version does nothing.
  open func begin(_ mapping: CheckedEntityMapping, with manager: MigrationManager) throws {}

  /// Makes the destination objects of one source object.
  ///
  /// The base version makes one, sets its attributes as the mapping says and associates it. An override that
  /// does not call `super` leaves the object out. Objects that it makes itself with the destination context
  /// are validated and saved like all others; those that look-ups are to know, and that are to get
  /// ``createRelationships(forDestination:in:manager:)``, it associates:
  /// ``MigrationManager/associate(sourceInstance:withDestinationInstance:for:)``.
  open func createDestinationInstances(
    forSource source: ManagedObject, in mapping: CheckedEntityMapping, manager: MigrationManager
  ) throws {
    try manager.running().makeInstance(of: source, in: mapping)
  }

  /// Ends the first pass of the mapping; the base version does nothing.
  open func endInstanceCreation(forMapping mapping: CheckedEntityMapping, manager: MigrationManager) throws {}

  // MARK: Second pass

  /// Sets the relationships of one destination object.
  ///
  /// The base version sets them as the mapping says. Links that were set before by the policy stay where the
  /// mapping does not state the relationship.
  open func createRelationships(
    forDestination destination: ManagedObject, in mapping: CheckedEntityMapping, manager: MigrationManager
  ) throws {
    try manager.running().makeRelationships(of: destination, in: mapping)
  }

  /// Ends the second pass of the mapping; the base version does nothing.
  open func endRelationshipCreation(forMapping mapping: CheckedEntityMapping, manager: MigrationManager)
    throws
  {}

  // MARK: Third pass

  /// Checks what the mapping has made, before the model's validation; the base version does nothing.
  open func performCustomValidation(forMapping mapping: CheckedEntityMapping, manager: MigrationManager)
    throws
  {}

  /// Ends the mapping after everything was saved; the base version does nothing.
  open func end(_ mapping: CheckedEntityMapping, manager: MigrationManager) throws {}
}

extension EntityMigrationPolicy {
  private struct Registered: Sendable {
    let type: EntityMigrationPolicy.Type
  }

  private static let registry = Mutex<[String: Registered]>([:])

  /// Registers a policy under the name that mappings use, replacing any other of that name.
  ///
  /// Any thread may call it, before the migration begins.
  ///
  /// - Parameters:
  ///   - policy: The class.
  ///   - name: The name in mappings; nil for the name of the class.
  public static func register(_ policy: EntityMigrationPolicy.Type, named name: String? = nil) {
    registry.withLock { $0[name ?? String(describing: policy)] = Registered(type: policy) }
  }

  /// The names of the policies that are registered, in order.
  public static var registeredNames: [String] { registry.withLock { $0.keys.sorted() } }

  /// Makes sure that the policies of all steps of a migration are registered, before any file is made
  /// (MIG-181).
  ///
  /// - Throws: `migration-policy`.
  static func check(_ steps: [MigrationStep]) throws {
    for mapping in steps.flatMap(\.mappings).flatMap(\.entityMappings) { _ = try make(for: mapping) }
  }

  /// The policy of an entity mapping.
  ///
  /// - Throws: `migration-policy` with near names where none is registered under the mapping's name.
  static func make(for mapping: CheckedEntityMapping) throws -> EntityMigrationPolicy {
    guard let name = mapping.policyName else { return EntityMigrationPolicy() }
    if let found = registry.withLock({ $0[name] }) { return found.type.init() }
    var error = GraphStoreError(
      .migrationPolicy,
      "No migration policy is registered as \(name), which the entity mapping \(mapping.name) names.",
      remedy: "Register it: EntityMigrationPolicy.register(\(name).self, named: \"\(name)\").",
      entity: mapping.destination?.name ?? mapping.source?.name)
    error.suggestions = NearestNames.names(near: name, among: registeredNames)
    throw error
  }
}
