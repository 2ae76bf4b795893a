import Foundation

/// Reading failed: a file cannot be read, or what it holds is malformed.
struct InputError: Error, Sendable, Equatable {
  /// What kind of failure it was; the raw value is the error's stable code.
  enum Code: String, Sendable {
    case fileNotFound = "file-not-found"
    case isDirectory = "is-directory"
    case noPermission = "no-permission"
    case readFailed = "read-failed"
    case unknownFormat = "unknown-format"
    case notUTF8 = "not-utf8"
    case jsonSyntax = "json-syntax"
    case notAnObject = "not-an-object"
    case duplicateKey = "duplicate-key"
    case tooManyNames = "too-many-names"
    case headerMissing = "header-missing"
    case headerInvalid = "header-invalid"
    case fieldCount = "field-count"
    case csvSyntax = "csv-syntax"
    case tsvSyntax = "tsv-syntax"
    case unclosedQuote = "unclosed-quote"
  }

  var code: Code
  var message: String
  /// Line of the input, from 1; nil where the fault has no place.
  var line: Int?
  /// Column in characters, from 1.
  var column: Int?
  /// The name of the field, where the fault lies in one.
  var field: String?
  /// Whether reading can go on with the next record.
  var isRecoverable: Bool

  init(
    _ code: Code, _ message: String, line: Int? = nil, column: Int? = nil, field: String? = nil,
    isRecoverable: Bool = false
  ) {
    self.code = code
    self.message = message
    self.line = line
    self.column = column
    self.field = field
    self.isRecoverable = isRecoverable
  }

  /// An error for a failed system call on a file.
  init(errno number: Int32, path: String) {
    let name = Self.name(path)
    switch number {
    case ENOENT, ENOTDIR: self.init(.fileNotFound, "there is no file \(name)")
    case EISDIR: self.init(.isDirectory, "\(name) is a directory; name a file in it")
    case EACCES, EPERM: self.init(.noPermission, "no permission to read \(name)")
    default: self.init(.readFailed, unsafe "cannot read \(name): \(String(cString: strerror(number)))")
    }
  }

  /// A file's name as messages have it.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : "\"\(path)\"" }

  /// The status the command ends with.
  var exitCode: ExitCode {
    switch code {
    case .fileNotFound, .isDirectory: .noInput
    case .noPermission: .noPermission
    case .readFailed: .ioError
    case .unknownFormat: .usage
    default: .dataError
    }
  }
}
