import Foundation

extension CommandSession {
  /// Writes a file that a command was asked to make, at once or not at all.
  ///
  /// A file that is there already is replaced only when a person at the terminal or `--yes` says so.
  ///
  /// - Parameter replacing: whether replacing it is what the command was asked for.
  func writeFile(_ bytes: some Sequence<UInt8>, to path: String, replacing: Bool = false) throws {
    if !replacing, FileManager.default.fileExists(atPath: path) { try confirmReplacing(path) }
    let file = try file(at: path)
    let buffer = OutputBuffer(descriptor: file.descriptor, path: path)
    buffer.append(Array(bytes))
    try buffer.flush()
    try file.commit()
  }

  /// Begins to write a file that appears when it is whole, and that is not the store.
  func file(at path: String) throws -> AtomicFile {
    try refuseStore(at: path, "the output")
    return try AtomicFile(path: path)
  }

  /// Refuses to replace the store, or a file that belongs to it, by what a command writes.
  ///
  /// - Parameter role: What would be written, as the message calls it.
  func refuseStore(at path: String, _ role: String) throws {
    guard let store = openContext?.coordinator.storePath ?? settings.store,
      let file = StoreFiles(store).file(at: path)
    else { return }
    throw Diagnostic(
      code: "usage",
      message: "\(role) would replace \(file), which \(file == store ? "is" : "belongs to") the store",
      hints: ["name another file"], exitCode: .usage)
  }

  /// Asks before a file or folder is replaced; refuses where nobody can be asked.
  func confirmReplacing(_ path: String) throws {
    guard !settings.answersYes else { return }
    guard isPersonAtTerminal else {
      throw Diagnostic(
        code: "not-confirmed", message: "\(path) is there already, and replacing it needs --yes",
        hints: ["repeat the command with --yes, or name another file"], exitCode: .notConfirmed)
    }
    try confirm("Replace \(path)")
  }
}
