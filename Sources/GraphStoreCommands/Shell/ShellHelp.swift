/// The texts of `.help`.
enum ShellHelp {
  static func overview(_ commands: [DotCommand]) -> String {
    let width = commands.map(\.usage.count).max() ?? 0
    let list = commands.map { command in
      "  " + command.usage + String(repeating: " ", count: width - command.usage.count + 2) + command.summary
    }
    return """
      Lines are the commands of graphstore without its name: fetch, get, insert, update, delete …
      A bare "where" takes a predicate without quotes. A line goes on while a bracket or quote is
      open or it ends in \\; several statements are separated by ";". Each statement is saved by
      itself, except between .begin and .commit.

      \(list.joined(separator: "\n"))

      """
  }

  static let keys = """
      Enter            run, or go on if something is open
      Tab              complete; again: list
      Up, Down         older and newer entries
      Ctrl-R           search the history
      Ctrl-C           drop the line, or stop what runs
      Ctrl-D           leave; within a line: delete forward
      Ctrl-A, Ctrl-E   start and end of the line
      Ctrl-Left/Right  word left, word right; also Alt-B, Alt-F
      Ctrl-W, Ctrl-U   delete the word before the cursor, the line
      Ctrl-K, Ctrl-Y   cut to the end, put back
      Ctrl-L           clear the screen
      Ctrl-Z           suspend
    Vi keys and your own bindings come from ~/.editrc.

    """
}
