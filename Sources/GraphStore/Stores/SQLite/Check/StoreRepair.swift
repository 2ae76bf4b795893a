import Foundation
import GraphStoreModel
import GraphStoreSQLite

/// Repair of a SQLite store: what of the damage that ``StoreCheck`` finds can be mended without a loss.
///
/// ```swift
/// let repair = try StoreRepair(path: "Photos.sqlite")
/// if !repair.steps.isEmpty { print("the former state is in", try repair.run().backup) }
/// ```
public struct StoreRepair: Sendable {
  /// One thing that is to be mended.
  public struct Step: Hashable, Sendable {
    /// The check that finds it.
    public let check: String
    /// A property, such as `Photo.image`.
    public let subject: String
    /// What is going to be done, as a sentence without full stop.
    public let message: String
  }

  /// A step, and how it is done.
  private struct Work: Sendable {
    let step: Step
    let run: @Sendable (SQLiteConnection) throws -> Void
  }

  /// What was done.
  public struct Result: Hashable, Sendable {
    /// What was mended.
    public let steps: [Step]
    /// The path of the copy of the store as it was before.
    public let backup: String
  }

  /// What is going to be done, in the order in which it is.
  public var steps: [Step] { work.map(\.step) }
  private let work: [Work]
  /// The store's file.
  public let path: String
  private let timeout: Duration

  /// Finds what can be mended; the store is only read.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - given: The model of a store that carries none.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: as ``StoreCheck/run(path:model:isQuick:timeout:)``.
  public init(
    path: String, model given: ManagedObjectModel? = nil, timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    (self.path, self.timeout) = (path, timeout)
    work = try StoreCheck.reading(path, model: given, timeout: timeout) { inspector in
      try Self.prefixes(inspector) + Self.derivedValues(inspector)
    }
  }

  /// Values with external storage that an earlier version has written without their prefix.
  private static func prefixes(_ inspector: StoreInspector) throws -> [Work] {
    guard !inspector.metadata.hasExternalPrefixes else { return [] }
    let columns = try inspector.externalColumnsWithValues()
    return columns.enumerated().map { place, found in
      let (column, count) = found
      let (table, name) = (column.table.quotedName, column.quotedName)
      let isLast = place == columns.count - 1
      return Work(
        step: Step(
          check: "external data", subject: "\(column.attribute ?? column.property)",
          message: "give \(count) value\(count == 1 ? "" : "s") the prefix that external storage asks for")
      ) { connection in
        var metadata = try SQLiteLayout.readMetadata(connection)
        guard !metadata.hasExternalPrefixes else { return }
        try connection.execute(
          "UPDATE \(table) SET \(name) = CAST(x'01' || \(name) AS BLOB) WHERE \(name) IS NOT NULL")
        // Of all columns together: from then on the store is read with prefixes.
        guard isLast else { return }
        metadata.values[StoreMetadata.Key.externalData] = .int(1)
        try SQLiteLayout.writeMetadata(connection, metadata)
      }
    }
  }

  /// Derived values that are not those of their derivations.
  private static func derivedValues(_ inspector: StoreInspector) throws -> [Work] {
    let path = inspector.path
    return inspector.derivedColumns().compactMap { values in
      // What cannot be computed, which the check tells, keeps nothing else from being mended.
      guard let count = try? values.changes(keys: nil).count, count > 0 else { return nil }
      let (column, layout, schema) = (values.column, values.layout, values.schema)
      return Work(
        step: Step(
          check: "derived values", subject: "\(column.derived.attribute)",
          message: "compute \(count) value\(count == 1 ? "" : "s") anew")
      ) { connection in
        let data = ExternalDataTable(folder: ExternalDataFolder(besideStoreAt: path))
        let values = SQLiteDerivedValues(
          column: column, connection: connection, layout: layout, schema: schema, externalData: data)
        try values.write(try values.changes(keys: nil))
      }
    }
  }

  /// Copies the store beside itself, and mends it in one transaction.
  ///
  /// Nobody else may have the store open meanwhile.
  ///
  /// - Returns: What was done, and the path of the copy.
  /// - Throws: `store-open` where another process or coordinator has it open; `disk-full`, `store-permission`. The store
  ///   is as it was then.
  public func run() throws -> Result {
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: timeout)
      defer { connection.close() }
      try SQLiteDialect.install(on: connection)
      try makeExclusive(connection)
      let copy = try makeCopy(connection)
      try connection.begin(.exclusive)
      do {
        for work in work { try work.run(connection) }
        try connection.commit()
      } catch {
        try? connection.rollback()
        throw error
      }
      return Result(steps: steps, backup: copy)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  /// Takes the file's lock for good, which who has the store open keeps it from: it would go on in the former form.
  private func makeExclusive(_ connection: SQLiteConnection) throws {
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    do {
      try connection.begin(.exclusive)
      try connection.rollback()
    } catch {
      guard error.category == .busy else { throw error }
      throw GraphStoreError(
        .storeOpen, "\(path) is open elsewhere, and can be repaired only by who has it alone.",
        remedy: "Close it there, and try again; nothing was changed.", underlying: error)
    }
  }

  private func makeCopy(_ connection: SQLiteConnection) throws -> String {
    var copy = "\(path).backup"
    var number = 1
    while RegularFile.isTaken(copy) {
      number += 1
      copy = "\(path).backup-\(number)"
    }
    try connection.withStatement("VACUUM INTO ?1") { statement in
      try statement.bind(copy, at: 1)
      _ = try statement.step()
    }
    try ExternalDataFolder(besideStoreAt: path).link(into: ExternalDataFolder(besideStoreAt: copy))
    let file = unsafe open(copy, O_RDONLY | O_CLOEXEC)
    if file >= 0 {
      fsync(file)
      close(file)
    }
    return copy
  }
}
