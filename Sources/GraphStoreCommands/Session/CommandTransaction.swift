import CGraphStoreShims
import GraphStore

/// A transaction of a command: it holds the store's write lock from its beginning, and it is known at every
/// moment whether it is saved.
enum CommandTransaction {
  /// Runs a body as one transaction; when it throws, everything is taken back.
  ///
  /// Within a transaction it is a part of that one.
  ///
  /// - Parameters:
  ///   - context: The context that saves in it; nil where the body lets others take part.
  ///   - progress: How far the command has come when this is committed.
  static func run<Result>(
    on coordinator: PersistentStoreCoordinator, with context: ManagedObjectContext? = nil,
    reaching progress: SaveProgress, _ body: (StoreTransaction) throws -> Result
  ) throws -> Result {
    SaveProgress.begin()
    if let open = coordinator.currentTransaction {
      if let context { try open.join(context) }
      return try open.savepoint { try body(open) }
    }
    let transaction = try begin(on: coordinator, with: context)
    do {
      let result = try body(transaction)
      try commit(transaction, reaching: progress)
      return result
    } catch {
      try? transaction.rollback()
      throw error
    }
  }

  /// Runs a body in a transaction that is taken back in any case.
  static func rehearse<Result>(
    on coordinator: PersistentStoreCoordinator, with context: ManagedObjectContext,
    _ body: () throws -> Result
  ) throws -> Result {
    var result: Swift.Result<Result, any Error> = .failure(TakenBack())
    if let open = coordinator.currentTransaction {
      try? open.savepoint {
        result = Swift.Result { try body() }
        throw TakenBack()
      }
    } else {
      let transaction = try begin(on: coordinator, with: context)
      result = Swift.Result { try body() }
      try transaction.rollback()
    }
    return try result.get()
  }

  /// Thrown to take a rehearsal back.
  private struct TakenBack: Error {}

  /// Opens a transaction that a context takes part in.
  static func begin(
    on coordinator: PersistentStoreCoordinator, with context: ManagedObjectContext?
  ) throws -> StoreTransaction {
    let transaction = try coordinator.beginTransaction()
    if let context { try transaction.join(context) }
    return transaction
  }

  /// Commits a transaction.
  static func commit(_ transaction: StoreTransaction, reaching progress: SaveProgress) throws {
    try SaveProgress.commit(reaching: progress) { try transaction.commit() }
  }
}

/// Progress of a command's change towards its commit: what is said of it where the process is ended from
/// outside.
enum SaveProgress: Int32, Sendable {
  /// Nothing is to be changed.
  case reading
  /// What is to be changed is not saved yet.
  case nothing
  /// All of it is saved.
  case all
  /// A part is saved for good, and more is to come.
  case part

  /// Whether something has reached the store.
  var isSaved: Bool { self == .all || self == .part }

  /// That of the process.
  static var current: SaveProgress {
    get { SaveProgress(rawValue: gs_progress()) ?? .reading }
    set { gs_set_progress(newValue.rawValue) }
  }

  /// Records that something is going to be changed.
  static func begin() {
    if current == .reading { current = .nothing }
  }

  /// Runs a commit. A signal that comes meanwhile ends the process behind it, so that what is told is what is
  /// true.
  static func commit(reaching progress: SaveProgress, _ body: () throws -> Void) rethrows {
    gs_hold_ending()
    do {
      try body()
    } catch {
      gs_release_ending(gs_progress())
      throw error
    }
    UnfinishedFiles.keepStore()
    gs_release_ending(progress.rawValue)
  }
}
