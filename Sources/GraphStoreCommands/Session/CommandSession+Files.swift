import Foundation
import GraphStore

extension CommandSession {
  /// Writes a file that a command was asked to make, at once or not at all.
  ///
  /// A file that is there already is replaced only when a person at the terminal or `--yes` says so.
  ///
  /// - Parameter replacing: whether replacing it is what the command was asked for.
  func writeFile(_ bytes: some Sequence<UInt8>, to path: String, replacing: Bool = false) throws {
    let file = try file(at: path, replacing: replacing)
    let buffer = OutputBuffer(descriptor: file.descriptor, path: path)
    buffer.append(Array(bytes))
    try buffer.flush()
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
    if let path = settings.outputPath { try confirmFile(path, as: "the output") }
  }

  /// Asks, before anything is done, whether a file that a command is going to write may be replaced; `-` is no file.
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
    for store in openContext?.coordinator.persistentStores.map(\.path) ?? settings.stores.map(\.path) {
      guard let file = StoreFiles(store).file(at: path) else { continue }
      throw Diagnostic(
        code: "usage",
        message: "\(role) would replace \(file), which \(file == store ? "is" : "belongs to") the store",
        hints: ["name another file"], exitCode: .usage)
    }
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

/// Files of a store: the database, and those that stand beside it while it is in use.
struct StoreFiles {
  private let paths: [String]
  /// The folder of its external data, with all that lies in it.
  private let support: String

  init(_ store: String) {
    paths = ["", "-wal", "-shm", "-journal"].map { store + $0 }
    support = ExternalDataFolder.supportPath(
      besideStoreAt: URL(fileURLWithPath: store).resolvingSymlinksInPath().path)
  }

  /// The one that a path leads to, whatever links it goes through, or would make if it is not there.
  func file(at path: String) -> String? {
    let target = Identity(path)
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    if resolved == support || resolved.hasPrefix(support + "/") { return resolved }
    return paths.first { Identity($0) == target }
  }

  /// What makes two paths the same file: the file itself, or where there is none its folder and its name.
  private enum Identity: Equatable {
    case file(device: dev_t, inode: ino_t)
    case absent(path: String)

    init(_ path: String) {
      var status = stat()
      if unsafe stat(path, &status) == 0 {
        self = .file(device: status.st_dev, inode: status.st_ino)
      } else {
        let url = URL(fileURLWithPath: path)
        self = .absent(
          path: url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent)
      }
    }
  }
}
