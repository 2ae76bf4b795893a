import GraphStoreReports

extension StatementInterruption {
  /// The one of a session, whose statements end with what has become of their changes.
  static func ofSession() -> StatementInterruption { StatementInterruption { failure } }

  /// What a statement ends with that was asked to stop.
  static var failure: Diagnostic {
    let outcome =
      switch SaveProgress.current {
      case .reading: ""
      case .nothing: "; nothing was changed"
      case .all, .part: "; what was saved before stays saved"
      }
    return Diagnostic(code: "interrupted", message: "interrupted" + outcome, exitCode: .interrupted)
  }
}
