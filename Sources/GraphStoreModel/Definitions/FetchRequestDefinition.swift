/// A stored fetch request as a model file describes it.
///
/// ```swift
/// var definition = model.copy()
/// definition.setFetchRequestTemplate(
///   FetchRequestDefinition("newcomers", entity: "Employee", predicate: "badge > $BADGE", sort: ["-badge"]),
///   forName: "newcomers")
/// ```
public struct FetchRequestDefinition: Hashable, Sendable {
  /// The name, unique in the model.
  public var name: String
  /// The name of the entity that is fetched.
  public var entity: String
  /// The predicate's text; `$NAME` is a variable.
  public var predicate: String?
  /// Sort keys, `-` before one that descends.
  public var sort: [String]
  /// The greatest number of results, 0 for no limit.
  public var limit: Int
  /// The number of results that are skipped.
  public var offset: Int
  /// The number of objects that are loaded at once, 0 for all.
  public var batchSize: Int
  /// The type of the results.
  public var resultType: FetchResultType
  /// The properties that dictionaries hold.
  public var properties: [ResultPropertyDefinition]
  /// The properties that results are grouped by; names of expressions too.
  public var groupBy: [String]
  /// A predicate over groups.
  public var having: String?
  /// Whether equal results are returned once.
  public var distinct: Bool
  /// Relationship key paths that are loaded along.
  public var prefetch: [String]
  /// Whether objects of sub-entities are returned.
  public var includesSubentities: Bool

  /// Makes a stored fetch request from its parts.
  public init(
    _ name: String, entity: String, predicate: String? = nil, sort: [String] = [], limit: Int = 0,
    offset: Int = 0, batchSize: Int = 0, resultType: FetchResultType = .objects,
    properties: [ResultPropertyDefinition] = [], groupBy: [String] = [], having: String? = nil,
    distinct: Bool = false,
    prefetch: [String] = [], includesSubentities: Bool = true
  ) {
    self.name = name
    self.entity = entity
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.offset = offset
    self.batchSize = batchSize
    self.resultType = resultType
    self.properties = properties
    self.groupBy = groupBy
    self.having = having
    self.distinct = distinct
    self.prefetch = prefetch
    self.includesSubentities = includesSubentities
  }
}
