import Foundation
import GraphStoreTestSupport
import Testing

/// A page of a catalog, as its author wrote it.
struct Article: Sendable, CustomTestStringConvertible {
  /// The modules that have pages.
  static let modules = [
    "GraphStore", "GraphStoreModel", "GraphStorePredicates", "GraphStoreConformance", "GraphStoreTesting",
  ]

  /// A fenced block of code.
  struct Block {
    /// The word after the fence.
    var language = ""
    var lines: [String] = []
    /// The number of the first line in the article.
    var firstLine: Int

    /// The blocks of some lines, the first of which has a number.
    static func blocks(in lines: some Sequence<String>, from first: Int) -> [Block] {
      var blocks: [Block] = []
      var open: Block?
      for (index, line) in lines.enumerated() {
        if line.hasPrefix("```") {
          if let block = open {
            blocks.append(block)
            open = nil
          } else {
            open = Block(language: String(line.dropFirst(3)), firstLine: first + index + 1)
          }
        } else {
          open?.lines.append(line)
        }
      }
      return blocks
    }

    /// Whether it has nothing but declarations.
    var isDeclarations: Bool {
      let outermost = lines.filter { !$0.isEmpty && !$0.hasPrefix(" ") && !$0.hasPrefix("import ") }
      let pattern = /(?:public |final )*(?:class|enum|extension|protocol) .*|\}|\/\/.*/
      return !outermost.isEmpty && outermost.allSatisfy { $0.wholeMatch(of: pattern) != nil }
    }

    /// The code with the place that it has in a file, for messages of the compiler.
    func code(in file: String) -> String {
      let lines = lines.map { $0.hasPrefix("import ") ? "" : $0 }
      return (["#sourceLocation(file: \"\(file)\", line: \(firstLine))"] + lines + ["#sourceLocation()"])
        .joined(separator: "\n")
    }
  }

  let module: String
  let name: String
  let lines: [String]

  /// Reads a page.
  init(module: String, name: String) throws {
    self.module = module
    self.name = name
    let file = Self.catalog(of: module).appendingPathComponent("\(name).md")
    lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }

  /// Every page of every catalog.
  static func all() throws -> [Article] { try modules.flatMap(articles) }

  /// The pages of a module, by name.
  static func articles(of module: String) throws -> [Article] {
    try FileManager.default.contentsOfDirectory(atPath: catalog(of: module).path).sorted()
      .filter { $0.hasSuffix(".md") }.map { try Article(module: module, name: String($0.dropLast(3))) }
  }

  private static func catalog(of module: String) -> URL {
    Repository.root.appendingPathComponent("Sources/\(module)/\(module).docc")
  }

  var testDescription: String { "\(module)/\(name)" }

  /// The fenced blocks in their order.
  var blocks: [Block] { Block.blocks(in: lines, from: 1) }

  /// What the page lists under "Topics": the text of its links.
  var topics: [String] {
    guard let start = lines.firstIndex(of: "## Topics") else { return [] }
    return lines[start...].compactMap { line in
      for (opening, closing) in [("- ``", "``"), ("- <", ">")] where line.hasPrefix(opening) {
        return String(line.dropFirst(opening.count).dropLast(closing.count))
      }
      return nil
    }
  }
}
