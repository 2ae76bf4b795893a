import Foundation

/// File names for completion.
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
