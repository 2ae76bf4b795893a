import ArgumentParser
import Foundation
import GraphStore

/// `graphstore model compile SRC… DST`
struct ModelCompileCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile", abstract: "Check models and write them in their canonical form.",
    discussion: """
      Several models are merged into one file. A directory of versions becomes a directory with every version, the current \
      one noted, and the written mappings. What is compiled has the same version hashes.

      graphstore model compile people.json shop.json build/all.json
      graphstore model compile Company.graphmodel build/Company.graphmodel
      """)

  @Argument(help: "Models, and behind them the file or directory to write.", completion: .file())
  var paths: [String]
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions

  private var destination: String { paths[paths.count - 1] }
  private var isDirectory: Bool { ModelFormat(endingOf: destination) == .versions }

  func validate() throws {
    guard paths.count >= 2 else {
      throw ValidationError("compile takes models, and behind them what to write.")
    }
    if !isDirectory { try ModelDestination.validate(destination) }
    if isDirectory, paths.count > 2 {
      throw ValidationError("Versions of several models are not merged; compile each directory alone.")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    guard isDirectory else {
      try ModelDestination.write(try session.loadModel(paths.dropLast()), to: destination, session)
      return .success
    }
    let versions = try ModelVersions(at: paths[0])
    let directory = try NewModelDirectory(destination)
    for name in versions.names {
      let loaded = try versions.load(named: name)
      for finding in loaded.findings { session.report(DiagnosticMapper.warning(finding, file: loaded.file)) }
      try directory.write(loaded.model.jsonData(), to: "\(name).json")
    }
    try directory.write(Data("\(versions.currentName)\n".utf8), to: "current")
    for mapping in versions.mappings {
      let name = "mappings/\(mapping.source)-\(mapping.destination).json"
      try directory.write(try Data(contentsOf: URL(fileURLWithPath: mapping.path)), to: name)
    }
    try directory.commit()
    session.note("wrote \(destination)  (\(versions.names.count) versions, current \(versions.currentName))")
    return .success
  }
}
