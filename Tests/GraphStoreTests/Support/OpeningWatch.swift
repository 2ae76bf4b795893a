import Foundation
import Testing

/// Counts how often a file is opened, or the files of a folder.
final class OpeningWatch {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = inotify_init1(Int32(O_NONBLOCK))
    try #require(descriptor >= 0)
    try #require(inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_CLOSE)) >= 0)
  }

  deinit { close(descriptor) }

  func count() -> Int {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let length = read(descriptor, &bytes, bytes.count)
    var count = 0
    var position = 0
    // Openings that follow each other would be told as one; the closings keep them apart.
    while position + 16 <= length {
      func word(_ offset: Int) -> Int {
        bytes[(position + offset)..<(position + offset + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      if word(4) & Int(IN_OPEN) != 0 { count += 1 }
      position += 16 + word(12)
    }
    return count
  }
}
