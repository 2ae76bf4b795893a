import GraphStore

/// Looks at a model with the rules that need the objects of a store.
///
/// The model need not be the one that the store was made with: entities and properties are found in the store by renaming
/// identifier or name. Everything is counted by the store itself; nothing is written.
struct StoreLint {
  private static let rules: [any StoreRule.Type] = [
    RequiredWithoutDefaultRule.self, NotUniqueRule.self, ValuesBreakLimitsRule.self, AlwaysNilRule.self,
    TextLooksTypedRule.self,
  ]
  private let context: ManagedObjectContext
  private let check: ModelLinter

  init(_ context: ManagedObjectContext, _ check: ModelLinter) {
    self.context = context
    self.check = check
  }

  /// What the objects tell about a model, entity by entity.
  func findings(of model: ManagedObjectModel) throws -> [ModelProblem] {
    let stored = context.coordinator.managedObjectModel
    var findings: [ModelProblem] = []
    for (position, entity) in model.entities.enumerated() {
      guard
        let source = stored.entitiesByName[entity.renamingIdentifier] ?? stored.entitiesByName[entity.name]
      else { continue }
      let count = try context.count(for: FetchRequest(entityName: source.name))
      guard count > 0 else { continue }
      let subject = StoredEntity(
        entity: entity, source: source, path: ModelPath().item("entities", position), count: count,
        context: context)
      for type in Self.rules where !check.disabledRules.contains(type.rule.id) {
        var report = StoreLintReport(type.rule)
        try type.look(at: subject, &report)
        findings += report.findings
      }
    }
    return check.audible(findings, in: model.definition)
  }
}
