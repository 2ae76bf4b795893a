import Foundation
import GraphStoreReports

/// Error of reading input: a file cannot be read, or what it holds is malformed.
struct InputError: Error, Sendable, Equatable {
  /// What kind of failure it was; the raw value is the error's stable code.
  enum Code: String, Sendable {
    case fileNotFound = "file-not-found"
    case isDirectory = "is-directory"
    case noPermission = "no-permission"
    case readFailed = "read-failed"
    case unknownFormat = "unknown-format"
    case notUTF8 = "not-utf8"
    case wrongEncoding = "wrong-encoding"
    case gzipDamaged = "gzip-damaged"
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
    case recordTooLong = "record-too-long"
    case valueTooLarge = "value-too-large"
  }

  var code: Code
  var message: String
  /// Line of the input, from 1; nil where the problem has no place.
  var line: Int?
  /// Column in characters, from 1.
  var column: Int?
  /// The name of the field, where the problem lies in one.
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

  /// An error for a file that is larger than what it holds may be.
  ///
  /// - Parameters:
  ///   - size: Its size in bytes, where that is known.
  ///   - content: What it holds, such as `a value`.
  init(size: Int?, limit: Int, path: String, content: String) {
    let has = size.map { "has \($0.grouped) bytes" } ?? "has no end within \(limit.grouped) bytes"
    self.init(
      .valueTooLarge, "\(Self.name(path)) \(has); \(content) has to have fewer than \(limit.grouped)")
  }

  /// What to do about it where the encoding of the input can be said; empty where that is not the matter.
  var encodingHints: [String] {
    switch code {
    case .notUTF8:
      [
        "say in which encoding the text is: --encoding windows-1252 for most spreadsheets, or "
          + "utf-16, latin-1, macintosh, ibm850, …"
      ]
    case .wrongEncoding: ["the text is in another encoding, which --encoding can say, or damaged"]
    default: []
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

/// Syntax error in JSON.
struct JSONError: Error, Sendable, Equatable {
  /// What is wrong.
  enum Code: String, Sendable {
    case unexpectedEnd = "unexpected-end"
    case unexpectedCharacter = "unexpected-character"
    case invalidNumber = "invalid-number"
    case invalidEscape = "invalid-escape"
    case loneSurrogate = "lone-surrogate"
    case controlCharacter = "control-character"
    case invalidUTF8 = "invalid-utf8"
    case tooDeep = "too-deep"
    case trailingComma = "trailing-comma"
    case trailingText = "trailing-text"
    case duplicateKey = "duplicate-key"
  }

  var code: Code
  /// A clause that says what is wrong.
  var message: String
  /// Where, in bytes from the beginning of the text.
  var offset: Int

  init(_ code: Code, _ message: String, at offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// Line and column of the problem.
  func position(in bytes: UnsafeBufferPointer<UInt8>) -> TextPosition {
    unsafe TextPosition(of: offset, in: bytes)
  }
}

/// Line and column in a text, as people count them.
struct TextPosition: Sendable, Equatable {
  /// Line, from 1.
  var line: Int
  /// Column in characters (Unicode scalars), from 1.
  var column: Int

  init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of a byte offset in a text that begins at `line` and `column`.
  init(
    of offset: Int, in bytes: UnsafeBufferPointer<UInt8>, line: Int = 1, column: Int = 1
  ) {
    let before = unsafe UnsafeBufferPointer(rebasing: bytes.prefix(offset))
    var lines = 0
    for index in before.indices where unsafe before[index] == UInt8(ascii: "\n") { lines &+= 1 }
    var start = 0
    if lines > 0, let last = unsafe before.lastIndex(of: UInt8(ascii: "\n")) { start = last + 1 }
    var characters = 0
    for index in start..<before.endIndex where unsafe before[index] & 0xC0 != 0x80 { characters &+= 1 }
    self.init(line: line + lines, column: lines > 0 ? 1 + characters : column + characters)
  }
}
