import Foundation

/// Completion of the word before the cursor: its range and the candidates.
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

/// Column layout of candidates, as `ls` has it.
enum CompletionList {
  static let longest = 200

  static func text(_ names: [String], columns: Int) -> String {
    let shown = names.prefix(longest)
    let width = (shown.map(\.count).max() ?? 0) + 2
    let perRow = max(1, columns / width)
    let rows = (shown.count + perRow - 1) / perRow
    var text = ""
    for row in 0..<rows {
      let cells = stride(from: row, to: shown.count, by: rows).map { shown[$0] }
      for (index, cell) in cells.enumerated() {
        text += cell
        if index < cells.count - 1 { text += String(repeating: " ", count: width - cell.count) }
      }
      text += "\n"
    }
    if names.count > longest { text += "… and \(names.count - longest) more\n" }
    return text
  }
}

/// Completion of file names.
enum FileNames {
  /// The names in a folder, sorted; those of subfolders end in `/`. Nothing if the folder cannot be read.
  static func list(_ folder: String) -> [String] {
    let path = folder.isEmpty ? "." : folder
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      var information = stat()
      let isFolder =
        unsafe stat(path + "/" + name, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
      names.append(isFolder ? name + "/" : name)
    }
    return names.sorted()
  }

  /// A name as it is typed outside quotes.
  static func escape(_ name: String) -> String {
    var result = ""
    for character in name {
      if " \t\\'\"();[]{}#".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }
}
