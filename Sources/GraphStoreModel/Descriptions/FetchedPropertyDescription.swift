import GraphStorePredicates

/// A fetched property: a query that belongs to an object.
///
/// ```swift
/// for property in try model.entity(named: "Employee").fetchedProperties {
///   print(property.name, property.destination.name, property.predicate ?? .constant(true))
/// }
/// ```
public final class FetchedPropertyDescription: PropertyDescription, @unchecked Sendable {
  /// The predicate, nil for all objects of the destination.
  public let predicate: QueryPredicate?
  /// The order of the result.
  public let sortDescriptors: [QuerySortDescriptor]
  /// The greatest number of objects, 0 for no limit.
  public let limit: Int
  private let destinationIndex: Int

  init(
    _ definition: FetchedPropertyDefinition, predicate: QueryPredicate?,
    sortDescriptors: [QuerySortDescriptor], destinationIndex: Int, site: DeclarationSite
  ) {
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    limit = definition.limit
    self.destinationIndex = destinationIndex
    super.init(definition, isTransient: false, validations: [], site: site)
  }

  /// The entity that is fetched.
  public var destination: EntityDescription { reference.model.entities[destinationIndex] }
}
