import Foundation
import GraphStoreCodegen
import GraphStoreModel
import GraphStoreTestSupport

/// All Swift samples as one program, which runs those of the article that its argument names.
///
/// The blocks of an article are one function, in their order. Blocks with nothing but declarations stand
/// outside of it, and an article of the library's own catalog goes on where `GettingStarted` ends, with the
/// classes of the model that is printed there.
struct SampleProgram {
  private static let first = "GettingStarted"

  private let articles: [Article]
  private let beginning: Article

  init(_ articles: [Article]) throws {
    self.articles = articles
    beginning = try Article(module: "GraphStore", name: Self.first)
  }

  /// The files that are compiled.
  func sources() throws -> [SwiftCompiler.Source] {
    let files = articles.map { SwiftCompiler.Source(name: "\($0.name)Samples.swift", text: text(of: $0)) }
    return try files + [SwiftCompiler.Source(name: "Program.swift", text: program), classes()]
  }

  /// What the samples of an article print: the comments after calls of `print`, and the blocks of a console.
  func output(of article: Article) -> [String] {
    let begun = hasBeginning(article) ? output(of: beginning) : []
    return begun
      + article.blocks.flatMap { block -> [String] in
        switch block.language {
        case "console": block.lines
        case "swift":
          block.lines.compactMap { $0.firstMatch(of: /print\(.*\)  \/\/ (.*)$/).map { String($0.1) } }
        default: []
        }
      }
  }

  private func hasBeginning(_ article: Article) -> Bool {
    article.module == beginning.module && article.name != article.module && article.name != Self.first
  }

  private func text(of article: Article) -> String {
    let blocks = article.blocks.filter { $0.language == "swift" }
    let declarations = blocks.filter(\.isDeclarations)
    let statements = blocks.filter { !$0.isDeclarations }
    var parts = [
      "import Foundation\nimport GraphStore\nimport GraphStoreConformance\nimport GraphStoreTesting"
    ]
    parts += declarations.map { code($0, article) }
    parts.append("@MainActor\nfunc run\(article.name)() async throws {")
    if hasBeginning(article) {
      parts += beginning.blocks.filter { $0.language == "swift" }.map { code($0, beginning) }
    }
    return (parts + ["do {"] + statements.map { code($0, article) } + ["}", "}", ""]).joined(separator: "\n")
  }

  private func code(_ block: Article.Block, _ article: Article) -> String {
    block.code(in: "\(article.name).md")
  }

  private var program: String {
    let cases = articles.map { "    case \"\($0.name)\": try await run\($0.name)()" }.joined(separator: "\n")
    return """
      @main
      enum Program {
        static func main() async throws {
          switch CommandLine.arguments[1] {
      \(cases)
          default: fatalError("no such article")
          }
        }
      }

      """
  }

  private func classes() throws -> SwiftCompiler.Source { try Self.classes(of: beginning) }

  /// What the plugin makes of the model that the first article prints.
  static func classes() throws -> SwiftCompiler.Source {
    try classes(of: Article(module: "GraphStore", name: first))
  }

  private static func classes(of beginning: Article) throws -> SwiftCompiler.Source {
    let json = beginning.blocks.first { $0.language == "json" }?.lines.joined(separator: "\n") ?? ""
    let model = try ManagedObjectModel(json: json.utf8)
    let file = try CodeGenerator(model).singleFile(named: "Classes.swift").files[0]
    return SwiftCompiler.Source(name: file.name, text: file.text)
  }
}
