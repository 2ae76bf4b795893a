import GraphStoreReports

/// The contexts whose changes waited for a decision when a script began: others may not be left so.
struct Unfinished {
  private let names: Set<String>

  init(_ status: ShellStatus) {
    names = Set(status.contexts.filter { $0.isUnfinished || ($0.isPresent && $0.keepsChanges) }.map(\.name))
  }

  /// The error of a script that ends with unsaved changes of its own.
  func error(at status: ShellStatus) -> ShellError? {
    status.contexts.first { $0.isUnfinished && !names.contains($0.name) }.map(Self.error)
  }

  private static func error(_ context: ContextStatus) -> ShellError {
    guard context.name != SessionContexts.mainName || !context.isPresent else {
      return ShellError(
        code: .unclosedTransaction, message: "the script ends between .begin and .commit",
        exitCode: .dataError, hint: "end it with .commit or .rollback")
    }
    return ShellError(
      code: .unclosedTransaction,
      message: context.isScratch
        ? "the script ends with unsaved changes in the scratch context \(context.name)"
        : "the script ends between .begin and .commit in the context \(context.name)",
      exitCode: .dataError,
      hint: context.isPresent
        ? "end it with .commit or .rollback"
        : "end it with .context switch \(context.name), and .commit or .rollback")
  }
}
