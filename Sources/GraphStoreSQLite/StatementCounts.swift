import CGraphStoreShims
import Synchronization

/// Numbers of statements of each kind that have begun to run.
public struct StatementCounts: Hashable, Sendable {
  /// `SELECT`, and those that begin with `WITH`.
  public var select = 0
  /// `INSERT`.
  public var insert = 0
  /// `UPDATE`.
  public var update = 0
  /// `DELETE`.
  public var delete = 0
  /// `BEGIN`.
  public var begin = 0
  /// `COMMIT`.
  public var commit = 0
  /// `ROLLBACK`, also to a savepoint.
  public var rollback = 0
  /// Everything else: savepoints, pragmas, what makes tables.
  public var other = 0

  /// No statements.
  public init() {}

  /// All of them.
  public var total: Int { select + insert + update + delete + begin + commit + rollback + other }

  /// Adds the counts of another connection, or takes them off.
  ///
  /// - Parameters:
  ///   - other: The counts.
  ///   - factor: How often they are added; -1 takes them off.
  public mutating func add(_ other: Self, times factor: Int = 1) {
    select += factor * other.select
    insert += factor * other.insert
    update += factor * other.update
    delete += factor * other.delete
    begin += factor * other.begin
    commit += factor * other.commit
    rollback += factor * other.rollback
    self.other += factor * other.other
  }
}

/// The counters of one connection, which other threads read.
final class StatementCounters: Sendable {
  private let select = Atomic<Int>(0)
  private let insert = Atomic<Int>(0)
  private let update = Atomic<Int>(0)
  private let delete = Atomic<Int>(0)
  private let begin = Atomic<Int>(0)
  private let commit = Atomic<Int>(0)
  private let rollback = Atomic<Int>(0)
  private let other = Atomic<Int>(0)

  /// Counts a statement by its first letters, as the library writes them.
  func count(_ text: UnsafePointer<CChar>) {
    // Each letter is read only if the one before it was there: a text may be shorter.
    let (first, second) = unsafe (text[0] | 0x20, text[0] == 0 ? 0 : text[1] | 0x20)
    switch (UInt8(bitPattern: first), UInt8(bitPattern: second)) {
    case (UInt8(ascii: "s"), UInt8(ascii: "e")), (UInt8(ascii: "w"), _): add(to: select)
    case (UInt8(ascii: "i"), _): add(to: insert)
    case (UInt8(ascii: "u"), _): add(to: update)
    case (UInt8(ascii: "d"), UInt8(ascii: "e")) where unsafe text[2] | 0x20 == 0x6c: add(to: delete)
    case (UInt8(ascii: "b"), _): add(to: begin)
    case (UInt8(ascii: "c"), UInt8(ascii: "o")): add(to: commit)
    case (UInt8(ascii: "r"), UInt8(ascii: "o")): add(to: rollback)
    default: add(to: other)
    }
  }

  private func add(to counter: borrowing Atomic<Int>) { counter.add(1, ordering: .relaxed) }

  var counts: StatementCounts {
    var counts = StatementCounts()
    counts.select = select.load(ordering: .relaxed)
    counts.insert = insert.load(ordering: .relaxed)
    counts.update = update.load(ordering: .relaxed)
    counts.delete = delete.load(ordering: .relaxed)
    counts.begin = begin.load(ordering: .relaxed)
    counts.commit = commit.load(ordering: .relaxed)
    counts.rollback = rollback.load(ordering: .relaxed)
    counts.other = other.load(ordering: .relaxed)
    return counts
  }
}

/// The clock of statements, which runs only while a caller needs the time that they take.
public enum StatementClock {
  /// Adds a caller that needs times; it ends with ``stop()``.
  public static func start() { gs_start_statement_clock() }

  /// Removes a caller that needs times.
  public static func stop() { gs_stop_statement_clock() }

  /// How long the calling thread has spent in statements while the clock ran.
  public static var time: Duration { .nanoseconds(Int64(gs_statement_nanoseconds())) }
}
