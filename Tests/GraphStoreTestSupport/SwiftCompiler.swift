import Foundation

/// The compiler that built the tests, over the modules that it built.
package enum SwiftCompiler {
  /// A file that is to be compiled.
  package struct Source {
    package let name: String
    package let text: String

    package init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// What it has to say about files, each a part of one module; empty where all is well.
  package static func complaints(about sources: [Source], options: [String] = []) throws -> String {
    try run(["-typecheck"] + options, sources)
  }

  /// Makes a program of files, one of which has the entry point.
  ///
  /// - Returns: what the compiler has to say; empty where all is well.
  package static func build(_ sources: [Source], to program: URL) throws -> String {
    try run(["-o", program.path] + libraryObjects() + ["-lsqlite3", "-l_FoundationICU"], sources)
  }

  private static func run(_ options: [String], _ sources: [Source]) throws -> String {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let paths = try sources.map { source in
      let url = folder.url.appendingPathComponent(source.name)
      try Data(source.text.utf8).write(to: url)
      return url.path
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-module-name", "App",
        "-use-ld=lld",
        "-I", modules.path,
      ] + cModules.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + options + paths
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
    return [
      products.appendingPathComponent("CGraphStoreShims.build/module.modulemap"),
      sources.appendingPathComponent("CGraphStoreSQLite/module.modulemap"),
      sources.appendingPathComponent("CGraphStoreEditline/module.modulemap"),
      sources.appendingPathComponent("CGraphStoreZlib/module.modulemap"),
    ]
  }

  /// The object files of which the library consists, with those of the packages under it, as the tests were
  /// linked with them: the folders also keep those of sources that are gone.
  private static func libraryObjects() throws -> [String] {
    let folders = [
      "GraphStore", "GraphStoreConformance", "GraphStoreTesting", "GraphStoreFiles", "GraphStoreModel",
      "GraphStorePredicates",
      "GraphStoreSQLite",
      "CGraphStoreShims", "OrderedCollections", "InternalCollectionsUtilities",
    ].map { "/\($0).build/" }
    let list = products.appendingPathComponent("GraphStorePackageTests.product/Objects.LinkFileList")
    return try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'")) }
      .filter { path in folders.contains { path.contains($0) } }
  }

  package static var isThere: Bool {
    FileManager.default.fileExists(atPath: modules.appendingPathComponent("GraphStore.swiftmodule").path)
  }

  /// The folder that everything was built into.
  package static var products: URL { modules.deletingLastPathComponent() }

  /// The built modules: they lie beside the test bundle.
  private static let modules: URL = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let module = folder.appendingPathComponent("Modules/GraphStore.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { return module.deletingLastPathComponent() }
    }
    return Repository.root.appendingPathComponent(".build/debug/Modules")
  }()
}
