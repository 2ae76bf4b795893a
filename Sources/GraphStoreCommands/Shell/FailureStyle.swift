/// How errors of statements are shown.
struct FailureStyle: Sendable {
  /// True if each error is one line of JSON: no other sentences then go to standard error.
  var isJSON = false
  /// A diagnostic as it is printed, with its last newline.
  var describe: @Sendable (Diagnostic) -> String
}
