import Foundation

/// The state of the file: bytes that are others once anybody has committed.
extension SQLiteStore {
  /// How long ago the files have to have been written for their times to tell them apart: the clock of a file
  /// system goes in steps of a few milliseconds.
  private static let settledAge = 0.05

  /// The identity, sizes and times of the file and its log, the counter in the file's header, and the header
  /// of the log's index, which has a checksum over all of the log; nil where the files were written just now,
  /// or there are none.
  var contentState: Data? {
    if isPrivate { return nil }
    var state = Data()
    var newest = -Double.infinity
    for suffix in ["", "-wal", "-journal"] {
      var status = stat()
      guard unsafe stat(path + suffix, &status) == 0 else {
        if suffix.isEmpty { return nil }
        state.append(0)
        continue
      }
      let time = status.st_mtim
      newest = max(newest, Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
      for number in [
        Int64(status.st_dev), Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_size),
        Int64(time.tv_sec),
        Int64(time.tv_nsec),
      ] {
        unsafe withUnsafeBytes(of: number) { unsafe state.append(contentsOf: $0) }
      }
    }
    guard Date().timeIntervalSince1970 - newest > Self.settledAge else { return nil }
    state.append(Data(Self.bytes(of: path, 24..<28)))
    state.append(Data(Self.bytes(of: path + "-shm", 0..<48)))
    return state
  }

  private static func bytes(of path: String, _ range: Range<UInt64>) -> [UInt8] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    try? file.seek(toOffset: range.lowerBound)
    return Array((try? file.read(upToCount: range.count)) ?? Data())
  }
}
