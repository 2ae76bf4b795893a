import GraphStoreReports

/// File that the results of a session go to, until another place is named.
struct Redirection {
  let path: String
  let buffer: OutputBuffer
  private let file: StreamedFile

  /// Begins the file anew.
  init(path: String) throws(OutputError) {
    self.path = path
    file = try StreamedFile(path: path)
    buffer = OutputBuffer(descriptor: file.descriptor, path: path)
  }
}
