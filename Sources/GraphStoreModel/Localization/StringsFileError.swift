/// A strings file that cannot be read.
struct StringsFileError: Error, Hashable, Sendable {
  /// The file.
  var path: String?
  /// What is wrong, as a sentence.
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
