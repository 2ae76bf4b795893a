import Foundation
import GraphStoreTestSupport

/// A source file of a module that has pages.
struct SourceFile {
  /// A comment that pages show, with what it describes.
  struct Comment {
    /// Its lines, without the slashes.
    var lines: [String]
    /// The number of its first line in the file.
    var firstLine: Int
    /// The line of the declaration, as it stands there.
    var declaration = ""

    /// The samples in it.
    var samples: [Article.Block] {
      Article.Block.blocks(in: lines, from: firstLine).filter { $0.language == "swift" }
    }

    /// The type that it describes, where that is declared at the top of the file and is public.
    var publicType: String? { SourceFile.publicType(declaration) }

    /// What it describes, for messages.
    var subject: String { publicType ?? declaration.trimmingCharacters(in: .whitespaces) }
  }

  let module: String
  /// The path in the repository.
  let path: String
  let lines: [String]
  /// The comments that pages show.
  let comments: [Comment]

  private init(module: String, path: String) throws {
    self.module = module
    self.path = path
    let text = try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    comments = Self.comments(in: lines)
  }

  /// The files of all modules that have pages, by path; read once.
  static func all() throws -> [SourceFile] { try files.get() }

  /// The files of a module, by path.
  static func all(of module: String) throws -> [SourceFile] { try all().filter { $0.module == module } }

  private static let files = Result {
    try Article.modules.flatMap { module in
      let folder = Repository.root.appendingPathComponent("Sources/\(module)")
      let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
      return try paths.filter { $0.hasSuffix(".swift") }.sorted()
        .map { try SourceFile(module: module, path: "Sources/\(module)/\($0)") }
    }
  }

  /// The types that it declares at its top for everybody, without those whose names begin with `_`.
  var publicTypes: [String] { lines.compactMap(Self.publicType) }

  /// Whether a line belongs to a comment that pages show.
  static func isComment(_ line: String) -> Bool { line.utf8.drop { $0 == 0x20 }.starts(with: "///".utf8) }

  private static func comments(in lines: [String]) -> [Comment] {
    var comments: [Comment] = []
    var open: Comment?
    for (index, line) in lines.enumerated() {
      if isComment(line) {
        let shown = line.drop { $0 == " " }.dropFirst(3)
        open = open ?? Comment(lines: [], firstLine: index + 1)
        open?.lines.append(String(shown.hasPrefix(" ") ? shown.dropFirst() : shown))
      } else if var comment = open, line.wholeMatch(of: /\ *@\w+(?:\([^)]*\))?/) == nil {
        comment.declaration = line
        comments.append(comment)
        open = nil
      }
    }
    return comments
  }

  private static func publicType(_ line: String) -> String? {
    guard line.hasPrefix("public ") || line.hasPrefix("open ") || line.hasPrefix("@") else { return nil }
    let declaration =
      /^(?:@[^ ]+ )*(?:public|open) (?:final |indirect )?(?:struct|class|enum|protocol|actor|typealias|macro) ([A-Za-z]\w*)/
    return line.prefixMatch(of: declaration).map { String($0.1) }
  }
}
