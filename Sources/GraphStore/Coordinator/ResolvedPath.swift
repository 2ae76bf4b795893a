import Glibc

/// Paths without symbolic links, by which two spellings of one place are equal (STO-025).
enum ResolvedPath {
  /// The path from the root with every link followed; where the file is missing, with those of its folder.
  static func of(_ path: String) -> String {
    let path = AbsolutePath.of(path)
    if let found = real(path) { return found }
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex,
      let folder = real(String(path[..<slash]))
    else { return path }
    return (folder == "/" ? "" : folder) + path[slash...]
  }

  private static func real(_ path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  /// Whether a store can be made at a path: nothing is there, or an empty file.
  static func isFree(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }
}
