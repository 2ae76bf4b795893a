import ArgumentParser
import GraphStore

/// `graphstore model validate MODEL`
struct ModelValidateCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Look for faults in a model file; exit 2 if there are some.")

  @Argument(help: "Model file.", completion: .file(extensions: ["json"])) var file: String?
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let path = try file ?? session.modelPath()
    var problems: [ModelProblem] = []
    do {
      let model = try ManagedObjectModel(contentsOf: path)
      if !json { ModelWarnings.warnings(of: model, file: path).forEach { session.report($0) } }
      session.note("\(path): \(InitCommand.title(model)), \(model.entities.count) entities, no faults")
    } catch {
      let code = error.problems.first?.code
      if code == .notFound || code == .unreadable { throw error }
      problems = error.problems
    }
    if json {
      try session.withOutput { Self.writeJSON(problems, path, to: $0) }
    } else {
      try session.print(problems.map { "\(path):\(VisibleText.escape($0.description))" })
    }
    return problems.isEmpty ? .success : .negativeAnswer
  }

  private static func writeJSON(_ problems: [ModelProblem], _ path: String, to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    json.member("file", path)
    json.key("ok")
    json.value(problems.isEmpty)
    json.key("problems")
    json.beginArray()
    for problem in problems {
      json.beginObject()
      json.member("code", problem.code.rawValue)
      json.member("path", problem.path.description)
      if let line = problem.line { json.member("line", line) }
      if let column = problem.column { json.member("column", column) }
      json.member("message", problem.message)
      if let suggestion = problem.suggestion { json.member("suggestion", suggestion) }
      if let remedy = problem.remedy { json.member("remedy", remedy) }
      json.endObject()
    }
    json.endArray()
    json.endObject()
    output.append(byte: 0x0A)
  }
}
