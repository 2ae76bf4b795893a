/// Exit code of the process.
///
/// The numbers are a promise to scripts. Those from 64 on follow `sysexits.h`; those above 128 are a signal's
/// number plus 128. A script may end with any number of its own: `.exit N`.
package struct ExitCode: RawRepresentable, Hashable, Sendable {
  /// The number that the process ends with.
  package let rawValue: Int32

  /// The exit code of a number.
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

extension ExitCode {
  /// Done; also: nothing found, nothing to do.
  package static let success = ExitCode(rawValue: 0)
  /// Failed in a way that has no class of its own.
  package static let failure = ExitCode(rawValue: 1)
  /// Ran, and the answer is "no".
  package static let negativeAnswer = ExitCode(rawValue: 2)
  /// A rule of the model refused the save.
  package static let refused = ExitCode(rawValue: 3)
  /// Not confirmed: answered no, or a flag such as `--yes` was needed.
  package static let notConfirmed = ExitCode(rawValue: 4)
  /// Done for a part of the input only.
  package static let partial = ExitCode(rawValue: 5)
  /// The command line is wrong.
  package static let usage = ExitCode(rawValue: 64)
  /// The input data is wrong.
  package static let dataError = ExitCode(rawValue: 65)
  /// A file that is to be read is not there.
  package static let noInput = ExitCode(rawValue: 66)
  /// A defect of this program.
  package static let internalError = ExitCode(rawValue: 70)
  /// A file cannot be created.
  package static let cannotCreate = ExitCode(rawValue: 73)
  /// Reading or writing failed, the disk is full, or the store is damaged.
  package static let ioError = ExitCode(rawValue: 74)
  /// The store stayed locked; trying again may help.
  package static let temporaryFailure = ExitCode(rawValue: 75)
  /// No permission, or read-only.
  package static let noPermission = ExitCode(rawValue: 77)
  /// The configuration is wrong, or the store needs a migration.
  package static let configuration = ExitCode(rawValue: 78)
  /// The terminal of a session went away.
  package static let hungUp = ExitCode(rawValue: 129)
  /// Ended by an interrupt (Ctrl-C).
  package static let interrupted = ExitCode(rawValue: 130)
  /// The reader of the output went away.
  package static let brokenPipe = ExitCode(rawValue: 141)
  /// Ended by a termination signal.
  package static let terminated = ExitCode(rawValue: 143)

  /// Those that commands end with of themselves.
  package static let promised: [ExitCode] = [
    success, failure, negativeAnswer, refused, notConfirmed, partial, usage, dataError, noInput,
    internalError,
    cannotCreate, ioError, temporaryFailure, noPermission, configuration, hungUp, interrupted, brokenPipe,
    terminated,
  ]
}
