/// What can stand in place of the word before the cursor.
struct Completion: Hashable, Sendable {
  struct Candidate: Hashable, Sendable {
    /// The whole text that replaces the range.
    var text: String
    /// What a list shows.
    var display: String

    init(_ text: String, display: String? = nil) {
      self.text = text
      self.display = display ?? text
    }
  }

  /// UTF-8 bytes of the line that a candidate replaces; it ends at the cursor.
  var range: Range<Int>
  var candidates: [Candidate]
  /// True if a single candidate is followed by a blank.
  var endsWord = true

  /// What every candidate begins with; a single candidate in full, with the blank behind it.
  var commonText: String {
    guard let first = candidates.first else { return "" }
    guard candidates.count > 1 else { return first.text + (endsWord ? " " : "") }
    var common = Substring(first.text)
    for candidate in candidates.dropFirst() { common = Self.commonPrefix(common, candidate.text) }
    return String(common)
  }

  private static func commonPrefix(_ left: Substring, _ right: String) -> Substring {
    var end = left.startIndex
    for (mine, other) in zip(left.indices, right) where end == mine {
      guard left[mine] == other else { break }
      end = left.index(after: mine)
    }
    return left[..<end]
  }
}
