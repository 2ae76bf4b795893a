import GraphStoreModel
import GraphStoreSQLite

/// Statistics of what a store holds: rows, bytes, missing and distinct values, and indexes, by entity
/// and property.
///
/// ```swift
/// for entity in try StoreStatistics.read(path: "company.db") {
///   print(entity.name, entity.rows, "rows")
///   for property in entity.properties { print(property.name, property.distinct, property.indexes) }
/// }
/// ```
public enum StoreStatistics {
  /// Gathers them; the store is only read.
  ///
  /// The cost is a pass over the rows of an entity for each of its properties, which sorts the values.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - given: The model of a store that carries none.
  ///   - configuration: The configuration whose entities the store holds; nil for the one that it records, or
  ///     that fits.
  ///   - name: The one entity that is asked for; nil for all that can have rows.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: as ``StoreCheck/run(path:model:configuration:isQuick:timeout:)``; `unknown-entity`.
  public static func read(
    path: String, model given: ManagedObjectModel? = nil, configuration: String? = nil,
    entity name: String? = nil, timeout: Duration = StoreOptions.defaultTimeout
  ) throws -> [EntityStatistics] {
    if let type = StoreType.detected(at: path), type != .sqlite {
      if let driver = try StoreRegistry.careDriver(at: path) {
        return try driver.statistics(
          path, model: given, configuration: configuration, entity: name, timeout: timeout)
      }
      let wanted = given.map { WantedEntities.model($0) } ?? .carried
      let options = StoreOptions(isReadOnly: true, timeout: timeout, configuration: configuration)
      let store = try StoreRegistry.open(path, options, wanted)
      defer { store.close() }
      return try DocumentStatistics(store).read(entity: name)
    }
    _ = try SQLiteProbe.probe(path).metadata(path: path)
    do {
      let connection = try SQLiteConnection.openForReading(path, busyTimeout: timeout)
      defer { connection.close() }
      let inspector = try StoreCheck.inspector(
        connection, path: path, model: given, configuration: configuration)
      try connection.begin(.deferred)
      defer { try? connection.rollback() }
      let survey = try StatisticsSurvey(inspector)
      let schema = inspector.schema
      let entities = schema.numberedEntities.filter { !$0.entity.isAbstract }
      let wanted = try Self.wanted(name, among: entities.map(\.entity), of: schema.stored.model)
      return try entities.filter { wanted.contains($0.entity) }.map(survey.statistics)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  /// The entities that are asked for: of an abstract one there are rows of the entities below it alone.
  ///
  /// - Throws: `unknown-entity`.
  package static func wanted(
    _ name: String?, among entities: [EntityDescription], of model: ManagedObjectModel
  ) throws -> [EntityDescription] {
    guard let name else { return entities }
    guard let entity = model.entities.first(where: { $0.name == name }) else {
      var error = GraphStoreError(
        .unknownEntity, "There is no entity \"\(name)\".",
        remedy: "Choose one of the store's: \(entities.map(\.name).joined(separator: ", ")).", entity: name)
      error.suggestions = NearestNames.names(near: name, among: entities.map(\.name))
      throw error
    }
    return entities.filter { $0.isKind(of: entity) }
  }
}

/// Statistics of the records of one entity, those of the entities below it apart.
///
/// ```swift
/// let employees = try StoreStatistics.read(path: "company.db", entity: "Employee")[0]
/// print(employees.rows, "rows with", employees.bytes, "bytes of values")
/// ```
public struct EntityStatistics: Hashable, Sendable {
  /// The entity's name.
  public let name: String
  /// The number of its records.
  public let rows: Int
  /// The pages of the file that hold its tree's table and the indexes of that, in bytes: those of all
  /// entities with the same root together; nil for a store that is one document, and where SQLite was built
  /// without what tells.
  public let fileBytes: Int?
  /// The number of indexes of its tree's table.
  public let indexCount: Int
  /// Whether SQLite has statistics of the table, by which it plans statements.
  public let isAnalyzed: Bool
  /// Statistics of its properties that have a column, in the order of the table.
  public let properties: [PropertyStatistics]

  package init(
    name: String, rows: Int, fileBytes: Int?, indexCount: Int, isAnalyzed: Bool,
    properties: [PropertyStatistics]
  ) {
    (self.name, self.rows, self.fileBytes, self.indexCount) = (name, rows, fileBytes, indexCount)
    (self.isAnalyzed, self.properties) = (isAnalyzed, properties)
  }

  /// The bytes of all values in its rows.
  public var bytes: Int { properties.reduce(0) { $0 + $1.bytes } }
}

/// Statistics of the values of one property.
///
/// ```swift
/// let properties = try StoreStatistics.read(path: "company.db", entity: "Employee")[0].properties
/// print(properties.filter { $0.indexes.isEmpty }.map(\.name), "have no index")
/// ```
public struct PropertyStatistics: Hashable, Sendable {
  /// The property's name, such as `salary`, or `address.city` of a composite attribute.
  public let name: String
  /// The bytes of its values, those in files of their own among them.
  public let bytes: Int
  /// The number of records without a value.
  public let missing: Int
  /// The number of values that differ.
  public let distinct: Int
  /// The names of the indexes whose first part it is.
  public let indexes: [String]

  package init(name: String, bytes: Int, missing: Int, distinct: Int, indexes: [String]) {
    (self.name, self.bytes, self.missing, self.distinct) = (name, bytes, missing, distinct)
    self.indexes = indexes
  }
}
