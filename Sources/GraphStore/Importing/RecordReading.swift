import GraphStoreModel
import GraphStoreSQLite

extension ManagedObjectContext {
  /// Hands over the entity's name and key of each stored member of a to-many, in stored order, else by key;
  /// one statement and no objects. Unsaved changes do not count.
  package func enumerateStoredMembers(
    ofProperty number: Int, entityAt index: Int, of owner: ManagedObjectID, _ receive: (String, Int64) -> Void
  ) throws {
    let layout = coordinator.layout.entities[index]
    guard let mount = mounts.first(where: { $0.store.scope === owner.scope }),
      layout.properties[number].relationship >= 0
    else { return }
    let relationship = layout.relationships[layout.properties[number].relationship]
    for link in try readingOnce(from: mount.index, { try $0.members(relationship, owners: [owner.key]) }) {
      receive(coordinator.layout.entities[link.member.entity].entity.name, link.member.key)
    }
  }
}

/// Options of an import of records.
package struct ImportOptions {
  /// Treatment of a record whose key an object has already.
  package enum ConflictPolicy: Sendable {
    /// It is a failure.
    case error
    /// The record is left out.
    case ignore
    /// The object takes the values that the record has.
    case update
    /// The object takes the record's values, and the defaults for attributes and to-one links that the record
    /// lacks.
    case replace
  }

  /// Names of the attributes by which a record and an object are the same; empty looks for no objects.
  package var key: [String] = []
  /// Whether the ids of records are those of the objects they are to change; a record without one is new.
  package var identifiesByLabel = false
  package var conflictPolicy = ConflictPolicy.error
  /// Whether the numbers in the records' ids become the objects' keys.
  package var keepsKeys = false
  /// Whether records that fail are left out, and the others of their batch written all the same.
  package var skipsFailures = false
  /// Whether each batch is whole when it is flushed, because it is committed then: a record that refers to
  /// one that is not there yet is returned, to be imported when all others are there.
  package var completesBatches = false
  /// Positions in the model of the entities that records of this import may have.
  package var entities: [Int]

  package init(entities: [Int]) { self.entities = entities }
}

/// The records that an import leaves out, kept beside memory until they can be reported in the order of the
/// input.
///
/// A record may be found wanting long after it was read, so that its text is added when it is read again.
package final class ImportRejects {
  private let connection: SQLiteConnection

  package init() throws {
    connection = try SQLiteConnection.temporary()
    try connection.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE reject (record INTEGER PRIMARY KEY, report BLOB, row BLOB);
      BEGIN;
      """)
  }

  /// Keeps what is said of a record; the first report stays.
  package func add(record: Int, report: UnsafeRawBufferPointer, row: [UInt8]) throws {
    try connection.withStatement("INSERT OR IGNORE INTO reject VALUES (?1, ?2, ?3)") { statement in
      try statement.bind(Int64(record), at: 1)
      try unsafe statement.bind(blobCopying: report, at: 2)
      try unsafe row.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 3) }
      try statement.run()
    }
  }

  package func setRow(_ row: [UInt8], ofRecord record: Int) throws {
    try connection.withStatement("UPDATE reject SET row = ?2 WHERE record = ?1") { statement in
      try statement.bind(Int64(record), at: 1)
      try unsafe row.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 2) }
      try statement.run()
    }
  }

  /// Hands over the report and the text of each record, in the order of the input.
  package func forEach(_ receive: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void) throws {
    try connection.withStatement("SELECT report, row FROM reject ORDER BY record") { statement in
      while try statement.step() { try unsafe receive(statement.blob(at: 0), statement.blob(at: 1)) }
    }
  }
}

/// Counts of an import so far.
package struct ImportCounts: Sendable {
  package var inserted = 0
  package var updated = 0
  /// Records whose object was there already and that changed nothing.
  package var ignored = 0

  package init() {}

  /// Adds what another part of the import has done.
  package mutating func add(_ other: ImportCounts) {
    inserted += other.inserted
    updated += other.updated
    ignored += other.ignored
  }
}

/// A record that cannot be imported, and why.
package struct ImportFailure: Error {
  /// The record's position in the input, as the caller numbered it.
  package var record: Int
  /// The line on which it begins.
  package var line: Int
  package var error: GraphStoreError
}
