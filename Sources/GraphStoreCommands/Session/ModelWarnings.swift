import GraphStore

/// Finds predicates in a model that are right, and worth a second look.
enum ModelWarnings {
  static func warnings(of model: ManagedObjectModel, file: String) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    for template in model.fetchRequestTemplates {
      guard let text = template.definition.predicate else { continue }
      warnings += look(at: text, template.entity, "fetch request \(template.name)", file)
    }
    for entity in model.entities {
      for property in entity.ownProperties.compactMap({ $0 as? FetchedPropertyDescription }) {
        guard let predicate = property.predicate else { continue }
        let name = "fetched property \(property.description)"
        warnings += look(at: predicate.predicateFormat, property.destination, name, file)
      }
    }
    return warnings
  }

  private static func look(
    at text: String, _ entity: EntityDescription, _ name: String, _ file: String
  ) -> [Diagnostic] {
    guard let predicate = try? QueryPredicate(parsing: text) else { return [] }
    return PredicateChecker(entity: entity, source: text).warnings(in: predicate).map { warning in
      var diagnostic = DiagnosticMapper.diagnostic(
        LocatedPredicateError(error: warning, label: name, text: text, entity: entity))
      diagnostic.severity = .warning
      diagnostic.message = "\(name): \(diagnostic.message)"
      diagnostic.location = Diagnostic.Location(file: file)
      diagnostic.exitCode = .success
      return diagnostic
    }
  }
}
