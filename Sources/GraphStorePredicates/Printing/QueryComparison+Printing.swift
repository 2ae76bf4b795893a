extension QueryComparison.Options {
  /// The options in brackets as they print; empty for none.
  public var text: String {
    if isEmpty { return "" }
    if contains(.normalized) { return "[n]" }
    var letters = ""
    if contains(.caseInsensitive) { letters += "c" }
    if contains(.diacriticInsensitive) { letters += "d" }
    if contains(.localized) { letters += "l" }
    return "[\(letters)]"
  }
}
