/// Text style by an escape sequence (SGR).
package enum Style: String, Sendable {
  case bold = "\u{1B}[1m"
  case dim = "\u{1B}[2m"
  case red = "\u{1B}[31m"
  case green = "\u{1B}[32m"
  case yellow = "\u{1B}[33m"
  case cyan = "\u{1B}[36m"
  case boldCyan = "\u{1B}[1;36m"
  case boldRed = "\u{1B}[1;31m"
  case boldYellow = "\u{1B}[1;33m"

  /// Ends every style.
  package static let reset = "\u{1B}[0m"

  /// The text in this style, or unchanged where styles are off.
  func apply(_ text: String, if isOn: Bool) -> String {
    isOn ? rawValue + text + Style.reset : text
  }
}
