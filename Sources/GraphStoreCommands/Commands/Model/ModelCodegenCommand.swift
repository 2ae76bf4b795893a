import ArgumentParser
import GraphStore
import GraphStoreCodegen
import GraphStoreReports

/// `graphstore model codegen [MODEL] -o DIR`
struct ModelCodegenCommand: StoreCommand {
  /// The languages that code is made in.
  enum Language: String, CaseIterable, ExpressibleByArgument {
    case swift
  }

  static let configuration = CommandConfiguration(
    commandName: "codegen", abstract: "Write Swift classes with typed properties.",
    discussion: """
      Two files an entity: ENTITY+Properties.swift is rewritten when it differs, ENTITY.swift is made once and then \
      yours. One more file has the model itself, its classes and its templates. A property or entity with \
      "codegen": "manual" in its userInfo is left to you. Files of entities that are gone are named, not removed.
      """)

  @Argument(
    help: "Model file; without one the store's model.", completion: .file(extensions: ["json", "graphmodel"]))
  var file: String?
  @Option(help: "Language of the code: swift.") var language = Language.swift
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Folder for the files; made if need be.", valueName: "dir"),
    completion: .directory)
  var output: String
  @Option(help: "Who sees the declarations: public or internal.") var access = CodegenOptions.Access.internal
  @Option(help: ArgumentHelp("Files for this entity only (repeat).", valueName: "entity"))
  var entity: [String] = []
  @OptionGroup var dryRun: DryRunOptions
  @OptionGroup var options: StoreCommandOptions

  var idleOptions: IdleStoreOptions? { file == nil ? nil : .ofModelFiles }

  func execute(in session: CommandSession) throws -> ExitCode {
    let model = try session.model(file)
    let generator = try CodeGenerator(model, options: CodegenOptions(access: access, entities: entity))
    let code = generator.files()
    let folder = CodeFolder(output)
    let outcomes: [CodeFolder.Outcome]
    do throws(CodeFileError) {
      outcomes = try folder.write(code.files, isDryRun: dryRun.isOn)
    } catch {
      throw Diagnostic(
        code: error.code.rawValue, message: DiagnosticMapper.clause(error.message),
        exitCode: error.code == .cannotCreate ? .cannotCreate : .ioError)
    }
    try session.print(outcomes.map { "\(word($0.change))  \($0.path)" })
    for finding in code.findings { session.report(DiagnosticMapper.warning(finding, file: file)) }
    if entity.isEmpty { reportStale(generator.staleFiles(in: folder), session) }
    return .success
  }

  private func word(_ change: CodeFolder.Change) -> String {
    switch change {
    case .created: dryRun.isOn ? "would create" : "created"
    case .rewritten: dryRun.isOn ? "would rewrite" : "rewritten"
    case .unchanged: "unchanged"
    case .kept: "kept"
    }
  }

  private func reportStale(_ names: [String], _ session: CommandSession) {
    for name in names {
      session.report(
        Diagnostic(
          .warning, code: "stale-file",
          message: "\(output)/\(name) is of an entity that the model does not have",
          hints: ["remove it, and the file of the class with it"], exitCode: .success))
    }
  }
}

extension CodegenOptions.Access: ExpressibleByArgument {}
