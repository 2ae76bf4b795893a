import Foundation

/// Locks of files in a run, followed through the system calls that strace tells of.
///
/// A process that closes any descriptor of a file loses all locks that it has on the file.
struct LockTrace {
  /// Whether strace is there and may watch processes.
  static let isPossible: Bool = {
    guard let tool = try? CommandLineTool() else { return false }
    return (try? tool.runShell("strace -f -qq -o trace -e trace=close true").code) == 0
  }()

  /// The system calls that have to be written down.
  static let calls = "open,openat,close,fcntl,rename,renameat,renameat2,link,linkat,unlink,unlinkat"

  /// The lines of calls that lost locks.
  private(set) var losses: [String] = []
  /// How many locks were taken.
  private(set) var lockCount = 0

  private let folder: String
  /// Files by their paths, and by descriptors.
  private var names: [String: Int] = [:]
  private var descriptors: [Int: Int] = [:]
  private var locks: [Int: [Range<Int>]] = [:]
  private var fileCount = 0

  /// - Parameters:
  ///   - text: What `strace -f -y` wrote of one process.
  ///   - folder: The folder in which it ran.
  init(_ text: String, folder: String) {
    self.folder = folder
    for line in text.split(separator: "\n") { follow(String(line)) }
  }

  private mutating func follow(_ line: String) {
    if line.contains("open"), let match = line.firstMatch(of: /= (\d+)<([^>]*)>$/) {
      descriptors[Int(match.1) ?? 0] = file(String(match.2))
    } else if let match = line.firstMatch(
      of:
        /fcntl\((\d+)<.*>(?:\(deleted\))?, F_SETLKW?, \{l_type=F_(\w+), l_whence=SEEK_SET, l_start=(\d+), l_len=(\d+)\}/
    ) {
      guard !line.contains("= -1"), let file = descriptors[Int(match.1) ?? 0] else { return }
      let start = Int(match.3) ?? 0
      let length = Int(match.4) ?? 0
      lock(file, start..<(length == 0 ? .max : start + length), isTaken: match.2 != "UNLCK")
    } else if let match = line.firstMatch(of: /close\((\d+)<(.*)>/) {
      guard let file = descriptors.removeValue(forKey: Int(match.1) ?? 0) else { return }
      // SQLite closes the index of a log with its lock.
      if locks[file]?.isEmpty == false, !match.2.hasSuffix("-shm") {
        losses.append(line)
        locks[file] = nil
      }
    } else if line.contains("rename") || line.contains("link") {
      move(line)
    }
  }

  private mutating func move(_ line: String) {
    let paths = line.matches(of: /"([^"]*)"/).map { absolute(String($0.1)) }
    guard !line.contains("= -1"), let first = paths.first else { return }
    if paths.count == 2 { names[paths[1]] = file(first) }
    if !line.contains(" link") { names[first] = nil }
  }

  private func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : "\(folder)/\(path)" }

  private mutating func file(_ path: String) -> Int {
    if let file = names[path] { return file }
    fileCount += 1
    names[path] = fileCount
    return fileCount
  }

  private mutating func lock(_ file: Int, _ range: Range<Int>, isTaken: Bool) {
    var ranges = (locks[file] ?? []).flatMap { held in
      [
        held.lowerBound..<max(held.lowerBound, min(held.upperBound, range.lowerBound)),
        min(held.upperBound, max(held.lowerBound, range.upperBound))..<held.upperBound,
      ]
    }.filter { !$0.isEmpty }
    if isTaken {
      ranges.append(range)
      lockCount += 1
    }
    locks[file] = ranges
  }
}
