/// Options of an import of records.
package struct ImportOptions {
  /// Names of the attributes by which a record and an object are the same; empty looks for no objects.
  package var key: [String] = []
  /// Whether the ids of records are those of the objects they are to change; a record without one is new.
  package var identifiesByLabel = false
  package var conflictPolicy = ImportConflictPolicy.error
  /// Whether the numbers in the records' ids become the objects' keys.
  package var keepsKeys = false
  /// Whether records that fail are left out, and the others of their batch written all the same.
  package var skipsFailures = false
  /// Whether of a batch with bad records the first is looked for, and nothing else: the steps that check it
  /// find them in another order.
  package var findsFirstFailure = false
  /// Whether each batch is whole when it is flushed, because it is committed then: a record that refers to
  /// one that is not there yet is returned, to be imported when all others are there.
  package var completesBatches = false
  /// Whether an object that a link names by a value, and that is not there, is made with this value.
  package var createsLinks = false
  /// Whether references name stored objects alone, and no records of the input.
  var referencesAreStored = false
  /// The store of new objects, and of those that records are looked for among; nil for the first that can be
  /// written.
  var store: PersistentStoreReference?
  /// The author that the history of the store names for the import.
  package var author: String?
  /// Positions in the model of the entities that records of this import may have.
  package var entities: [Int]

  package init(entities: [Int]) { self.entities = entities }
}

/// Treatment of a record whose object is there already.
///
/// ```swift
/// var importer = BatchedImporter(entityName: "Department", coordinator: coordinator)
/// importer.key = ["name"]
/// importer.conflictPolicy = .ignore
/// print(try importer.importRecords([["name": "Audit"], ["name": "Audit"]]).ignored)  // 1
/// ```
public enum ImportConflictPolicy: Sendable {
  /// It is an error of the record.
  case error
  /// The record is left out.
  case ignore
  /// The object takes the values that the record has.
  case update
  /// The object takes the record's values, and the defaults for attributes and to-one links that the record
  /// lacks.
  case replace
}
