import Foundation
import GraphStore

/// History of the shell, oldest entry first, in memory and in its file if there is one.
final class ShellHistory {
  private(set) var entries: [String]
  private let file: HistoryFile?
  /// False once an entry could not be written.
  private(set) var isKept: Bool

  init(file: HistoryFile?) {
    self.file = file
    entries = file?.load() ?? []
    isKept = file != nil
  }

  /// Adds a statement without passwords in addresses, unless it is empty, begins with a space, or repeats the
  /// last one.
  /// - Returns: true if it was added.
  func add(_ statement: String) -> Bool {
    let entry = ServerAddress.hidingPasswords(in: statement)
    guard let first = entry.first, first != " ", entry.contains(where: { !$0.isWhitespace }) else {
      return false
    }
    guard entries.last != entry else { return false }
    entries.append(entry)
    if entries.count > HistoryFile.limit { entries.removeFirst(entries.count - HistoryFile.limit) }
    if let file, isKept { isKept = file.append(entry) }
    return true
  }
}

/// History file: one entry a line, newlines and backslashes of entries escaped, oldest first.
///
/// Every access holds a lock on the file, so sessions at the same time add to each other's entries.
struct HistoryFile: Sendable {
  static let limit = 10_000

  let path: String

  /// `$XDG_STATE_HOME/graphstore/history`; `GRAPHSTORE_HISTORY` names another file, or none if it is empty.
  init?(environment: [String: String]) {
    if let path = environment["GRAPHSTORE_HISTORY"] {
      guard !path.isEmpty else { return nil }
      self.path = path
      return
    }
    guard let folder = Self.folder(environment) else { return nil }
    path = folder + "/history"
  }

  /// The path of the history of a store alone, by its identifier; nil where there is no home to keep it in.
  static func path(ofStore identifier: UUID, _ environment: [String: String]) -> String? {
    folder(environment).map { "\($0)/history-\(identifier.uuidString)" }
  }

  private static func folder(_ environment: [String: String]) -> String? {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/graphstore" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.local/state/graphstore"
  }

  init(path: String) {
    self.path = path
  }

  /// The newest entries, oldest first. Cuts a file that has grown far beyond the limit.
  func load() -> [String] {
    let found = withFile(creates: false) { descriptor -> [String]? in
      guard let text = Self.read(descriptor) else { return nil }
      let lines = text.split(separator: UInt8(ascii: "\n"))
      let kept = lines.suffix(Self.limit)
      if lines.count > Self.limit + Self.limit / 10 {
        let bytes = Array(kept.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
        Self.replace(descriptor, with: bytes)
      }
      return kept.map { Self.unescape(String(decoding: $0, as: UTF8.self)) }
    }
    return found.flatMap { $0 } ?? []
  }

  /// Adds an entry at the end.
  /// - Returns: false if the file cannot be written.
  @discardableResult
  func append(_ entry: String) -> Bool {
    var line = Array(Self.escape(entry).utf8)
    line.append(UInt8(ascii: "\n"))
    let done = withFile(creates: true) { descriptor in
      // A line that a crash cut short must not run into this one.
      var last: UInt8 = UInt8(ascii: "\n")
      let size = lseek(descriptor, 0, SEEK_END)
      if size > 0 { unsafe pread(descriptor, &last, 1, size - 1) }
      let bytes = last == UInt8(ascii: "\n") ? line : [UInt8(ascii: "\n")] + line
      return Self.write(bytes, to: descriptor)
    }
    return done ?? false
  }

  // MARK: File

  private func withFile<Result>(creates: Bool, _ body: (Int32) -> Result) -> Result? {
    if creates {
      let folder = (path as NSString).deletingLastPathComponent
      if !folder.isEmpty {
        try? FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
    }
    let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | (creates ? O_CREAT : 0)
    let descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var information = stat()
    // A device or a pipe is nobody's history, and neither is a file that is no text.
    guard unsafe fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      Self.beginsAsText(descriptor)
    else { return nil }
    if information.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
    var result: Int32
    repeat { result = flock(descriptor, LOCK_EX) } while result != 0 && errno == EINTR
    guard result == 0 else { return nil }
    return body(descriptor)
  }

  /// Whether no NUL is among the first bytes, as in every database.
  private static func beginsAsText(_ descriptor: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return count >= 0 && !bytes.prefix(count).contains(0)
  }

  private static func read(_ descriptor: Int32) -> [UInt8]? {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    var count = 0
    while count < bytes.count {
      let part = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe buffer.baseAddress.map {
          unsafe pread(descriptor, $0 + count, buffer.count - count, off_t(count))
        } ?? 0
      }
      if part < 0 && errno == EINTR { continue }
      guard part > 0 else { break }
      count += part
    }
    return Array(bytes.prefix(count))
  }

  private static func replace(_ descriptor: Int32, with bytes: [UInt8]) {
    guard ftruncate(descriptor, 0) == 0 else { return }
    _ = write(bytes, to: descriptor)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  // MARK: Lines

  static func escape(_ entry: String) -> String {
    var result = ""
    for scalar in entry.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\0": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func unescape(_ line: String) -> String {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if isEscaped {
        result.append(scalar == "n" ? "\n" : scalar == "r" ? "\r" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
