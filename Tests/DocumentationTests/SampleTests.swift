import Foundation
import GraphStoreTestSupport
import Testing

/// What the pages show is compiled and run.
@Suite("Samples of the pages", .enabled(if: SwiftCompiler.isThere))
struct SampleTests {
  private struct Built {
    let folder: TemporaryFolder
    let samples: SampleProgram
    let complaints: String

    var program: URL { folder.url.appendingPathComponent("samples") }

    init() throws {
      folder = try TemporaryFolder()
      samples = try SampleProgram(SampleTests.articles.get())
      complaints = try SwiftCompiler.build(
        samples.sources(), to: folder.url.appendingPathComponent("samples"))
    }
  }

  /// The articles with samples in Swift.
  private static let articles = Result {
    try Article.all().filter { $0.blocks.contains { $0.language == "swift" } }
  }

  /// Compiled once for all tests.
  nonisolated(unsafe) private static let built = Result { try Built() }

  @Test("The pages that show how to work with the library have samples")
  func names() throws {
    let names = try Set(Self.articles.get().map(\.name))
    #expect(names.isSuperset(of: Article.modules))
    #expect(
      names.isSuperset(of: [
        "GettingStarted", "ModelsAndClasses", "Fetching", "SavingAndValidation", "FaultingAndMemory",
        "Errors",
      ]))
  }

  @Test("Every sample compiles in Swift 6 without a warning")
  func compile() throws {
    #expect(try Self.built.get().complaints == "")
  }

  @Test("Every sample runs and prints what its page says", arguments: try articles.get())
  func run(_ article: Article) throws {
    let built = try Self.built.get()
    try #require(built.complaints.isEmpty)
    let run = try SampleRun(of: built.program, argument: article.name)
    #expect(run.lines == built.samples.output(of: article))
    #expect(run.errors == "")
    #expect(run.status == 0)
  }
}
