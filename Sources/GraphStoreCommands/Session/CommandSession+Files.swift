import Foundation
import GraphStore
import GraphStoreReports

extension CommandSession {
  /// Writes a file that a command was asked to make, at once or not at all.
  ///
  /// A file that is there already is replaced only when a person at the terminal or `--yes` says so.
  ///
  /// - Parameter replacing: whether replacing it is what the command was asked for.
  func writeFile(_ bytes: some Sequence<UInt8>, to path: String, replacing: Bool = false) throws {
    let file = try file(at: path, replacing: replacing)
    file.output.append(Array(bytes))
    try file.commit()
  }

  /// Begins to write a file that appears when it is whole, and that is not the store.
  ///
  /// - Parameter replacing: whether a file that is there already is replaced without a question.
  func file(at path: String, replacing: Bool = false) throws -> AtomicFile {
    try refuseStore(at: path, "the output")
    if !replacing, Self.isFile(path) { try confirmReplacing(path) }
    return try AtomicFile(path: path)
  }

  /// Asks, before anything is done, whether the file that a command prints to may be replaced.
  func confirmOutput() throws {
    guard let path = settings.outputPath, path != redirection?.path else { return }
    try confirmFile(path, as: "the output")
  }

  /// Asks, before anything is done, whether a file that a command is going to write may be replaced; `-` is
  /// no file.
  ///
  /// - Parameter role: What would be written, as the message calls it.
  /// - Throws: `usage` for a file of the store, `not-confirmed`.
  func confirmFile(_ path: String, as role: String) throws {
    guard path != "-" else { return }
    try refuseStore(at: path, role)
    if Self.isFile(path) { try confirmReplacing(path) }
  }

  /// Whether a path leads to a file whose content is lost when it is replaced: not to a pipe or a device.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Refuses to replace the store, or a file that belongs to it, by what a command writes.
  ///
  /// - Parameter role: What would be written, as the message calls it.
  func refuseStore(at path: String, _ role: String) throws {
    guard let file = fileOfStore(at: path) else { return }
    throw Diagnostic(
      code: "usage", message: "\(role) would replace \(file)", hints: ["name another file"], exitCode: .usage)
  }

  /// Refuses to append to the store, or to a file that belongs to it.
  ///
  /// - Parameter role: What would be appended, as the message calls it.
  func refuseAppending(toStoreAt path: String, _ role: String) throws {
    guard let file = fileOfStore(at: path) else { return }
    throw Diagnostic(
      code: "usage", message: "\(role) would be written into \(file)", hints: ["name another file"],
      exitCode: .usage)
  }

  /// Refuses a log of diagnostic lines that is a file of the store.
  func refuseLogInStore() throws {
    guard let path = environment["GRAPHSTORE_LOG"], !path.isEmpty, let file = fileOfStore(at: path) else {
      return
    }
    throw Diagnostic(
      code: "config", message: "the lines of GRAPHSTORE_LOG would be written into \(file)",
      hints: ["set it to another file"], exitCode: .configuration)
  }

  /// Refuses a log of diagnostic lines that is one of the files which a command reads.
  func refuseLog(amongInputs inputs: @autoclosure () -> [String]) throws {
    guard let path = environment["GRAPHSTORE_LOG"], !path.isEmpty, Self.isFile(path) else { return }
    let log = PathTarget(path)
    guard let input = inputs().first(where: { $0 != "-" && PathTarget($0) == log }) else { return }
    throw Diagnostic(
      code: "config", message: "the lines of GRAPHSTORE_LOG would be written into \(input), which is read",
      hints: ["set it to another file"], exitCode: .configuration)
  }

  /// What a path leads to, in words, where that is a store of the command or belongs to one.
  private func fileOfStore(at path: String) -> String? {
    for store in openContext?.coordinator.persistentStores.map(\.path) ?? settings.stores.map(\.path) {
      guard !StorePlace(path: store).isOnServer, let file = StoreFiles(store).file(at: path) else { continue }
      return "\(file), which \(file == store ? "is" : "belongs to") the store"
    }
    return nil
  }

  /// Asks before a file or folder is replaced; refuses where nobody can be asked.
  ///
  /// - Parameter count: how many files of a folder are replaced; 1 replaces what the path names.
  func confirmReplacing(_ path: String, files count: Int = 1) throws {
    guard !settings.answersYes else { return }
    guard isPersonAtTerminal else {
      throw Diagnostic(
        code: "not-confirmed",
        message: count == 1
          ? "\(path) is there already, and replacing it needs --yes"
          : "\(count) of the files are in \(path) already, and replacing them needs --yes",
        hints: ["repeat the command with --yes, or name another place"], exitCode: .notConfirmed)
    }
    try confirm(count == 1 ? "replace \(path)" : "replace \(count) files in \(path)")
  }
}
