import Foundation

/// Executable file, found as the system's shell finds it.
package enum ExecutableFile {
  /// The path of a program in the folders of `PATH`, searched in their order behind other folders; nil where
  /// none has it.
  ///
  /// - Parameter isWanted: Whether a file that was found is meant.
  package static func path(
    of name: String, in environment: [String: String], behind folders: [String] = [],
    where isWanted: (String) -> Bool = { _ in true }
  ) -> String? {
    let named = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + named).lazy.map { "\($0)/\(name)" }.first { isThere($0) && isWanted($0) }
  }

  /// Whether a path is that of a file which may be executed.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
