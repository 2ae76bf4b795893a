import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model diagram [MODEL] --as FORM`
struct ModelDiagramCommand: StoreCommand, OutputFileCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagram", abstract: "Draw a model: entities, inheritance and relationships.",
    discussion: """
      Every form shows attributes with their types, what is required and unique, and at each relationship how many \
      objects there may be at its ends, its order and its delete rules. SVG is drawn by Graphviz, which has to be \
      installed; the other forms need nothing.
      """)

  @Argument(
    help: "Model file, or DIRECTORY#VERSION; without one the store's model.",
    completion: .file(extensions: ["json", "graphmodel"]))
  var file: String?
  @Option(
    help: "Form: mermaid, dot, svg or ascii. Default: by the ending of the output file, else ascii.")
  var `as`: DiagramForm?
  @Option(help: "This entity and its neighbours only; may repeat.") var entity: [String] = []
  @Flag(name: .customLong("no-attributes"), help: "Names of entities only.") var hidesAttributes = false
  @OptionGroup var output: OutputFileOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Fit an ascii drawing into so many columns (default: the terminal's, else 80)."))
  var width: Int?
  @OptionGroup var options: AskingStoreCommandOptions

  func validate() throws {
    if let width, width < 1 { throw ValidationError("--width takes a number of columns.") }
  }

  var idleOptions: IdleStoreOptions? { file == nil ? nil : .ofModelFiles }

  func execute(in session: CommandSession) throws -> ExitCode {
    let form = try self.as ?? session.settings.outputPath.map(Self.form(of:)) ?? .ascii
    // Before anything is read: what is missing is missing for every model.
    let graphviz = form == .svg ? try Graphviz(environment: session.environment) : nil
    let model = try session.model(file)
    let chosen = try entity.map { try model.entity(named: $0) }
    let diagram = ModelDiagram(model, around: chosen, showsAttributes: !hidesAttributes)
    switch form {
    case .mermaid: try session.print(MermaidWriter(diagram).lines)
    case .dot: try session.print(DotWriter(diagram).lines)
    case .ascii: try session.print(drawing(of: diagram, in: session))
    case .svg:
      let text = DotWriter(diagram).lines.joined(separator: "\n") + "\n"
      if let data = try graphviz?.svg(of: text, session.interruption) {
        try session.withOutput { $0.append(Array(data)) }
      }
    }
    return .success
  }

  /// The form that a file's name asks for; one without an ending asks for none.
  private static func form(of path: String) throws -> DiagramForm {
    if let form = DiagramForm(path: path) { return form }
    guard let ending = FileEnding.of(path) else { return .ascii }
    throw Diagnostic(
      code: "usage", message: "there is no drawing in the form .\(ending) of \(path)",
      hints: ["end the name in .svg, .mmd, .dot or .txt, or name the form with --as"], exitCode: .usage)
  }

  private func drawing(of diagram: ModelDiagram, in session: CommandSession) -> [String] {
    let terminal = session.outputTerminal
    return TextDiagram(
      diagram, columns: width ?? terminal.columns ?? 80,
      glyphs: terminal.isTerminal && terminal.isUTF8 ? .drawn : .plain
    ).lines
  }
}

/// The forms in which a model is drawn.
enum DiagramForm: String, CaseIterable, Sendable, ExpressibleByArgument {
  /// A Mermaid `erDiagram`, for Markdown.
  case mermaid
  /// The language of Graphviz.
  case dot
  /// A picture, drawn by Graphviz.
  case svg
  /// Boxes and lines of characters.
  case ascii

  /// The form that a file's name asks for by its ending, if there is one.
  init?(path: String) {
    switch FileEnding.of(path) {
    case "mmd", "mermaid": self = .mermaid
    case "dot", "gv": self = .dot
    case "svg": self = .svg
    case "txt": self = .ascii
    default: return nil
    }
  }
}
