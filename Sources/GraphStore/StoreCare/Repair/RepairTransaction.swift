import GraphStoreModel
import GraphStoreSQLite

/// The repair of a store within a transaction that is open, one kind of damage after another.
///
/// Each kind relies on those before it: indexes on their tables, tables on the metadata, rows on the numbers
/// of their entities, references on rows, places on links, and derived values on everything. No other
/// connection writes meanwhile.
struct RepairTransaction {
  /// Outcome of a repair, and the findings of a check after it.
  struct Outcome {
    var steps: [StoreRepair.Step] = []
    var unrepaired: [StoreRepair.Unrepaired]
  }

  let connection: SQLiteConnection
  let path: String
  private let model: ManagedObjectModel?
  /// The properties, such as `Employee.salary`, whose values of a wrong type are set to nil.
  let cleared: [String]
  var inspector: StoreInspector
  private(set) var steps: [StoreRepair.Step] = []
  /// Whether the rows can be identified by their entities' numbers; otherwise none is touched.
  private var canIdentifyRows = true

  var schema: SQLSchema { inspector.schema }

  /// Whether the store was made by this library: tables, numbers and metadata of one of Core Data are not
  /// touched.
  var isOurs: Bool { inspector.metadata.isOurs }

  /// Mends what can be mended, and checks what is left.
  ///
  /// - Throws: as ``StoreCheck/run(path:model:configuration:isQuick:timeout:)``; `incompatible-model`,
  ///   `unknown-entity`, `unknown-key`; ``SQLiteError``.
  static func run(
    _ connection: SQLiteConnection, path: String, model: ManagedObjectModel?, clearing cleared: [String]
  ) throws -> Outcome {
    var repair = try RepairTransaction(connection, path: path, model: model, clearing: cleared)
    let obstacle = try repair.obstacle()
    if obstacle == nil {
      try repair.mend()
      try repair.endHistory()
    }
    let left = repair.inspector.results().flatMap(\.findings)
    return Outcome(
      steps: repair.steps, unrepaired: left.map { .init($0, obstacle ?? repair.advice(on: $0.damage)) })
  }

  private init(
    _ connection: SQLiteConnection, path: String, model: ManagedObjectModel?, clearing cleared: [String]
  ) throws {
    (self.connection, self.path, self.model, self.cleared) = (connection, path, model, cleared)
    inspector = try Self.inspector(on: connection, path: path, model: model)
    try checkModel(model)
  }

  private static func inspector(
    on connection: SQLiteConnection, path: String, model: ManagedObjectModel?
  ) throws -> StoreInspector {
    var inspector = try StoreCheck.inspector(connection, path: path, model: model)
    inspector.isAlone = true
    try inspector.prepare()
    inspector.findTables()
    return inspector
  }

  /// Looks at metadata, numbers and tables as they are now. A table without a key of its own is passed over:
  /// which of its rows a reference means is not certain.
  mutating func inspectAnew() throws {
    inspector = try Self.inspector(on: connection, path: path, model: model)
    for table in schema.tables where inspector.isSound(table) {
      if try !inspector.hasKey(table.name, "Z_PK") { inspector.passOver(table) }
    }
  }

  private mutating func mend() throws {
    try mendIndexContents()
    try inspectAnew()
    if isOurs {
      try mendMetadata()
      try mendTables()
      try mendKeys()
      try inspectAnew()
      try mendEntityNumbers()
      try inspectAnew()
    }
    canIdentifyRows = try hasCertainNumbers()
    if canIdentifyRows {
      if isOurs { try mendMissingIndexes(unique: false) }
      try mendRows()
    }
    guard isOurs else { return }
    try mendMissingIndexes(unique: true)
    try mendIndexedFunctions()
    try mendExternalPrefixes()
    try inspectAnew()
    try mendDerivedValues()
  }

  private mutating func mendRows() throws {
    try mendRowTags()
    try clearMisfits()
    try mendPairs()
    try mendDanglingReferences()
    try mendReferenceTags()
    try mendDanglingLinks()
    try mendOneSidedPairs()
    try mendPlaces()
    try mendRowVersions()
    try mendKeyCounters()
  }

  /// Advice on damage that is left: for a store of Core Data, that it is changed in its rows only; for rows
  /// that cannot be identified, that their numbers are repaired first.
  private func advice(on damage: StoreDamage) -> RepairAdvice {
    if !isOurs, damage.isOfLayout {
      return RepairAdvice(
        "tables, numbers and metadata of a store of Core Data are left as they are",
        remedy: "mend it with the application that it belongs to")
    }
    if !canIdentifyRows, damage.isMendedInRows {
      return RepairAdvice(
        "which entity a number stands for is not certain",
        remedy: "mend the list of entities, and repair again")
    }
    return damage.advice
  }

  /// Has the history of a store in which something was mended begin anew: it does not say what was, so that
  /// who follows it has to look at the store again.
  private mutating func endHistory() throws {
    guard !steps.isEmpty, try StoreHeader.read(connection).get().history != nil else { return }
    let count = Int(try connection.int64("SELECT count(*) FROM ATRANSACTION") ?? 0)
    try SQLiteLayout.beginHistoryAnew(connection)
    note(
      "history", SQLiteHistoryTables.transactions, count: max(count, 1),
      "the history begins anew: its readers have to look at the store again")
  }

  // MARK: Steps

  /// Notes that something was mended.
  mutating func note(
    _ check: String, _ subject: String, count: Int, objects: [String] = [], _ message: String
  ) {
    guard count > 0 else { return }
    steps.append(
      StoreRepair.Step(check: check, subject: subject, count: count, objects: objects, message: message))
  }

  /// Mends something, or leaves it as it is where the constraints of a table are against it.
  mutating func attempt(_ body: (inout RepairTransaction) throws -> Void) throws {
    let former = steps
    do {
      try connection.savepoint { try body(&self) }
    } catch let failure as SQLiteError {
      guard [.unique, .constraint].contains(failure.category) else { throw failure }
      steps = former
    }
  }

  /// Sets columns of the rows that fulfil a condition.
  ///
  /// - Parameters:
  ///   - table: The table; it is called `s` in the other texts.
  ///   - condition: Which rows.
  ///   - assignments: What is set.
  ///   - message: What is done, by the number of rows.
  mutating func update(
    _ table: SQLTable, check: String, subject: String, where condition: String, set assignments: [String],
    message: (Int) -> String
  ) throws {
    let sample = try inspector.sample(table, where: condition)
    guard sample.count > 0 else { return }
    try attempt { repair in
      try repair.connection.execute(
        "UPDATE \(table.quotedName) AS s SET \(assignments.joined(separator: ", ")) WHERE \(condition)")
      repair.note(check, subject, count: sample.count, objects: sample.objects, message(sample.count))
    }
  }

  /// `1 row`, `2 rows`.
  static func number(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension StoreDamage {
  /// Whether it concerns parts of a store of Core Data besides rows.
  fileprivate var isOfLayout: Bool {
    switch self {
    case .metadataRows, .modelHash, .hashDigest, .missingTable, .missingColumns, .columnType, .missingKey,
      .missingPairKey,
      .missingIndex, .indexedFunctions, .unknownEntity, .parentNumber, .missingNumber:
      true
    default: false
    }
  }

  /// Whether it is mended by changes of rows.
  fileprivate var isMendedInRows: Bool {
    switch self {
    case .rowTag, .referenceTag, .rowVersion, .disagreeingPair, .oneSidedPair, .danglingReference,
      .danglingLink,
      .place, .keyCounter:
      true
    default: false
    }
  }
}
