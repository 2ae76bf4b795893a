import Foundation

/// Room on a file system.
enum DiskSpace {
  /// How many bytes the process may still write in a folder; nil where that cannot be told.
  static func free(at folder: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? Int.max : Int(clamping: bytes)
  }
}
