/// A question to a person that a change has come to; it is asked once nothing is locked any more.
struct UnansweredQuestion: Error {
  /// What is to be done, in words that a question mark can follow.
  var action: String
  /// What is shown before it.
  var lines: [String]
  /// How many objects are concerned.
  var extent: Int
}
