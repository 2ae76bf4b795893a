import Foundation
import Testing

/// A program that runs at a terminal of its own, and what it has written there.
///
/// ```swift
/// let terminal = try PseudoTerminal("/bin/sh", ["-c", "read x; echo got $x"])
/// terminal.send("é\n")
/// #expect(terminal.expect("got é"))
/// #expect(terminal.wait() == 0)
/// ```
final class PseudoTerminal {
  struct Failure: Error {
    var message: String
  }

  /// Everything written so far, escape sequences included.
  private(set) var transcript = ""
  // Linux's own numbers; posix_openpt and its sisters are not visible to Swift.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430
  private static let newSession: Int16 = 0x80

  private let primary: Int32
  private let process: pid_t
  private var bytes: [UInt8] = []
  private var searched = 0
  private var status: Int32?

  /// - Parameters:
  ///   - environment: the whole environment of the program.
  ///   - size: columns and rows.
  init(
    _ program: String, _ arguments: [String],
    environment: [String: String] = ["TERM": "xterm", "LC_ALL": "C.UTF-8"],
    size: (columns: UInt16, rows: UInt16) = (80, 24)
  ) throws {
    primary = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    guard primary >= 0, ioctl(primary, Self.setLock, &isLocked) == 0,
      ioctl(primary, Self.getNumber, &number) == 0
    else { throw Failure(message: "no pseudo-terminal: \(String(cString: strerror(errno)))") }
    let path = "/dev/pts/\(number)"
    var window = winsize(ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(primary, UInt(TIOCSWINSZ), &window)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Opened by the leader of a new session, the terminal becomes the one that controls it.
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | Self.newSession)
    var argumentList: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var environmentList: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argumentList + environmentList).forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, &attributes, &argumentList, &environmentList)
    self.process = process
    guard code == 0 else { throw Failure(message: "\(program): \(String(cString: strerror(code)))") }
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      var code: Int32 = 0
      waitpid(process, &code, 0)
    }
    close(primary)
  }

  /// Types text; `"\u{4}"` is Ctrl-D, `"\u{3}"` Ctrl-C.
  func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(primary, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends a signal to the program alone, not through the terminal.
  func signal(_ number: Int32) {
    kill(process, number)
  }

  func resize(columns: UInt16, rows: UInt16) {
    var window = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(primary, UInt(TIOCSWINSZ), &window)
  }

  /// True while the terminal echoes and edits lines itself, as a program should leave it.
  var isCooked: Bool {
    var settings = termios()
    guard tcgetattr(primary, &settings) == 0 else { return false }
    return settings.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
  }

  /// Waits until the text has been written after what was expected before; false when the deadline passes or
  /// the program ends without it.
  func expect(_ text: String, seconds: Double = 20) -> Bool {
    let wanted = Array(text.utf8)
    let deadline = Date().addingTimeInterval(seconds)
    while true {
      if let end = find(wanted) {
        searched = end
        return true
      }
      guard Date() < deadline, read(until: deadline) else { return find(wanted) != nil }
    }
  }

  /// What was written since the last text that was expected.
  var unread: String { String(decoding: bytes[searched...], as: UTF8.self) }

  /// Reads until the program ends; its exit code, 128 and more for a signal, nil if it did not end in time.
  func wait(seconds: Double = 20) -> Int32? {
    let deadline = Date().addingTimeInterval(seconds)
    while read(until: deadline), Date() < deadline {}
    while status == nil, Date() < deadline {
      var code: Int32 = 0
      if waitpid(process, &code, WNOHANG) == process {
        status = code & 0x7F == 0 ? (code >> 8) & 0xFF : 128 + (code & 0x7F)
      } else {
        usleep(2_000)
      }
    }
    return status
  }

  private func find(_ wanted: [UInt8]) -> Int? {
    guard wanted.count <= bytes.count - searched else { return nil }
    for start in searched...(bytes.count - wanted.count)
    where bytes[start..<start + wanted.count].elementsEqual(wanted) {
      return start + wanted.count
    }
    return nil
  }

  /// Reads what is there, waiting for something; false at the end or when the deadline passes.
  private func read(until deadline: Date) -> Bool {
    var waiting = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
    let remaining = Int32(max(0, deadline.timeIntervalSinceNow * 1000))
    guard poll(&waiting, 1, remaining) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(primary, &buffer, buffer.count)
    guard count > 0 else { return false }
    bytes += buffer.prefix(count)
    transcript = String(decoding: bytes, as: UTF8.self)
    return true
  }
}
