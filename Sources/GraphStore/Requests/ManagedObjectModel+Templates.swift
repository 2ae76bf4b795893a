import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectModel {
  /// A new request made of a stored one, with every variable replaced by its value.
  ///
  /// An explicit null makes a null test. Keys that the stored request does not use are ignored. The request belongs to the
  /// caller; the stored one stays as it is.
  ///
  /// - Parameters:
  ///   - name: The name of the stored request.
  ///   - variables: The values by the names of the variables, without `$`; nil for none.
  /// - Throws: ``/GraphStoreModel/ModelLookupError`` `unknown-template` with the nearest name;
  ///   ``/GraphStorePredicates/QueryPredicateError`` `unbound-variable` with all names that have no value;
  ///   ``GraphStoreError`` `not-supported` for a stored request that returns anything but objects.
  public func fetchRequest(
    fromTemplate name: String, substituting variables: [String: Value]? = nil
  ) throws -> FetchRequest<ManagedObject> {
    try FetchRequest(try fetchRequestTemplate(named: name), substituting: variables ?? [:])
  }

  /// A new request made of a stored one; the classic name of ``fetchRequest(fromTemplate:substituting:)``.
  ///
  /// - Throws: see there.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Value]
  ) throws -> FetchRequest<ManagedObject> {
    try fetchRequest(fromTemplate: name, substituting: variables)
  }
}

extension FetchRequest<ManagedObject> {
  /// Makes a request of a stored one, with every variable replaced by its value.
  ///
  /// - Throws: `unbound-variable` with all names that have no value; `not-supported`, see
  ///   ``GraphStoreModel/ManagedObjectModel/fetchRequest(fromTemplate:substituting:)``.
  public init(_ template: FetchRequestTemplate, substituting variables: [String: Value] = [:]) throws {
    let predicate = try template.predicate?.substituting(variables)
    try self.init(template, predicate: predicate)
  }

  /// Makes a request of a stored one with its variables as they are.
  package init(unbound template: FetchRequestTemplate) throws {
    try self.init(template, predicate: template.predicate)
  }

  private init(_ template: FetchRequestTemplate, predicate: QueryPredicate?) throws {
    let definition = template.definition
    guard definition.resultType == .objects else {
      throw GraphStoreError(
        .notSupported,
        "The fetch request \(template.name) returns \(definition.resultType.rawValue), and only objects are fetched.",
        remedy: "Take the resultType out of the fetch request in the model.", entity: template.entity.name)
    }
    self.init(
      entityName: template.entity.name, predicate: predicate, sortDescriptors: template.sortDescriptors,
      fetchLimit: definition.limit, fetchOffset: definition.offset,
      includesSubentities: definition.includesSubentities)
    relationshipKeyPathsForPrefetching = definition.prefetch
    fetchBatchSize = definition.batchSize
  }
}
