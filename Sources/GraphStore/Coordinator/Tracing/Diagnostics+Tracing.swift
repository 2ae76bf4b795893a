import GraphStorePredicates
import GraphStoreSQLite
import Synchronization

extension Diagnostics {
  private struct Settings {
    var isEnvironmentRead = false
    var ofEnvironment: Set<TraceKind> = []
    var ofCode: Set<TraceKind>?
    var levelOfEnvironment = 0
    var levelOfCode: Int?
    var migrationLevelOfEnvironment = 0
    var migrationLevelOfCode: Int?
    var guardOfEnvironment: Bool?
    var guardOfCode: Bool?

    var kinds: Set<TraceKind> { ofCode ?? ofEnvironment }
    var level: Int { levelOfCode ?? levelOfEnvironment }
    var migrationLevel: Int { migrationLevelOfCode ?? migrationLevelOfEnvironment }
    var checksQueues: Bool { guardOfCode ?? guardOfEnvironment ?? ConcurrencyGuard.isDebugBuild }
    /// Whether the time in statements is needed.
    var measuresTime: Bool { !kinds.isEmpty || level > 0 }
  }

  private static let settings = Mutex(Settings())
  private static let traced = Atomic<UInt8>(0)

  /// The kinds of events of which every coordinator of the process writes a line, none at first.
  ///
  /// A value that is set here counts from the next request on and overrides `GRAPHSTORE_TRACE`, whose value
  /// is a list such as `fetches,misses` and is read when the first store is opened. Lines are written to
  /// ``file``.
  public static var tracedKinds: Set<TraceKind> {
    get { settings.withLock(\.kinds) }
    set { change { $0.ofCode = newValue } }
  }

  /// The level of the SQL log of the process: how much it tells of what its stores do in SQLite; 0, which is
  /// nothing, at first.
  ///
  /// Each level tells what the lower ones tell. 1 has connections, each statement as SQLite is given it,
  /// times and numbers of rows, and which statements have fulfilled a fault. 2 adds bound values and the time
  /// of saves, 3 rows, and 4 SQLite's plan of each SELECT. **Levels 2 to 4 print data.** Results and
  /// statements are the same at all of them.
  ///
  /// A value that is set here is cut to the levels that there are, counts from the next request on, and
  /// overrides `GRAPHSTORE_SQL_LOG`, which is read when the first store is opened. Lines are written to
  /// ``file``, those of one request together.
  ///
  /// ```swift
  /// Diagnostics.sqlLevel = 5
  /// print(Diagnostics.sqlLevel)  // 4
  /// Diagnostics.sqlLevel = 0
  /// ```
  public static var sqlLevel: Int {
    get { settings.withLock(\.level) }
    set { change { $0.levelOfCode = min(max(newValue, sqlLevels.lowerBound), sqlLevels.upperBound) } }
  }

  /// The levels of the SQL log.
  package static let sqlLevels = 0...4

  /// The level of the log of migrations: how much a migration without a log of its own tells; 0, which is
  /// nothing, at first.
  ///
  /// 1 has the store, both versions, the plan, each step with its time, the replacement and the backup, and
  /// the reasons why no mapping could be inferred. 2 adds each mapping and what is left behind, 3 the
  /// statements of steps over sets and each object that a policy has made. **Level 3 prints data.**
  ///
  /// A value that is set here is cut to the levels that there are, counts from the next migration on, and
  /// overrides `GRAPHSTORE_MIGRATION_DEBUG`. Lines are written to ``file``.
  ///
  /// ```swift
  /// Diagnostics.migrationLevel = 1
  /// print(MigrationLog.ofProcess.level)  // steps
  /// Diagnostics.migrationLevel = 0
  /// ```
  public static var migrationLevel: Int {
    get {
      readEnvironment()
      return settings.withLock(\.migrationLevel)
    }
    set {
      let level = min(max(newValue, migrationLevels.lowerBound), migrationLevels.upperBound)
      change { $0.migrationLevelOfCode = level }
    }
  }

  /// The levels of the log of migrations.
  package static let migrationLevels = 0...3

  /// Whether contexts that are made from now on check that they and their objects are used on their queue
  /// alone; at first they do in debug builds.
  ///
  /// A value that is set here overrides `GRAPHSTORE_CONCURRENCY_DEBUG`, which is 1 or 0; see
  /// <doc:Concurrency>.
  ///
  /// ```swift
  /// Diagnostics.checksQueues = true
  /// ```
  public static var checksQueues: Bool {
    get {
      readEnvironment()
      return settings.withLock(\.checksQueues)
    }
    set { change { $0.guardOfCode = newValue } }
  }

  /// The level that a text names; nil for one that names none.
  package static func level(in text: String, of levels: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { levels.contains($0) && text.count == 1 ? $0 : nil }
  }

  /// The file that diagnostic lines are appended to; nil for standard error. At first that of
  /// `GRAPHSTORE_LOG`.
  ///
  /// It is made, for its owner alone, when the first line is written; where that cannot be done, one warning
  /// says so and the lines are written to standard error.
  public static var file: String? {
    get {
      readEnvironment()
      return DiagnosticLog.path
    }
    set {
      readEnvironment()
      DiagnosticLog.path = newValue
    }
  }

  /// Takes diagnostic lines instead of any file, on the thread of the request; it must not use a context.
  public static var sink: (@Sendable (DiagnosticLine) -> Void)? {
    get { DiagnosticLog.sink }
    set { DiagnosticLog.sink = newValue }
  }

  /// Writes a diagnostic line.
  package static func write(_ text: String, as category: DiagnosticLine.Category = .trace) {
    DiagnosticLog.write(DiagnosticLine(category, text))
  }

  /// Writes a diagnostic line as it is.
  package static func writeWhole(_ line: String) { DiagnosticLog.writeWhole(line) }

  // MARK: Trace

  /// The traced kinds, as bits.
  @inline(__always)
  static var tracedBits: UInt8 { traced.load(ordering: .relaxed) }

  /// Writes the line of an event if its kind is traced.
  static func trace(_ event: TraceEvent) {
    if tracedBits & event.kind.bit != 0 { write("\(event)") }
  }

  /// Reads the variables, once a process.
  static func readEnvironment() {
    guard !settings.withLock(\.isEnvironmentRead) else { return }
    var warnings: [String] = []
    change { settings in
      if settings.isEnvironmentRead { return }
      settings.isEnvironmentRead = true
      if let path = EnvironmentVariable.value(of: "GRAPHSTORE_LOG"), !path.isEmpty {
        DiagnosticLog.path = path
      }
      func read(_ name: String, _ levels: ClosedRange<Int>) -> Int? {
        guard let text = EnvironmentVariable.value(of: name), !text.isEmpty else { return nil }
        let level = level(in: text, of: levels)
        if level == nil { warnings.append("\(name): \(unknownLevel(text, of: levels))") }
        return level
      }
      settings.levelOfEnvironment = read("GRAPHSTORE_SQL_LOG", sqlLevels) ?? 0
      settings.migrationLevelOfEnvironment = read("GRAPHSTORE_MIGRATION_DEBUG", migrationLevels) ?? 0
      settings.guardOfEnvironment = read("GRAPHSTORE_CONCURRENCY_DEBUG", 0...1).map { $0 == 1 }
      guard let text = EnvironmentVariable.value(of: "GRAPHSTORE_TRACE"), !text.isEmpty else { return }
      do throws(TraceKind.UnknownKind) { settings.ofEnvironment = try TraceKind.kinds(in: text) } catch {
        warnings.append("GRAPHSTORE_TRACE: \(error.message)")
      }
    }
    for warning in warnings { write(warning, as: .warning) }
  }

  /// The message about a text that names none of some levels.
  package static func unknownLevel(_ text: String, of levels: ClosedRange<Int>) -> String {
    "there is no level \"\(text)\"; there are \(levels.map(String.init).joined(separator: ", "))"
  }

  private static func change(_ body: (inout Settings) -> Void) {
    let (before, after) = settings.withLock { settings in
      let before = settings.measuresTime
      body(&settings)
      traced.store(settings.kinds.mask, ordering: .relaxed)
      SQLiteLogging.level = settings.level
      return (before, settings.measuresTime)
    }
    if !before, after { StatementClock.start() }
    if before, !after { StatementClock.stop() }
  }
}

/// Token of an observation of what a coordinator's contexts do, which ends when it is cancelled or released.
///
/// Keep it as long as events are to be delivered:
///
/// ```swift
/// let trace = coordinator.observe([.fetches, .saves]) { event in print(event) }
/// let employees = try context.fetch(Employee.fetchRequest())
/// trace.cancel()
/// ```
public final class TraceObservation: Sendable {
  private let monitor: ActivityMonitor

  init(_ monitor: ActivityMonitor) { self.monitor = monitor }

  deinit { cancel() }

  /// Ends the observation, from any thread; an event that is being delivered may still arrive.
  public func cancel() { monitor.remove(ObjectIdentifier(self)) }
}

extension PersistentStoreCoordinator {
  /// Counts of the work of contexts and stores since the coordinator was made, or since ``resetCounters()``.
  ///
  /// Counting never stops and costs an addition each time; times are summed while ``measuresTime`` is on or
  /// events are observed. May be read from any thread; what a context is doing meanwhile may be counted or
  /// not.
  public var counters: ActivityCounters { activity.counters(with: countedStatements) }

  /// Sets all counters to 0.
  public func resetCounters() { activity.reset(with: countedStatements) }

  /// Whether the time that fetches and saves take is summed, which asks a clock twice for each; false at
  /// first.
  public var measuresTime: Bool {
    get { activity.measuresTime }
    set { activity.setMeasuresTime(newValue) }
  }

  /// Has events delivered, as values, until the token is cancelled or released.
  ///
  /// ```swift
  /// let trace = coordinator.observe([.misses]) { print($0) }
  /// for employee in department.employees { print(employee.name) }
  /// trace.cancel()
  /// ```
  ///
  /// - Parameters:
  ///   - kinds: The kinds to deliver. With both kinds of faults a miss is delivered twice, once as each.
  ///   - backtrace: Whether each event has the call stack at its origin, which takes far longer than a fault.
  ///   - receive: Takes an event after the work and outside of all locks, on the thread of the request.
  /// - Returns: The token, which ends the observation when it is released.
  public func observe(
    _ kinds: Set<TraceKind>, backtrace: Bool = false, _ receive: @escaping @Sendable (TraceEvent) -> Void
  ) -> TraceObservation {
    let observation = TraceObservation(activity)
    activity.add(observation, kinds: kinds, backtrace: backtrace, receive)
    return observation
  }
}
