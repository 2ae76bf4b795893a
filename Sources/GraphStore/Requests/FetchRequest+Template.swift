import GraphStoreModel
import GraphStorePredicates

extension FetchRequest {
  /// The request that a template of the model describes, with values for its variables.
  ///
  /// The template stays as it is. A variable without a value is found when the request runs.
  ///
  /// - Throws: `not-supported` for a template that returns something else than objects, or groups them.
  public init(_ template: FetchRequestTemplate, variables: [String: Value] = [:]) throws {
    let definition = template.definition
    guard definition.resultType == .objects, definition.groupBy.isEmpty, definition.having == nil else {
      throw GraphStoreError(
        .notSupported, "The template \(template.name) does not return objects.",
        remedy: "Fetch the objects and read from them what is needed.", entity: template.entity.name)
    }
    self.init(
      entityName: template.entity.name, predicate: template.predicate,
      sortDescriptors: template.sortDescriptors, fetchLimit: definition.limit,
      fetchOffset: definition.offset, includesSubentities: definition.includesSubentities)
    relationshipKeyPathsForPrefetching = definition.prefetch
    self.variables = variables
  }
}
