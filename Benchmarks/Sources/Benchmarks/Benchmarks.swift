import Foundation

/// Measures the workloads that `BENCH` names (`F1` or `F1,C2`; all but the long ones without it) and prints
/// their table. `RUNS` replaces the number of runs, `CONTENDER` names the only one to run, `ROWS_SCALE`
/// shrinks the workloads of a million.
@main
struct Benchmarks {
  static func main() {
    do {
      try run(ProcessInfo.processInfo.environment)
    } catch {
      FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ environment: [String: String]) throws {
    let files = try WorkFiles()
    defer { files.remove() }
    let programs = try Programs(environment, files)
    var workloads = Workload.all(files, programs)
    #if PostgreSQL
    workloads += Workload.onServer(environment, files, programs)
    #endif
    let wanted = try selection(environment["BENCH"] ?? "", of: workloads)
    let runner = Runner(
      runs: environment["RUNS"].flatMap { Int($0) }.map { max(1, $0) },
      contender: environment["CONTENDER"] ?? "")
    let table = Table()
    table.printHeader()
    for workload in wanted {
      table.printRows(of: workload, try runner.measure(workload))
      fflush(nil)
    }
  }

  private static func selection(_ filter: String, of workloads: [Workload]) throws -> [Workload] {
    let identifiers = filter.uppercased().split { $0 == "," || $0 == " " }.map { String($0) }
    let known = workloads.flatMap { [$0.id, $0.group] }
    if let unknown = identifiers.first(where: { !known.contains($0) }) {
      throw BenchmarkError("no workload \(unknown); there are \(workloads.map(\.id).joined(separator: ", "))")
    }
    if identifiers.isEmpty { return workloads.filter { !$0.isLong } }
    return workloads.filter { identifiers.contains($0.id) || identifiers.contains($0.group) }
  }
}
