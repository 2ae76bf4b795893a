/// What the command tells the shell when it ends.
///
/// The numbers are a promise to scripts. Those from 64 on follow `sysexits.h`; those above 128 are a signal's number
/// plus 128.
enum ExitCode: Int32, Sendable, CaseIterable {
  /// Done; also: nothing found, nothing to do.
  case success = 0
  /// Failed in a way that has no class of its own.
  case failure = 1
  /// Ran, and the answer is "no".
  case negativeAnswer = 2
  /// A rule of the model refused the save.
  case refused = 3
  /// Not confirmed: answered no, or a flag such as `--yes` was needed.
  case notConfirmed = 4
  /// Done for a part of the input only.
  case partial = 5
  /// The command line is wrong.
  case usage = 64
  /// The input data is wrong.
  case dataError = 65
  /// A file that is to be read is not there.
  case noInput = 66
  /// A fault of this program.
  case internalError = 70
  /// A file cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed, the disk is full, or the store is damaged.
  case ioError = 74
  /// The store stayed locked; trying again may help.
  case temporaryFailure = 75
  /// No permission, or read-only.
  case noPermission = 77
  /// The configuration is wrong, or the store needs a migration.
  case configuration = 78
  /// Ended by an interrupt (Ctrl-C).
  case interrupted = 130
  /// The reader of the output went away.
  case brokenPipe = 141
  /// Ended by a termination signal.
  case terminated = 143
}
