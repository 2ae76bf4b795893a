import Foundation

/// Paths from the root, as `URL` makes them.
enum AbsolutePath {
  /// The path from the root of a path that may begin at the working folder.
  ///
  /// `URL` searches types at run time, which takes longer than opening a store: it is asked only about paths with
  /// something to tidy up.
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
