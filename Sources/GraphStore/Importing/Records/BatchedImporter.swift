import GraphStoreModel

/// Record of an import: values by the names of the properties that they are for.
///
/// Values are in their Swift form: `String`, `Int`, `Double`, `Decimal`, `Bool`, `Date`, `UUID`, `URL`,
/// `Data`, dictionaries for composite attributes, values of their transformers' types for transformable ones.
/// A text for an attribute of another type is read as
/// ``/GraphStoreModel/AttributeDescription/value(fromText:)`` does. A link is a ``ManagedObjectID``, or its
/// text or URI, or a value of the destination's key (``BatchedImporter/links``); a to-many is an array or a
/// set of those. Nil clears; what is not named has its default in a new object, and stays in one that is
/// there.
///
/// ```swift
/// let record: ImportRecord = ["name": "Hedy Lamarr", "salary": 76000, "badge": nil]
/// print(record.keys.sorted())  // ["badge", "name", "salary"]
/// ```
public typealias ImportRecord = [String: (any Sendable)?]

/// Importer of many records of one entity, batch by batch.
///
/// Each record makes an object, or with a ``key`` changes the one that is there. Records become rows of the
/// store without an object for each, so that it is many times as fast as inserting and saving, and memory
/// depends on the size of a batch, not on the number of records.
///
/// ```swift
/// var importer = BatchedImporter(entityName: "Employee", coordinator: coordinator)
/// importer.key = ["badge"]
/// importer.links = ["department": "name"]
/// let result = try importer.importRecords([
///   ["badge": 21, "name": "Hedy Lamarr", "salary": 76000, "department": "Engineering"],
///   ["badge": 22, "name": "Annie Easley", "salary": 95000, "department": "Engineering"],
/// ])
/// print(result.inserted, "inserted,", result.updated, "updated")  // 2 inserted, 0 updated
/// ```
///
/// The model's rules are checked as in any save, and uniqueness constraints with them. Hooks and validation
/// in classes do not run, `awakeFromInsert` among them: records of entities whose classes count on these
/// belong into a context. Contexts that merge automatically get the changes of each batch once it is
/// committed; all others see them when they next fetch.
///
/// It is a value: set what differs from the defaults, and import as often as there is something to import. It
/// works on the thread that calls it, in a context of its own.
public struct BatchedImporter {
  /// The coordinator whose store the records go to.
  public let coordinator: PersistentStoreCoordinator
  /// The entity of the records.
  public let entityName: String
  /// The attributes by which a record and an object are the same; none makes every record a new object, and
  /// looks for nothing. `["objectID"]` takes the identifiers that records have under that name: one without
  /// an identifier is new, and an identifier that comes twice is refused.
  ///
  /// Texts are the same when their bytes are, so that é is not e with an accent behind it. A record that
  /// lacks one of the values is new.
  public var key: [String] = []
  /// Treatment of a record whose object is there already, stored or made by an earlier record.
  public var conflictPolicy = ImportConflictPolicy.update
  /// By relationship: the attribute of the destination by whose values records give it. Destinations may come
  /// later in the input.
  public var links: [String: String] = [:]
  /// Whether a destination that records name by a value of ``links``, and that neither the store nor the
  /// input has, is made with this value and the model's defaults. Where its entity needs more than that the
  /// link is `unresolved-link`, and the error says what.
  ///
  /// ```swift
  /// var importer = BatchedImporter(entityName: "Employee", coordinator: coordinator)
  /// importer.links = ["department": "name"]
  /// importer.createsLinks = true
  /// let result = try importer.importRecords([["name": "Ada", "department": "Optics"]])
  /// print(result.inserted, result.created)  // 1 ["Department": 1]
  /// ```
  public var createsLinks = false
  /// The number of records that are checked and written together.
  public var batchSize = 1000
  /// What a record that cannot be imported does to the others.
  public var errorMode = ImportErrorMode.stop
  /// The author that the history of the store names.
  public var author: String?
  /// The store of new objects, and the one that objects are looked for in; nil for the first that holds the
  /// entity and can be written.
  public var store: PersistentStoreReference?
  /// Called after each batch with what has been done so far; what it throws ends the import as cancelling
  /// does.
  public var onBatch: ((ImportResult) throws -> Void)?

  /// Makes an importer of records of an entity.
  public init(entityName: String, coordinator: PersistentStoreCoordinator) {
    self.entityName = entityName
    self.coordinator = coordinator
  }

  /// Makes an importer of records of the entity that a class represents.
  ///
  /// - Throws: `class-mismatch` when it represents none.
  public init(_ type: ManagedObject.Type, coordinator: PersistentStoreCoordinator) throws {
    self.init(
      entityName: try type.entityName ?? coordinator.layout(representedBy: type).entity.name,
      coordinator: coordinator)
  }
}

/// What a record that cannot be imported does to the others.
///
/// ```swift
/// var importer = BatchedImporter(entityName: "Department", coordinator: coordinator)
/// importer.errorMode = .skip
/// let result = try importer.importRecords([["name": "Finance"], ["name": nil]])
/// for reject in result.rejects { print(reject.recordPosition ?? -1, reject.code.rawValue) }
/// ```
public enum ImportErrorMode: Sendable {
  /// It ends the import: nothing of its batch is written, and the batches before stay.
  case stop
  /// It is left out, as if it had not been there, and told in ``ImportResult/rejects``; so are records that
  /// link to it.
  case skip
  /// It ends the import, which is one transaction, so that nothing at all is written.
  case transaction
}

/// What an import has done.
///
/// ```swift
/// let importer = BatchedImporter(entityName: "Department", coordinator: coordinator)
/// let result = try importer.importRecords([["name": "Legal"]])
/// print(result.read, result.inserted, result.rejects.isEmpty)  // 1 1 true
/// ```
public struct ImportResult: Sendable {
  /// The number of records that were read.
  public internal(set) var read = 0
  /// The number of records that have become new objects.
  public var inserted: Int { counts.inserted }
  /// The number of records whose values objects have taken that were there already. One that changed nothing
  /// counts, although nothing was written for it.
  public var updated: Int { counts.updated }
  /// By entity: the number of objects that were made because records link to them
  /// (``BatchedImporter/createsLinks``).
  public var created: [String: Int] { counts.created }
  /// The number of records that were left out because their object was there already.
  public var ignored: Int { counts.ignored }
  /// Why records were left out, in the order of the records, each with its
  /// ``GraphStoreError/recordPosition``.
  public internal(set) var rejects: [GraphStoreError] = []

  var counts = ImportCounts()
}

extension GraphStoreError {
  private struct RecordPosition {
    let number: Int
  }

  /// The position in the input, from 0, of the record that could not be imported; nil for an error of
  /// anything else.
  public var recordPosition: Int? { self[RecordPosition.self]?.number }

  /// The error as that of a record.
  func ofRecord(at position: Int) -> GraphStoreError {
    var error = self
    error.message = "Record \(position): \(message)"
    error[RecordPosition.self] = RecordPosition(number: position)
    return error
  }
}
