import GraphStorePredicates

/// A fetched property: a query that belongs to an object.
public final class FetchedPropertyDescription: PropertyDescription, @unchecked Sendable {
  /// The predicate, nil for all objects of the destination.
  public let predicate: QueryPredicate?
  /// The order of the result.
  public let sortDescriptors: [QuerySortDescriptor]
  /// The greatest number of objects, 0 for no limit.
  public let limit: Int
  @safe @exclusivity(unchecked) unowned var destinationReference: EntityDescription?

  init(
    _ definition: FetchedPropertyDefinition, number: Int, predicate: QueryPredicate?,
    sortDescriptors: [QuerySortDescriptor]
  ) {
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    limit = definition.limit
    super.init(
      name: definition.name, number: number, isOptional: definition.isOptional, isTransient: false,
      userInfo: definition.userInfo, validations: [],
      renamingIdentifier: definition.renamingIdentifier,
      versionHashModifier: definition.versionHashModifier)
  }

  /// The entity that is fetched.
  public var destination: EntityDescription {
    (counterpart as? FetchedPropertyDescription)?.destination ?? destinationReference!
  }
}
