import GraphStoreModel
import GraphStoreSQLite

/// Checks a store as a whole: of a SQLite store the file, its tables, and their contents; of a store in one
/// document its form and links, which reading it checks, and values that only an edited document has.
///
/// ```swift
/// for result in try StoreCheck.run(path: "company.db") where !result.isOK {
///   for finding in result.findings { print(finding.subject, finding.message, finding.isRepairable) }
/// }
/// ```
public enum StoreCheck {
  /// Runs every check over the store at a path, which is only read; its model is the one that it carries.
  ///
  /// The cost is a bounded number of passes over each table; a quick check leaves out all passes but one. Any
  /// thread may call it, beside other users of the store.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - given: The model of a store that carries none.
  ///   - configuration: The configuration whose entities the store holds; nil for the one that it records, or
  ///     that fits.
  ///   - isQuick: Whether the checks of rows are left out.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Returns: A result for each check, in the order in which they run, those without findings among them.
  /// - Throws: ``GraphStoreError``: `store-corrupt`, with the place, for a document that cannot be read; if
  ///   the path holds no store that can be read, or none with a model, or a store of Core Data that carries
  ///   another model than the one passed; ``/GraphStoreModel/ModelError`` if its model is damaged.
  public static func run(
    path: String, model given: ManagedObjectModel? = nil, configuration: String? = nil, isQuick: Bool = false,
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws -> [StoreCheckResult] {
    if let type = StoreType.detected(at: path), type != .sqlite {
      if let driver = try StoreRegistry.careDriver(at: path) {
        return try driver.check(
          path, model: given, configuration: configuration, isQuick: isQuick, timeout: timeout)
      }
      return try document(at: path, given, configuration: configuration, isQuick: isQuick, timeout: timeout)
    }
    let found = SQLiteProbe.probe(path)
    if case .damagedMetadata = found {} else { _ = try found.metadata(path: path) }
    do {
      let connection = try SQLiteConnection.openForReading(path, busyTimeout: timeout)
      defer { connection.close() }
      var inspector = try inspector(
        connection, path: path, model: given, configuration: configuration, isQuick: isQuick)
      return try inspector.run()
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  /// The checks of a store that is one document.
  private static func document(
    at path: String, _ given: ManagedObjectModel?, configuration: String?, isQuick: Bool, timeout: Duration
  ) throws -> [StoreCheckResult] {
    let start = ContinuousClock.now
    let options = StoreOptions(isReadOnly: true, timeout: timeout, configuration: configuration)
    let wanted = given.map { WantedEntities.model($0) } ?? .carried
    let store = try StoreRegistry.open(path, options, wanted)
    defer { store.close() }
    guard let document = store as? DocumentStore else {
      throw GraphStoreError(
        .notSupported, "\(path) is of type \(store.typeName), which has no checks.",
        remedy: "Read it: what is wrong with it shows then.")
    }
    return try DocumentInspector(document).run(isQuick: isQuick, reading: ContinuousClock.now - start)
  }

  /// An inspector of the store that a connection has open.
  ///
  /// - Throws: as ``run(path:model:configuration:isQuick:timeout:)``; ``SQLiteError``.
  static func inspector(
    _ connection: SQLiteConnection, path: String, model given: ManagedObjectModel?,
    configuration: String? = nil, isQuick: Bool = false
  ) throws -> StoreInspector {
    try SQLiteDialect.install(on: connection)
    let contents = try StoreHeader.read(connection).get()
    let metadata = contents.metadata
    let model =
      try given ?? EmbeddedModelReader.read(connection, contents, path: path, isTrusted: false).model
    let recorded = try? StoredEntities(model, configuration: metadata.configuration)
    let stored =
      try
      (configuration.map { try StoredEntities(model, configuration: $0) } ?? recorded
      ?? StoredEntities(model)).narrowed(by: metadata)
    if given != nil, metadata.format == nil,
      let carried = try? EmbeddedModelReader.read(connection, contents, path: path).model
    {
      try CoreDataSchemaMatcher.checkModel(stored, carried: carried, contents: contents, path: path)
    }
    let schema = try SQLSchema(
      stored, entityNumbers: numbers(contents, stored), existingTables: contents.existingTables)
    return StoreInspector(
      connection: connection, path: AbsolutePath.of(path), schema: schema, metadata: metadata,
      damage: contents.damage, header: SQLiteFileHeader(path: path), isQuick: isQuick)
  }

  /// The store's own numbers; an entity that it has no number for, which the checks report, has the number of
  /// a new store, or a free one if that is taken.
  private static func numbers(_ contents: StoreHeader, _ stored: StoredEntities) -> [String: Int] {
    var numbers = contents.entityNumbers.filter { $0.value > 0 }
    var taken = Set(numbers.values)
    var free = 1
    for (entity, number) in zip(stored.model.entities, SQLEntityNumbers.numbers(of: stored))
    where number > 0 && numbers[entity.name] == nil {
      while taken.contains(free) { free += 1 }
      let own = taken.contains(number) ? free : number
      numbers[entity.name] = own
      taken.insert(own)
    }
    return numbers
  }
}

/// One thing that is wrong with a store, for as many objects as it concerns.
///
/// ```swift
/// let findings = try StoreCheck.run(path: "company.db").flatMap(\.findings)
/// for finding in findings where finding.severity == .failure {
///   print(finding.subject, finding.message, finding.count, finding.objects)
/// }
/// ```
public struct StoreCheckFinding: Hashable, Sendable {
  /// Severity of a finding.
  public enum Severity: String, Hashable, Sendable {
    /// Worth knowing; nothing is lost or read wrongly.
    case warning
    /// Something is lost, or will be read wrongly.
    case failure
  }

  /// The kind of damage, which decides what a repair does with it.
  package let damage: StoreDamage
  /// The name of the check, such as `references`.
  public let name: String
  /// The subject: an entity, a property (`Employee.department`), two of them with ` / ` between, or a table.
  public let subject: String
  /// The severity of the finding.
  public let severity: Severity
  /// The number of objects, pairs or parts concerned.
  public let count: Int
  /// The short names (`Employee/p4`) of the first objects concerned, at most ten.
  public let objects: [String]
  /// The message, as a sentence without full stop and without the objects' names.
  public let message: String

  /// Whether it is of a kind that ``StoreRepair`` mends, where nothing is in the way.
  public var isRepairable: Bool { damage.isMendable }

  /// The most objects that a finding names.
  public static let objectLimit = 10

  package init(
    _ damage: StoreDamage, name: String, subject: String, severity: Severity = .failure, count: Int,
    objects: [String] = [],
    message: String
  ) {
    self.damage = damage
    self.name = name
    self.subject = subject
    self.severity = severity
    self.count = count
    self.objects = objects
    self.message = message
  }
}

/// The outcome of one check of a store.
///
/// ```swift
/// for result in try StoreCheck.run(path: "company.db", isQuick: true) {
///   print(result.name, result.isOK ? "good" : "\(result.findings.count) findings", result.elapsed)
/// }
/// ```
public struct StoreCheckResult: Sendable {
  /// The name of the check.
  public let name: String
  /// The findings; empty for a sound store.
  public let findings: [StoreCheckFinding]
  /// How long the check took.
  public let elapsed: Duration

  package init(name: String, findings: [StoreCheckFinding], elapsed: Duration) {
    (self.name, self.findings, self.elapsed) = (name, findings, elapsed)
  }

  /// Whether nothing is wrong; warnings do not count.
  public var isOK: Bool { !findings.contains { $0.severity == .failure } }
}
