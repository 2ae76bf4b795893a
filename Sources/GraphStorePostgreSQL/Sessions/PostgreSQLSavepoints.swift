#if PostgreSQL
import GraphStore

/// The open savepoints of a transaction, of which the server gets to know only those that it needs: one that
/// is set before the transaction has begun is its beginning, and those between which nothing is asked of the
/// server are one.
struct PostgreSQLSavepoints {
  private struct Savepoint {
    /// The number in its name; nil for the beginning of the transaction.
    let number: Int?
    /// How many transactions of the history had been recorded.
    let recorded: Int
  }

  private var open: [Savepoint] = []
  private var lastNumber = 0

  /// The innermost one.
  private var last: Savepoint? { open.last }

  private static func setting(_ number: Int) -> String { "SAVEPOINT save_\(number)" }
  private static func releasing(_ number: Int) -> String { "RELEASE SAVEPOINT save_\(number)" }

  /// Sets one with the next statement.
  ///
  /// - Parameter isUntouched: Whether the transaction has not begun.
  mutating func set(on connection: PostgreSQLConnection, isUntouched: Bool, recorded: Int) {
    if isUntouched { return open.append(Savepoint(number: nil, recorded: recorded)) }
    if let number = last?.number, connection.lastOfPrelude == Self.setting(number) {
      return open.append(Savepoint(number: number, recorded: recorded))
    }
    lastNumber += 1
    connection.precede(with: Self.setting(lastNumber))
    open.append(Savepoint(number: lastNumber, recorded: recorded))
  }

  /// Forgets the innermost one, with the next statement.
  mutating func release(on connection: PostgreSQLConnection) {
    guard let number = open.removeLast().number, last?.number != number else { return }
    if connection.lastOfPrelude == Self.setting(number) {
      connection.dropLastOfPrelude()
    } else {
      connection.precede(with: Self.releasing(number))
    }
  }

  /// How to return to a savepoint.
  enum Return {
    case beginning
    case statements([String])
  }

  /// Forgets the innermost one, and says how to return to it.
  ///
  /// - Returns: Also how many transactions of the history had been recorded.
  mutating func rollBack(on connection: PostgreSQLConnection) -> (way: Return, recorded: Int) {
    let savepoint = open.removeLast()
    guard let number = savepoint.number else { return (.beginning, savepoint.recorded) }
    let isShared = last?.number == number
    let waits = connection.dropPrelude(behind: Self.setting(number))
    if waits, !isShared { connection.dropLastOfPrelude() }
    if waits { return (.statements([]), savepoint.recorded) }
    let releasing = isShared ? [] : [Self.releasing(number)]
    return (.statements(["ROLLBACK TO SAVEPOINT save_\(number)"] + releasing), savepoint.recorded)
  }
}

extension PostgreSQLWriteSession {
  func setSavepoint() throws {
    savepoints.set(on: connection, isUntouched: isUntouched, recorded: recorded.count)
  }

  func releaseSavepoint() throws { savepoints.release(on: connection) }

  func rollbackToSavepoint() throws {
    let (way, count) = savepoints.rollBack(on: connection)
    recorded.removeSubrange(count...)
    switch way {
    case .statements(let statements):
      if statements.isEmpty { return }
      _ = connection.forgetPrelude()
      _ = try reporting { try connection.run(statements.map { .once($0) }) }
    case .beginning:
      if isUntouched { return }
      _ = connection.forgetPrelude()
      if connection.isInTransaction { _ = try reporting { try connection.run([.once("ROLLBACK")]) } }
      beginWriting()
    }
  }

  /// Runs a body whose failure is taken back without the rest of the transaction.
  func withinSavepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try setSavepoint()
    do {
      let result = try body()
      try releaseSavepoint()
      return result
    } catch {
      if connection.isOpen { try rollbackToSavepoint() }
      throw error
    }
  }
}
#endif
