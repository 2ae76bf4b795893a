/// Strings files: `"key" = "value";` with C-style escapes and comments, in UTF-8 or in UTF-16 with a byte
/// order mark.
enum StringsFile {
  /// Reads a file.
  static func read(_ path: String) throws(StringsFileError) -> [String: String] {
    let bytes: [UInt8]
    do {
      bytes = try ModelFile.read(path)
    } catch {
      throw StringsFileError(path: path, message: "The strings file cannot be read.")
    }
    do {
      return try parse(bytes)
    } catch {
      var located = error
      located.path = path
      throw located
    }
  }

  /// The texts of a file's bytes; of keys that repeat the last one stays.
  static func parse(_ bytes: [UInt8]) throws(StringsFileError) -> [String: String] {
    var parser = StringsParser(try decode(bytes))
    return try parser.parse()
  }

  private static func decode(_ bytes: [UInt8]) throws(StringsFileError) -> [Unicode.Scalar] {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      guard bytes.count % 2 == 0 else {
        throw StringsFileError(message: "The UTF-16 text ends in half a character.")
      }
      let low = bytes[0] == 0xFF ? 0 : 1
      let units = stride(from: 2, to: bytes.count, by: 2).map {
        UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw StringsFileError(message: "The text is not UTF-16.")
      }
      return Array(text.unicodeScalars)
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let text = String(validating: bytes[start...], as: UTF8.self) else {
      throw StringsFileError(message: "The text is not UTF-8, and has no byte order mark of UTF-16.")
    }
    return Array(text.unicodeScalars)
  }
}

/// Where the strings files of a model are: beside the model, named after it.
struct StringsLocation: Hashable, Sendable {
  private let directory: String
  private let fileName: String

  /// The path for a model file or directory: `CompanyModel.strings` beside `Company.json` and
  /// `Company.graphmodel`.
  init(besides path: String) {
    directory = ModelFile.directory(of: path)
    fileName = ModelFile.baseName(of: path) + "Model.strings"
  }

  /// The files of a language, the one that counts least first; they need not be there.
  func paths(language: String?) -> [String] {
    let folders = language.map { ModelLanguage.folders(for: $0) } ?? []
    return [ModelFile.path(fileName, in: directory)]
      + folders.map { ModelFile.path($0 + "/" + fileName, in: directory) }
  }
}

/// A strings file that cannot be read.
struct StringsFileError: Error, Hashable, Sendable {
  /// The file.
  var path: String?
  /// The message, as a sentence.
  var message: String
  /// The line, from 1; nil where the file is not text.
  var line: Int?
  /// The column, from 1.
  var column: Int?

  /// The problem as a finding about the model.
  var finding: ModelProblem {
    let place = path.map { "\($0): " } ?? ""
    return ModelProblem(
      "strings-unreadable", severity: .error, at: ModelPath().key("localization"), message: place + message,
      remedy: "Its texts are not used; write lines of \"key\" = \"value\"; in UTF-8.", line: line,
      column: column)
  }
}
