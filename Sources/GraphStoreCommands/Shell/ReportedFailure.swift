/// Ends what is running after its error has been shown already.
struct ReportedFailure: Error, Hashable, Sendable {
  var exitCode: ExitCode
}
