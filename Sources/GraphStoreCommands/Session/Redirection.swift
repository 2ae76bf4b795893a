import GraphStoreReports

/// File that the results of a session go to, until another place is named.
struct Redirection {
  let path: String
  private let file: StreamedFile

  /// Begins the file anew.
  init(path: String) throws(OutputError) {
    self.path = path
    file = try StreamedFile(path: path)
  }

  var buffer: OutputBuffer { file.output }

  /// Ends the file: one with gzip is whole only then.
  func finish() throws(OutputError) { try file.finish() }
}
