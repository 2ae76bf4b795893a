import GraphStore

/// Linter of a model by the rules that need the objects of a store.
///
/// The model need not be the one that the store was made with: entities and properties are found in the store
/// by renaming identifier or name. Everything is counted by the store itself; nothing is written.
package struct StoreLint {
  private static let rules: [any StoreRule.Type] = [
    RequiredWithoutDefaultRule.self, NotUniqueRule.self, ValuesBreakLimitsRule.self, AlwaysNilRule.self,
    TextLooksTypedRule.self,
  ]
  private let context: ManagedObjectContext
  private let check: ModelLinter

  /// A linter that counts the objects of a context, by the rules of a linter of models.
  package init(_ context: ManagedObjectContext, _ check: ModelLinter) {
    self.context = context
    self.check = check
  }

  /// What the objects tell about a model, entity by entity.
  package func findings(of model: ManagedObjectModel) throws -> [ModelProblem] {
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
        var report = LintReport(type.rule)
        try type.check(subject, report: &report)
        findings += report.findings
      }
    }
    return check.audible(findings, in: model.definition)
  }
}

/// Lint rule about a model together with the objects of a store, which it only counts.
protocol StoreRule: Sendable {
  /// What is to be known about the rule.
  static var rule: ModelRule { get }

  /// Records what one entity and its objects show. The entity has objects.
  static func check(_ entity: StoredEntity, report: inout LintReport) throws
}

/// An entity of a model and what a store has of it.
struct StoredEntity {
  /// The entity of the model.
  let entity: EntityDescription
  /// The entity of the store's own model.
  let source: EntityDescription
  let path: ModelPath
  /// The number of objects, those of sub-entities included.
  let count: Int
  let context: ManagedObjectContext

  /// A stored attribute that the entity declares.
  struct Attribute {
    let attribute: AttributeDescription
    /// The attribute in the store's own model; nil where the store has none or another type.
    let source: AttributeDescription?
    let path: ModelPath
  }

  /// The stored attributes that the entity declares, without derived ones.
  var attributes: [Attribute] {
    entity.ownProperties.compactMap { $0 as? AttributeDescription }.enumerated().compactMap {
      position, attribute in
      guard !attribute.isTransient, !attribute.isDerived else { return nil }
      let known = property(for: attribute) as? AttributeDescription
      return Attribute(
        attribute: attribute, source: known.flatMap { $0.isTransient ? nil : $0 },
        path: path.item("attributes", position))
    }
  }

  /// The property of the store's own model that a property of the model continues.
  func property(for property: PropertyDescription) -> PropertyDescription? {
    source.property(named: property.renamingIdentifier) ?? source.property(named: property.name)
  }

  /// How many objects satisfy a condition.
  func count(where predicate: QueryPredicate) throws -> Int {
    try context.count(for: FetchRequest(entityName: source.name, predicate: predicate))
  }

  /// `1 Employee object`, `12 Employee objects`
  func phrase(_ count: Int) -> String { "\(count) \(entity.name) object\(count == 1 ? "" : "s")" }
}
