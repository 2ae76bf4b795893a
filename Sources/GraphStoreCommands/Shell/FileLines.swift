import Foundation

/// The lines of a file descriptor, each as soon as it is there.
final class FileLines {
  private let descriptor: Int32
  private let closes: Bool
  private let name: String
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(descriptor: Int32, closes: Bool, name: String) {
    self.descriptor = descriptor
    self.closes = closes
    self.name = name
  }

  convenience init(path: String) throws(ShellError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.error(errno, path: path) }
    self.init(descriptor: descriptor, closes: true, name: path)
  }

  deinit {
    if closes { close(descriptor) }
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
    let size = 1 << 16
    buffer.append(contentsOf: repeatElement(0, count: size))
    var count: Int
    repeat {
      count = buffer.withUnsafeMutableBytes { bytes in
        read(descriptor, bytes.baseAddress.map { $0 + old }, size)
      }
    } while count < 0 && errno == EINTR
    let code = errno
    buffer.removeSubrange((old + max(count, 0))...)
    if count < 0 { throw Self.error(code, path: name) }
    if count == 0 { isAtEnd = true }
  }

  private static func error(_ code: Int32, path: String) -> ShellError {
    let reason = String(cString: strerror(code))
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
