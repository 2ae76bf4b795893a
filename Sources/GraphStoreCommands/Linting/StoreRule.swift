import GraphStore

/// A rule that looks at a model together with the objects of a store, which it only counts.
protocol StoreRule: Sendable {
  /// What is to be known about the rule.
  static var rule: ModelRule { get }

  /// What one entity and its objects show. The entity has objects.
  static func look(at entity: StoredEntity, _ report: inout StoreLintReport) throws
}
