/// The text before the cursor.
struct ShellPrompt: Hashable, Sendable {
  var text: String
  /// True while a block is open; shown dim.
  var isContinuation = false

  /// `hr> `, `hr*> ` within `.begin`, `hr*(+1 ~2 -3)> ` with unsaved changes, `hr!> ` if the file changed under us.
  static func ready(_ status: ShellStatus) -> ShellPrompt {
    var text = status.storeName
    if status.isInTransaction { text += "*" }
    if status.isChangedElsewhere { text += "!" }
    if status.pendingCount > 0 { text += "(\(counts(status)))" }
    return ShellPrompt(text: text + "> ")
  }

  /// `...  (    `, showing what is open.
  static func continuation(_ opener: ShellOpener) -> ShellPrompt {
    ShellPrompt(text: "...  \(opener.rawValue)    ", isContinuation: true)
  }

  private static func counts(_ status: ShellStatus) -> String {
    [("+", status.inserted), ("~", status.updated), ("-", status.deleted)]
      .filter { $0.1 > 0 }
      .map { "\($0.0)\($0.1)" }
      .joined(separator: " ")
  }
}
