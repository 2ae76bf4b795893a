import Foundation

/// Error of writing output.
package struct OutputError: Error, Sendable, Equatable {
  /// What kind of failure it was; the raw value is the error's stable code.
  package enum Code: String, Sendable {
    case brokenPipe = "broken-pipe"
    case diskFull = "disk-full"
    case cannotCreate = "cannot-create"
    case noPermission = "no-permission"
    case writeFailed = "write-failed"
  }

  /// What kind of failure it was.
  package var code: Code
  /// A sentence that says what failed.
  package var message: String
  /// What to do about it, as a clause behind the message.
  package var remedy: String?

  /// An error of a kind, in words.
  package init(_ code: Code, _ message: String, remedy: String? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// An error for a failed system call on a file.
  package init(errno number: Int32, path: String?, creating: Bool = false) {
    let place = path.map { "\"\($0)\"" } ?? "the output"
    let reason = unsafe String(cString: strerror(number))
    switch number {
    case EPIPE: self.init(.brokenPipe, "the reader of the output has gone away")
    case ENOSPC, EDQUOT:
      self.init(.diskFull, "cannot write \(place): the disk is full", remedy: "make room and try again")
    case EACCES, EPERM, EROFS:
      self.init(
        .noPermission, "cannot write \(place): \(reason)",
        remedy: "choose another place or change its permissions")
    case _ where creating: self.init(.cannotCreate, "cannot create \(place): \(reason)")
    default: self.init(.writeFailed, "cannot write \(place): \(reason)")
    }
  }

  /// The status the command ends with.
  package var exitCode: ExitCode {
    switch code {
    case .brokenPipe: .brokenPipe
    case .diskFull, .writeFailed: .ioError
    case .cannotCreate: .cannotCreate
    case .noPermission: .noPermission
    }
  }
}
