/// A place in a script, as editors count it: line and column from 1, columns in characters.
struct ShellPosition: Hashable, Sendable, CustomStringConvertible {
  var line: Int
  var column: Int

  var description: String { "\(line):\(column)" }
}
