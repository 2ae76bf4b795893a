import Foundation
import Glibc

/// Paths without symbolic links, by which two spellings of one location are equal (STO-025).
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

/// Paths from the root, as `URL` makes them.
enum AbsolutePath {
  /// The path from the root of a path that may begin at the working folder.
  ///
  /// `URL` searches types at run time, which takes longer than opening a store: it is asked only about paths
  /// with something to tidy up.
  static func of(_ path: String) -> String {
    guard isTidy(path) else { return URL(fileURLWithPath: path).path }
    if path.utf8.first == UInt8(ascii: "/") { return path }
    guard let buffer = unsafe getcwd(nil, 0) else { return URL(fileURLWithPath: path).path }
    defer { unsafe free(buffer) }
    let folder = unsafe String(cString: buffer)
    return folder == "/" ? folder + path : folder + "/" + path
  }

  /// Whether no part is empty or made of points, and none is `~`.
  private static func isTidy(_ path: String) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return !path.isEmpty
      && parts.enumerated().allSatisfy { position, part in
        if part.isEmpty { return position == 0 }
        return part.first != UInt8(ascii: ".") && part.first != UInt8(ascii: "~")
      }
  }
}
