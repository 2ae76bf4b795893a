import GraphStorePredicates
import Synchronization

extension EntityMigrationPolicy {
  private struct Registered: Sendable {
    let type: EntityMigrationPolicy.Type
  }

  private static let registry = Mutex<[String: Registered]>([:])

  /// Makes a policy known under the name that mappings give, in place of any other of that name (MIG-181).
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

  /// Makes sure that the policies of all steps of a migration are registered, before any file is made (MIG-181).
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
