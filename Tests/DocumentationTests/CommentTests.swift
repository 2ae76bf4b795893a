import Foundation
import GraphStoreTestSupport
import Testing

/// What pages show of types and their members.
@Suite("Comments of public declarations")
struct CommentTests {
  /// The types that need no sample of their own: people meet them as parts of others.
  private static let withoutSample: Set<String> = [
    // What conditions of keys are made of, see `TypedExpression`.
    "QueryPath", "QueryScope", "SingleQueryScope", "SingleValue", "QuantifiedValues", "Quantifier",
    "ValuePath", "RawValuePath", "CompositePath", "OpaquePath", "CompositeSteps", "ToManyPath",
    "ToManySteps", "ToOnePath", "ToOneSteps", "UncomparedExpression", "PropertyKeyPaths",
    // What the library's own types conform to.
    "AttributeValue", "MemberCollection", "ObjectIdentifying",
    // What writes rows without making values of them, field by field.
    "FieldVisitor", "ResultRow",
    // Parts of what others give.
    "ModelPath", "CheckedAttributeMapping", "CheckedRelationshipMapping", "SourceRange",
    "UnresolvedObjectIdentifier", "UnicodeVersion", "LikePattern",
    // Parts of trees that are read from text.
    "PredicateBlock", "ExpressionBlock", "QueryCastType", "QueryIndex", "QuerySetOperator",
  ]

  @Test("Every public type has a sample, but those that are parts of others", arguments: Article.modules)
  func samples(_ module: String) throws {
    let comments = try SourceFile.all(of: module).flatMap(\.comments)
    let types = comments.compactMap { comment in
      comment.publicType.map { (name: $0, isShown: !comment.samples.isEmpty) }
    }
    let shown = Set(types.filter(\.isShown).map(\.name))
    #expect(Set(types.map(\.name)).subtracting(shown).subtracting(Self.withoutSample).sorted() == [])
    #expect(shown.intersection(Self.withoutSample).sorted() == [], "with a sample by now")
  }

  @Test("The types that are said to need no sample are there")
  func exceptions() throws {
    let types = Set(try SourceFile.all().flatMap(\.publicTypes))
    #expect(Self.withoutSample.subtracting(types).sorted() == [])
  }

  @Test("No line of a comment is longer than 110 characters")
  func widths() throws {
    for file in try SourceFile.all() {
      let long = file.lines.enumerated().filter { _, line in
        line.utf8.count > 110 && SourceFile.isComment(line) && line.count > 110
      }
      #expect(long.map { "\($0.offset + 1)" } == [], "\(file.path)")
    }
  }
}

/// The samples of comments are compiled and run.
@Suite("Samples of comments", .enabled(if: SwiftCompiler.isThere))
struct CommentSampleTests {
  private struct Built {
    let folder: TemporaryFolder
    let complaints: String

    var program: URL { folder.url.appendingPathComponent("samples") }

    init() throws {
      folder = try TemporaryFolder()
      complaints = try SwiftCompiler.build(
        CommentSampleTests.program.get().sources(), to: folder.url.appendingPathComponent("samples"))
    }
  }

  private static let program = Result { try CommentProgram() }

  /// Compiled once for all tests.
  nonisolated(unsafe) private static let built = Result { try Built() }

  /// What the program cannot run: an order for a locale needs attributes in its owner, and a version of Core
  /// Data needs a compiled model.
  private static let notRun: Set<String> = ["PersistedOrder", "CoreDataVersion"]

  private static let runnable = Result {
    try program.get().samples.filter { $0.isBody && !notRun.contains($0.subject) }
  }

  @Test("Every sample compiles in Swift 6 without a warning")
  func compile() throws {
    #expect(try Self.program.get().samples.count > 150)
    #expect(try Self.built.get().complaints == "")
  }

  @Test("Every sample runs, and prints what it says that it prints", arguments: try runnable.get())
  func run(_ sample: CommentProgram.Sample) throws {
    let built = try Self.built.get()
    try #require(built.complaints.isEmpty)
    let run = try SampleRun(of: built.program, argument: "\(sample.number)")
    if let output = sample.output { #expect(run.lines == output) }
    #expect(run.errors == "")
    #expect(run.status == 0)
  }
}
