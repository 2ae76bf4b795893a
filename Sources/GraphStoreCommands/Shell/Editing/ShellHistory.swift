/// What was typed, oldest first, in memory and in its file if there is one.
final class ShellHistory {
  private(set) var entries: [String]
  private let file: HistoryFile?
  /// False once an entry could not be written.
  private(set) var isKept: Bool

  init(file: HistoryFile?) {
    self.file = file
    entries = file?.load() ?? []
    isKept = file != nil
  }

  /// Adds an entry, unless it is empty, begins with a space, or repeats the last one.
  /// - Returns: true if it was added.
  func add(_ entry: String) -> Bool {
    guard let first = entry.first, first != " ", entry.contains(where: { !$0.isWhitespace }) else {
      return false
    }
    guard entries.last != entry else { return false }
    entries.append(entry)
    if entries.count > HistoryFile.limit { entries.removeFirst(entries.count - HistoryFile.limit) }
    if let file, isKept { isKept = file.append(entry) }
    return true
  }
}
