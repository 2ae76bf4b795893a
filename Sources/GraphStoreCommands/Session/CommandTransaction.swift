import CGraphStoreShims
import GraphStore

/// A transaction of a command: it holds the store's write lock from its beginning, and it is known at every moment
/// whether it is saved.
enum CommandTransaction {
  /// Runs a body as one transaction; when it throws, everything is taken back.
  ///
  /// Within a transaction it is a part of that one.
  ///
  /// - Parameter progress: how far the command has come when this is committed.
  static func run<Result>(
    on coordinator: PersistentStoreCoordinator, reaching progress: SaveProgress, _ body: () throws -> Result
  ) throws -> Result {
    SaveProgress.begin()
    if coordinator.isInTransaction { return try coordinator.transaction(body) }
    try coordinator.beginTransaction()
    do {
      let result = try body()
      try commit(coordinator, reaching: progress)
      return result
    } catch {
      try? coordinator.rollbackTransaction()
      throw error
    }
  }

  /// Runs a body in a transaction that is taken back in any case.
  static func rehearse<Result>(on coordinator: PersistentStoreCoordinator, _ body: () throws -> Result) throws
    -> Result
  {
    try coordinator.beginTransaction()
    let result = Swift.Result { try body() }
    try coordinator.rollbackTransaction()
    return try result.get()
  }

  /// Commits the transaction that is open.
  static func commit(_ coordinator: PersistentStoreCoordinator, reaching progress: SaveProgress) throws {
    try SaveProgress.commit(reaching: progress) { try coordinator.commitTransaction() }
  }
}

/// Progress of a command's change towards its commit: what is said of it where the process is ended from outside.
enum SaveProgress: Int32, Sendable {
  /// Nothing is to be changed.
  case reading
  /// What is to be changed is not saved yet.
  case nothing
  /// All of it is saved.
  case all
  /// A part is saved for good, and more is to come.
  case part

  /// That of the process.
  static var current: SaveProgress {
    get { SaveProgress(rawValue: gs_progress()) ?? .reading }
    set { gs_set_progress(newValue.rawValue) }
  }

  /// Records that something is going to be changed.
  static func begin() {
    if current == .reading { current = .nothing }
  }

  /// Runs a commit. A signal that comes meanwhile ends the process behind it, so that what is told is what is true.
  static func commit(reaching progress: SaveProgress, _ body: () throws -> Void) rethrows {
    gs_hold_ending()
    do {
      try body()
    } catch {
      gs_release_ending(gs_progress())
      throw error
    }
    gs_release_ending(progress.rawValue)
  }
}
