import Foundation
import GraphStoreCodegen
import GraphStoreModel

/// `graphstore-codegen`: Swift from a model, for build tools. It needs neither a store nor the parser of the
/// command.
@main
enum CodegenTool {
  static func main() {
    do {
      let arguments = try CodegenArguments(Array(CommandLine.arguments.dropFirst()))
      if arguments.asksForHelp { return print(CodegenArguments.help) }
      try run(arguments)
    } catch let error as CodegenUsageError {
      fail("error: \(error.message)\n\(CodegenArguments.usage)", 64)
    } catch let error as ModelError {
      fail(lines(of: error).joined(separator: "\n"), isMissing(error) ? 66 : 65)
    } catch let error as ModelLookupError {
      fail("error: \(error.message)", 64)
    } catch {
      fail("error: \(error)", 74)
    }
  }

  private static func run(_ arguments: CodegenArguments) throws {
    let model = try ManagedObjectModel(contentsOf: arguments.model)
    let options = CodegenOptions(access: arguments.access, entities: arguments.entities)
    let generator = try CodeGenerator(model, options: options)
    let code: GeneratedCode
    let folder: CodeFolder
    switch arguments.destination {
    case .folder(let path):
      code = generator.files()
      folder = CodeFolder(path)
    case .file(let path):
      let url = URL(fileURLWithPath: path)
      let own = try ownClasses(in: arguments.sources)
      code = generator.singleFile(named: url.lastPathComponent, ownClasses: own)
      folder = CodeFolder(url.deletingLastPathComponent().path)
    }
    for outcome in try folder.write(code.files) where !arguments.isQuiet {
      print("\(outcome.change.rawValue) \(outcome.path)")
    }
    for finding in code.findings { complain("\(arguments.model): \(finding)") }
  }

  private static func ownClasses(in sources: [String]) throws -> Set<String> {
    try sources.reduce(into: []) { names, path in
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      names.formUnion(ClassScanner.classes(in: String(decoding: bytes, as: UTF8.self)))
    }
  }

  // MARK: Messages

  /// One line for each problem, in the form that build systems show.
  private static func lines(of error: ModelError) -> [String] {
    error.problems.map { problem in
      var place = error.file ?? "model"
      if let line = problem.line, let column = problem.column { place += ":\(line):\(column)" }
      let path = problem.path.description
      return "\(place): error: \(path.isEmpty ? "" : "\(path): ")\(problem.message)"
    }
  }

  private static func isMissing(_ error: ModelError) -> Bool {
    error.problems.contains { $0.code == .notFound || $0.code == .unreadable }
  }

  private static func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  private static func fail(_ text: String, _ status: Int32) -> Never {
    complain(text)
    exit(status)
  }
}
