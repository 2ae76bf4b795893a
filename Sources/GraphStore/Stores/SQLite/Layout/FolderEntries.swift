import Glibc

/// Names of the files in a folder, which are durable once the folder is flushed, as the files' contents are by themselves.
enum FolderEntries {
  /// Makes durable what lies beside a path.
  ///
  /// - Returns: The number of the system's error; 0 for none, and where the file system knows no flushing of folders.
  static func flush(beside path: String) -> Int32 {
    flush(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
  }

  /// Makes durable what lies in a folder.
  ///
  /// - Returns: As ``flush(beside:)``.
  static func flush(_ folder: String) -> Int32 {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder that may be written need not be one that may be read.
    guard descriptor >= 0 else { return errno == EACCES ? 0 : errno }
    defer { close(descriptor) }
    guard fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP else { return 0 }
    return errno
  }
}
