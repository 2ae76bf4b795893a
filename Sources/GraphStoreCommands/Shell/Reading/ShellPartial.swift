/// An unfinished line as completion sees it: the words before the cursor's word, and that word up to the cursor.
struct ShellPartial: Hashable, Sendable {
  struct Current: Hashable, Sendable {
    /// The word's text up to the cursor, quotes gone; of a bare `where` the whole raw text.
    var text: String
    /// Where the word begins in the text given, in UTF-8 bytes; negative if on an earlier line.
    var start: Int
    /// The quote that is open at the cursor.
    var quote: ShellOpener?
    var isRaw: Bool
  }

  var words: [ShellWord]
  /// Nil if a new word would begin at the cursor.
  var current: Current?
  var isComment: Bool
}
