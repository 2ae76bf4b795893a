import Foundation

/// Search for runs of bytes.
enum ByteSearch {
  /// Whether a run of bytes, not empty, occurs in others.
  static func contains(_ needle: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let needleStart = needle.baseAddress, let start = bytes.baseAddress, needle.count <= bytes.count,
      needle.count > 0
    else { return false }
    var offset = 0
    let last = bytes.count - needle.count
    while offset <= last {
      guard let hit = unsafe memchr(start + offset, Int32(needle[0]), last - offset + 1) else { return false }
      if unsafe memcmp(hit, needleStart, needle.count) == 0 { return true }
      offset = unsafe UnsafeRawPointer(hit) - UnsafeRawPointer(start) + 1
    }
    return false
  }
}
