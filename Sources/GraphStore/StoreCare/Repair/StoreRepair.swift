import GraphStoreModel
import GraphStoreSQLite

/// Repair of a SQLite store, or of one on a server: what of the damage that ``StoreCheck`` finds can be
/// mended without a loss.
///
/// It mends what follows with certainty from the rest of the store: optional references to objects that are
/// gone, links that one end alone has, links to nothing, numbers of entities, order values, counters,
/// versions, indexes and derived values. Damage that a person has to decide about is listed with what can be
/// done about it.
///
/// ```swift
/// let repair = try StoreRepair(path: "company.db")
/// for step in repair.steps { print(step.subject, step.message) }
/// for left in repair.unrepaired { print(left.finding.message, left.reason, left.remedy) }
/// if !repair.steps.isEmpty { print("the former state is in", try repair.run().backup) }
/// ```
public struct StoreRepair: Sendable {
  /// The steps of the repair, in order.
  public let steps: [Step]
  /// The damage that will be left.
  public let unrepaired: [Unrepaired]
  /// The store's file.
  public let path: String
  private let model: ManagedObjectModel?
  private let cleared: [String]
  private let timeout: Duration
  /// What mends a store that is none in SQLite's files.
  private let driver: (any StoreCareDriver)?

  /// Finds what can be mended; the store is left as it is.
  ///
  /// Where the check finds something, the repair is run and rolled back, so that its effects are known and
  /// not guessed. It asks for the right to write, and for the lock of a writer meanwhile.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - given: The model of a store that carries none.
  ///   - cleared: Properties, such as `Employee.salary`, whose values of a wrong type become nil: what was
  ///     meant is not known, and a row with some of them cannot be read. They can be set anew then.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: `not-supported` for a store of another type; as
  ///   ``StoreCheck/run(path:model:configuration:isQuick:timeout:)``; `incompatible-model` for another
  ///   model than the store's; `store-permission` where something is to be mended in a file that cannot be
  ///   written; `unknown-entity` and `unknown-key` for a property to be cleared that is none.
  public init(
    path: String, model given: ManagedObjectModel? = nil, clearing cleared: [String] = [],
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    (self.path, self.model, self.cleared, self.timeout) = (path, given, cleared, timeout)
    driver = try StoreRegistry.careDriver(at: path)
    if let driver {
      let outcome = try driver.repair(
        path, model: given, clearing: cleared, timeout: timeout, carryingOut: nil)
      (steps, unrepaired) = (outcome.steps, outcome.unrepaired)
      return
    }
    try StoreType.checkIsSQLite(
      path, for: "Repairing", remedy: "Edit it, or restore a backup: a check says what is wrong, and where.")
    let findings = try StoreCheck.run(path: path, model: given, timeout: timeout).flatMap(\.findings)
    let outcome =
      try findings.isEmpty && cleared.isEmpty
      ? nil : Self.rehearsal(at: path, model: given, clearing: cleared, timeout: timeout, findings)
    (steps, unrepaired) = (outcome?.steps ?? [], outcome?.unrepaired ?? [])
  }

  /// Copies the store beside itself, and mends it in one transaction.
  ///
  /// No other connection may have the store open meanwhile; one on a server is locked against writers for as
  /// long as it takes. A process that is killed leaves the old or the new store.
  ///
  /// - Returns: The steps carried out, the damage left, and the path of the copy.
  /// - Throws: `store-open` where another process or coordinator has it open, or has changed it so that
  ///   something else is to be done than ``steps``; `disk-full`, `store-permission`. The store is as it was
  ///   then.
  public func run() throws -> Result {
    if let driver {
      return try driver.repair(
        path, model: model, clearing: cleared, timeout: timeout, carryingOut: steps)
    }
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: timeout)
      defer { connection.close() }
      try SQLiteDialect.install(on: connection)
      try makeExclusive(connection)
      let copy = try StoreBackup.make(of: connection, path: path)
      let outcome = try connection.transaction(.exclusive) {
        let outcome = try RepairTransaction.run(connection, path: path, model: model, clearing: cleared)
        guard outcome.steps == steps else { throw Self.changed(path) }
        return outcome
      }
      return Result(steps: outcome.steps, unrepaired: outcome.unrepaired, backup: copy)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  /// Takes the file's lock for good, which fails while another connection has the store open: that would
  /// continue in the former form.
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

  package static func changed(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .storeOpen, "\(path) was changed after it was looked at, and something else is to be repaired now.",
      remedy: "Look at it again; nothing was changed.")
  }
}

// MARK: Rehearsal

extension StoreRepair {
  /// The effects of a repair, found by one that is rolled back.
  ///
  /// - Parameter findings: The findings of the check; in a file that may not be written all of it stays.
  private static func rehearsal(
    at path: String, model: ManagedObjectModel?, clearing cleared: [String], timeout: Duration,
    _ findings: [StoreCheckFinding]
  ) throws -> RepairTransaction.Outcome {
    if SQLiteFileHeader(path: path)?.needsNewerWriter == true {
      return RepairTransaction.Outcome(
        unrepaired: findings.map { Unrepaired($0, StoreDamage.newerWriter.advice) })
    }
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: timeout)
      defer { connection.close() }
      try SQLiteStore.checkWritable(connection, path)
      // A log beside the file stays there: writing it into the file has not been requested yet.
      connection.setKeepsLog(SQLiteProbe.hasLog(path))
      try SQLiteDialect.install(on: connection)
      try connection.begin(.immediate)
      defer { try? connection.rollback() }
      return try RepairTransaction.run(connection, path: path, model: model, clearing: cleared)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }
}

extension StoreRepair {
  /// One thing that is mended.
  public struct Step: Hashable, Sendable {
    /// The check that finds it.
    public let check: String
    /// The subject: an entity, a property such as `Photo.image`, or a table.
    public let subject: String
    /// The number of rows, links or parts that are changed.
    public let count: Int
    /// The short names (`Employee/p4`) of the first objects concerned, at most ten.
    public let objects: [String]
    /// The action, as a sentence without full stop and without the objects' names.
    public let message: String

    package init(check: String, subject: String, count: Int, objects: [String], message: String) {
      (self.check, self.subject, self.count) = (check, subject, count)
      (self.objects, self.message) = (objects, message)
    }
  }

  /// One thing that is left as it is.
  public struct Unrepaired: Hashable, Sendable {
    /// The finding that is left.
    public let finding: StoreCheckFinding
    /// The reason why it is not mended, as a sentence without full stop.
    public let reason: String
    /// The remedy for a person, as a sentence without full stop.
    public let remedy: String

    package init(_ finding: StoreCheckFinding, _ advice: RepairAdvice) {
      self.finding = finding
      reason = advice.reason
      remedy = advice.remedy.replacing(RepairAdvice.property, with: finding.subject)
    }
  }

  /// Result of a repair.
  public struct Result: Hashable, Sendable {
    /// The steps that were carried out.
    public let steps: [Step]
    /// The damage that was left: all that a check of the store finds from now on.
    public let unrepaired: [Unrepaired]
    /// The path of the copy of the store as it was before.
    public let backup: String

    package init(steps: [Step], unrepaired: [Unrepaired], backup: String) {
      (self.steps, self.unrepaired, self.backup) = (steps, unrepaired, backup)
    }
  }
}
