import GraphStorePredicates

/// A predicate that a model stores: that of a fetch request or of a fetched property.
struct StoredRequest {
  /// The owner's label, such as `fetch request wellPaid`.
  let label: String
  /// The entity that is fetched.
  let entity: EntityDescription
  let path: ModelPath
  let predicate: QueryPredicate?
  /// The predicate as it is written.
  let text: String?
  let sortDescriptors: [QuerySortDescriptor]
  let sort: [String]
  /// The request as it is written; nil for a fetched property.
  var definition: FetchRequestDefinition?

  /// All of a model; none of one with problems.
  static func all(in model: LintedModel) -> [StoredRequest] {
    guard let built = model.model else { return [] }
    let templates = built.fetchRequestTemplates.enumerated().map { position, template in
      StoredRequest(
        label: "fetch request \"\(template.name)\"", entity: template.entity,
        path: ModelPath().item("fetchRequests", position), predicate: template.predicate,
        text: template.definition.predicate, sortDescriptors: template.sortDescriptors,
        sort: template.definition.sort, definition: template.definition)
    }
    let fetched = zip(built.entities, model.definition.entities).enumerated().flatMap { position, pair in
      let own = pair.0.ownProperties.compactMap { $0 as? FetchedPropertyDescription }
      return zip(own, pair.1.fetchedProperties).enumerated().map { number, property in
        StoredRequest(
          label: "fetched property \(property.0)", entity: property.0.destination,
          path: model.path(position).item("fetchedProperties", number), predicate: property.0.predicate,
          text: property.1.predicate, sortDescriptors: property.0.sortDescriptors, sort: property.1.sort)
      }
    }
    return fetched + templates
  }

  /// A validator of the predicate, for which variables need no values.
  var validator: PredicateTypeChecker {
    var validator = PredicateTypeChecker(entity: entity, source: text)
    validator.allowsVariables = true
    return validator
  }
}
