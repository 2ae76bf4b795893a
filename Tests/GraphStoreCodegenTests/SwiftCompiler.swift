import Foundation
import GraphStoreCodegen
import GraphStoreTestSupport

/// The compiler that built the tests, over the modules that it built.
enum SwiftCompiler {
  /// What it has to say about files, each a part of one module; empty where all is well.
  static func complaints(about files: [GeneratedFile]) throws -> String {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let paths = try files.map { file in
      let url = folder.url.appendingPathComponent(file.name)
      try Data(file.text.utf8).write(to: url)
      return url.path
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library",
        "-module-name", "App", "-I", modules.path,
      ] + cModules.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + paths
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let status = process.terminationStatus
    return status == 0 ? "" : "\(String(decoding: text, as: UTF8.self)) [\(status)]"
  }

  /// The maps of the modules in C that those of the library were built with.
  private static var cModules: [URL] {
    let sources = Repository.root.appendingPathComponent("Sources")
    let products = modules.deletingLastPathComponent()
    return [
      products.appendingPathComponent("CGraphStoreShims.build/module.modulemap"),
      sources.appendingPathComponent("CGraphStoreSQLite/module.modulemap"),
      sources.appendingPathComponent("CGraphStoreEditline/module.modulemap"),
    ]
  }

  static var isThere: Bool {
    FileManager.default.fileExists(atPath: modules.appendingPathComponent("GraphStore.swiftmodule").path)
  }

  /// The built modules: they lie beside the test bundle.
  static let modules: URL = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let module = folder.appendingPathComponent("Modules/GraphStore.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { return module.deletingLastPathComponent() }
    }
    return Repository.root.appendingPathComponent(".build/debug/Modules")
  }()
}
