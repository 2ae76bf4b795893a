import Foundation

/// The default folder of the stores of a program (STO-004).
enum DataDirectory {
  /// `$XDG_DATA_HOME/PROGRAM`, or `~/.local/share/PROGRAM`; a relative `$XDG_DATA_HOME` does not count.
  static func url(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    home: String = NSHomeDirectory(), program: String = program
  ) -> URL {
    let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return URL(fileURLWithPath: data ?? home + "/.local/share", isDirectory: true)
      .appendingPathComponent(program, isDirectory: true)
  }

  /// The file name of the executable.
  static var program: String {
    let path =
      Bundle.main.executablePath ?? CommandLine.arguments.first ?? ProcessInfo.processInfo.processName
    return URL(fileURLWithPath: path).lastPathComponent
  }

  /// Makes a folder, and those above it that are missing, for the user alone.
  ///
  /// - Throws: `store-permission`, `store-open`.
  static func make(_ url: URL) throws {
    guard !RegularFile.isTaken(url.path) else { return }
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      let isForbidden = (error as? CocoaError)?.code == .fileWriteNoPermission
      throw GraphStoreError(
        isForbidden ? .storePermission : .storeOpen, "The folder \(url.path) cannot be made.",
        remedy:
          "See to the permissions of the folder above it, or give the store's description another place.",
        underlying: error)
    }
  }
}
