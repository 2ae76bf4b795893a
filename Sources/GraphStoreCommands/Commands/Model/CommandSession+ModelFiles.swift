import GraphStoreReports

extension CommandSession {
  /// Looks at model files one after the other. One of several that cannot be read is told, and the others are
  /// looked at.
  ///
  /// - Returns: What `body` makes of each that can be read, and the worst exit code of the others.
  func examine<Result>(
    _ paths: [String], _ body: (String) throws -> Result
  ) throws -> (results: [Result], code: ExitCode) {
    var results: [Result] = []
    var code = ExitCode.success
    for path in paths {
      do { results.append(try body(path)) } catch  where paths.count > 1 && !interruption.isAsked {
        let diagnostic = DiagnosticMapper.diagnostic(for: error)
        report(diagnostic)
        if diagnostic.exitCode.rawValue > code.rawValue { code = diagnostic.exitCode }
      }
    }
    return (results, code)
  }
}
