import Foundation

/// The programs of the command's workloads; those that are missing are left out of the table.
struct Programs {
  let sqlite3 = "sqlite3"
  let sqliteUtils: String?
  let graphstore: String?
  let model: String

  /// The model of the searches, beside that of all other workloads.
  var searchesModel: String {
    URL(fileURLWithPath: model).deletingLastPathComponent().appendingPathComponent("searches.json").path
  }

  /// `GRAPHSTORE` and `SQLITE_UTILS` name programs, `BENCH_MODEL` the model file.
  init(_ environment: [String: String], _ files: WorkFiles) throws {
    guard let model = environment["BENCH_MODEL"] else {
      throw BenchmarkError("BENCH_MODEL must name Benchmarks/models/benchmarks.json; start with `make bench`")
    }
    self.model = model
    sqliteUtils = environment["SQLITE_UTILS"].flatMap { Self.executable($0) }
    let command = environment["GRAPHSTORE"].flatMap { Self.executable($0) }
    graphstore = command.flatMap { Self.makesStores($0, model, files) ? $0 : nil }
  }

  private static func executable(_ path: String) -> String? {
    FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  private static func makesStores(_ command: String, _ model: String, _ files: WorkFiles) -> Bool {
    let store = files.path("probe.db")
    let process = ChildProcess(
      executable: command, arguments: ["init", store, "--model", model], output: files.path("probe.out"))
    let ending = try? process.run()
    return ending?.status == 0 && FileManager.default.fileExists(atPath: store)
  }
}
