import Foundation
import GraphStoreFiles
import GraphStoreReports

/// Reader of a script's lines from a file or another descriptor, each as soon as it is there.
final class FileLines {
  /// Longer than a line of a script can mean to be.
  private static let longestLine = 1 << 27

  private let descriptor: Int32
  private let closes: Bool
  private let name: String
  private let interruption: StatementInterruption?
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  /// - Parameter interruption: what ends a wait for lines; nil where nothing but the process ends it.
  init(descriptor: Int32, closes: Bool, name: String, interruption: StatementInterruption? = nil) {
    self.interruption = interruption
    self.descriptor = descriptor
    self.closes = closes
    self.name = name
  }

  convenience init(path: String, interruption: StatementInterruption? = nil) throws(ShellError) {
    // A pipe whose writer is not there yet is waited for where the wait can be ended.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (interruption == nil ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw Self.error(errno, path: path) }
    self.init(descriptor: descriptor, closes: true, name: path, interruption: interruption)
  }

  deinit {
    if closes { DatabaseFiles.close(descriptor) }
  }

  /// The next line without its newline, nil at the end.
  func next() throws(ShellError) -> [UInt8]? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      searched = buffer.count
      if isAtEnd {
        defer { start = buffer.count }
        return start < buffer.count ? Array(buffer[start...]) : nil
      }
      searched -= start
      buffer.removeSubrange(..<start)
      start = 0
      try fill()
    }
  }

  private func fill() throws(ShellError) {
    let old = buffer.count
    guard old < Self.longestLine else {
      throw ShellError(
        code: .unreadableFile, message: "\"\(name)\" is no script: a line is longer than \(old >> 20) MiB",
        exitCode: .dataError)
    }
    let size = 1 << 16
    buffer.append(contentsOf: repeatElement(0, count: size))
    var count: Int
    repeat {
      do { try wait() } catch {
        buffer.removeSubrange(old...)
        throw error
      }
      count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe read(descriptor, bytes.baseAddress.map { unsafe $0 + old }, size)
      }
    } while count < 0 && (errno == EINTR || errno == EAGAIN)
    let code = errno
    buffer.removeSubrange((old + max(count, 0))...)
    if count < 0 { throw Self.error(code, path: name) }
    if count == 0 { isAtEnd = true }
    guard buffer[old...].contains(0) else { return }
    throw ShellError(
      code: .unreadableFile, message: "\"\(name)\" is no script: it holds NUL characters",
      exitCode: .dataError)
  }

  /// Waits until something can be read.
  private func wait() throws(ShellError) {
    guard let interruption else { return }
    while true {
      if interruption.isAsked {
        throw ShellError(code: .interrupted, message: "interrupted", exitCode: .interrupted)
      }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // The signal may have reached another thread, so that nothing ends the wait but the clock.
      if unsafe poll(&waiting, 1, 50) > 0 { return }
    }
  }

  private static func error(_ code: Int32, path: String) -> ShellError {
    let reason = unsafe String(cString: strerror(code))
    switch code {
    case ENOENT, ENOTDIR:
      return ShellError(code: .fileNotFound, message: "there is no file \"\(path)\"", exitCode: .noInput)
    case EACCES, EPERM:
      return ShellError(
        code: .unreadableFile, message: "\"\(path)\" cannot be read: \(reason)", exitCode: .noPermission)
    case EISDIR:
      return ShellError(code: .unreadableFile, message: "\"\(path)\" is a directory", exitCode: .noInput)
    default:
      return ShellError(
        code: .unreadableFile, message: "\"\(path)\" cannot be read: \(reason)", exitCode: .ioError)
    }
  }
}
