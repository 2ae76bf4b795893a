import Foundation
import GraphStoreCodegen

/// The compiler that built the tests, over the modules that it built.
enum SwiftCompiler {
  /// What it has to say about files, each a part of one module; empty where all is well.
  static func complaints(about files: [GeneratedFile]) throws -> String {
    let folder = try TemporaryFolder()
    let paths = try files.map { file in
      let url = folder.url.appendingPathComponent(file.name)
      try Data(file.text.utf8).write(to: url)
      return url.path
    }
    let sources = repository.appendingPathComponent("Sources")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-module-name", "App"]
      + ["-I", modules.path, "-I", sources.appendingPathComponent("CGraphStoreShims/include").path]
      + ["-I", sources.appendingPathComponent("CGraphStoreSQLite").path] + paths
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? "" : "\(String(decoding: text, as: UTF8.self)) [\(process.terminationStatus)]"
  }

  static var isThere: Bool {
    FileManager.default.fileExists(atPath: modules.appendingPathComponent("GraphStore.swiftmodule").path)
  }

  /// The built modules: they lie beside the test bundle.
  private static let modules: URL = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("Modules")
      if FileManager.default.fileExists(atPath: candidate.appendingPathComponent("GraphStore.swiftmodule").path) {
        return candidate
      }
      folder.deleteLastPathComponent()
    }
    return repository.appendingPathComponent(".build/debug/Modules")
  }()
}
