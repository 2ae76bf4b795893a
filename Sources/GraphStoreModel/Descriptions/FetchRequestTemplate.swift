import GraphStorePredicates

/// A stored fetch request of a model, parsed and checked.
///
/// ```swift
/// let template = try model.fetchRequestTemplate(named: "wellPaid")
/// print(template.entity.name, template.predicate ?? .constant(true), template.variables)
/// let request = try FetchRequest<ManagedObject>(template, substituting: ["MIN": 90_000.queryValue])
/// ```
public final class FetchRequestTemplate: Sendable {
  /// The name.
  public let name: String
  /// The predicate, with its variables.
  public let predicate: QueryPredicate?
  /// The order of the results.
  public let sortDescriptors: [QuerySortDescriptor]
  /// The predicate over groups.
  public let having: QueryPredicate?
  /// The request as the model file describes it; what is not parsed is read from here.
  public let definition: FetchRequestDefinition
  /// The entity that is fetched.
  public let entity: EntityDescription

  init(
    _ definition: FetchRequestDefinition, predicate: QueryPredicate?,
    sortDescriptors: [QuerySortDescriptor], having: QueryPredicate?, entity: EntityDescription
  ) {
    name = definition.name
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.having = having
    self.definition = definition
    self.entity = entity
  }

  /// The names of the variables that a value is needed for, each once, in the order of the text; names of
  /// results, which the condition on groups may write so, are none.
  public var variables: [String] {
    let results = definition.properties.map(\.name)
    var names = predicate?.names.variables ?? []
    for name in having?.names.variables ?? [] where !names.contains(name) && !results.contains(name) {
      names.append(name)
    }
    return names
  }
}

/// Result type of a stored fetch request; the raw value is the word used in model files.
///
/// ```swift
/// let template = FetchRequestDefinition("badges", entity: "Employee", resultType: .ids)
/// ```
public enum FetchResultType: String, CaseIterable, Hashable, Sendable {
  /// Managed objects.
  case objects
  /// Object identifiers.
  case ids
  /// Dictionaries of the properties asked for.
  case dictionaries
  /// The number of matches.
  case count
}
