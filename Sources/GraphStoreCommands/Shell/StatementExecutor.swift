import GraphStore
import GraphStoreReports

/// Executor of the command lines of the shell and of scripts.
///
/// Outside `.begin` every statement is one save. Between `.begin` and `.commit` changes stay in the context;
/// a statement that fails there undoes only itself. A script transaction lies around all saves of a script:
/// they reach the file together, or not at all. All calls come from one thread.
protocol StatementExecutor: AnyObject {
  var status: ShellStatus { get }

  /// What saves do with conflicts.
  var policy: SaveConflictPolicy { get set }

  /// What is told on standard error as long as `.trace` says nothing.
  var tracedKinds: Set<TraceKind> { get }

  /// Names that `.format` takes.
  var formatNames: [String] { get }

  /// Command names for suggestions.
  var commandNames: [String] { get }

  /// Runs one command line and prints what it prints. The words may begin with any command that makes sense
  /// within a session; an unknown one is an error with the exit code 64.
  ///
  /// A statement that fails has no effect.
  func execute(_ statement: ShellStatement, settings: ShellSettings) throws -> StatementOutcome

  /// How long the last statement waited for a person's answers.
  var timeAnswering: Duration { get }

  /// Opens the transaction that makes all saves of a script one.
  func beginScript() throws
  func commitScript() throws
  /// Rolls back every save since `beginScript()`, and unsaved changes with them.
  func rollbackScript() throws

  /// Keeps changes in the context until `commit()` or `rollback()`.
  func begin() throws
  /// Saves what is pending; if that fails everything stays pending.
  func commit() throws -> CommitOutcome
  func rollback() throws

  /// A line for each pending object, such as `+ Employee/t1`.
  func pendingObjects() throws -> [String]

  /// Takes over what others have saved, of objects with some ids or of all that are in memory; unsaved
  /// changes stay.
  ///
  /// - Returns: A line for each object that was named, or one for all.
  func refresh(_ ids: [String]) throws -> [String]

  /// A line for each failure that a save would end with now (OBJ-335); nothing is saved.
  func failuresOfSave() throws -> [String]

  /// Prints the entities of the model with their counts.
  func printEntities(settings: ShellSettings) throws

  /// Prints the model, or one entity of it.
  func printSchema(entity: String?, settings: ShellSettings) throws

  /// Prints the help of a command or a topic; nil if there is none of that name.
  func help(for topic: String) -> String?

  /// What an error thrown by any of these functions says. Its `source` or `key` leads to the words of the
  /// statement; the file, line and column of a script are added by the shell.
  func diagnostic(for error: any Error) -> Diagnostic

  /// What stops the statement that is running, asked from another thread at any moment.
  var interruption: StatementInterruption { get }
}

/// An executor whose statements can be taken back. The shell offers `.undo` and `.redo` only then.
protocol UndoingExecutor: StatementExecutor {
  /// Undoes the last statement that changed something; returns its text, nil if there is none. Outside
  /// `.begin` the opposite change is saved.
  func undo() throws -> String?
  func redo() throws -> String?

  /// Names the state between `.begin` and `.commit` to which `rollback(to:)` returns.
  func savepoint(_ name: String) throws
  /// Undoes the statements since a savepoint, which stays; false where there is none of that name.
  func rollback(to name: String) throws -> Bool
}

/// An executor with several contexts. The shell offers `.context` only then.
protocol ContextExecutor: StatementExecutor {
  /// Makes a context, which is the present one then: one over the store, or a scratch context below the
  /// present one.
  ///
  /// - Parameter name: Its name; nil makes one up.
  func makeContext(named name: String?, isScratch: Bool) throws

  /// Has statements run in another context.
  func switchContext(to name: String) throws

  /// Lets go of a context and its unsaved changes, once somebody has agreed to that.
  /// - Returns: what it was.
  func dropContext(_ name: String) throws -> ContextStatus

  /// Drops the unsaved changes of all contexts.
  func rollbackAll() throws
}

/// An executor over stores. The shell offers `.open`, `.fields`, `.output` and `.once` only then.
protocol StoreExecutor: StatementExecutor {
  /// Works on other stores from now on, each a path or `NAME=PATH`. Where they cannot be opened, it goes on
  /// with its own.
  func open(_ stores: [String]) throws

  /// Makes sure that objects of an entity can be printed so.
  func checkFields(_ fields: String, of entity: String) throws

  /// Has results written to a file, which is begun anew; nil for standard output.
  func redirectOutput(to path: String?) throws
}

/// An executor that knows the last statement that printed a result. The shell offers `.last` only then.
protocol LastResultExecutor: StatementExecutor {
  /// Runs the last statement that printed a result again, with the settings of now; false if there is none.
  func printLastResult(settings: ShellSettings) throws -> Bool
}

/// An executor that prints pages of help as it prints results: by a pager where they are longer than the
/// screen.
protocol PagingExecutor: StatementExecutor {
  /// Prints a page, whose lines fit the terminal, whatever file results go to.
  func printPage(_ text: String, settings: ShellSettings) throws
}

/// What has come of a statement that has not failed.
struct StatementOutcome {
  /// Whether it changed something.
  var hasChanged = false
  /// The exit code that it has as a command: 0, or 2 where its answer is "no".
  var exitCode = ExitCode.success
}

/// What has come of a commit.
struct CommitOutcome {
  /// How many objects were saved, and how many a policy has dropped.
  var summary = SaveSummary()
  /// The ids that new objects had, and those that they have from now on.
  var identifiers: [(former: String, present: String)] = []
  /// The context that the changes are unsaved changes of now; nil where they are saved into the store.
  var savedInto: String?
}
