import Foundation
import GraphStore
import GraphStoreTestSupport
import Testing

/// The list of errors is the list of codes.
@Suite("The article about errors")
struct ErrorArticleTests {
  private struct Entry: Hashable {
    var code: String
    /// Nil for a code that has none.
    var number: Int?
  }

  private let article: Article

  init() throws { article = try Article(module: "GraphStore", name: "Errors") }

  @Test("It has one entry for each code of the three modules, with its number, and no other")
  func entries() throws {
    let entries = article.lines.compactMap(Self.entry)
    let codes = try Self.codes()
    #expect(codes.count > 90)
    #expect(codes.subtracting(entries).map(\.code).sorted() == [], "without an entry, or with another number")
    #expect(Set(entries).subtracting(codes).map(\.code).sorted() == [], "no codes, or with another number")
    #expect(entries.count == Set(entries.map(\.code)).count, "described twice")
  }

  @Test("Each entry says something")
  func texts() {
    for (index, line) in article.lines.enumerated() where Self.entry(line) != nil {
      #expect(article.lines[index + 1].isEmpty && article.lines[index + 2].count > 30, "\(line)")
    }
  }

  @Test("The entry about validation lists the number of each rule")
  func rules() {
    let numbers = article.lines.compactMap { $0.firstMatch(of: /^\| (\d+) \|/).flatMap { Int($0.1) } }
    #expect(numbers == ValueViolation.Code.allCases.map(\.rawValue))
  }

  /// An entry's heading: `### no-store (136005)`.
  private static func entry(_ line: String) -> Entry? {
    line.wholeMatch(of: /### ([a-z-]+)(?: \((\d+)\))?/).map {
      Entry(code: String($0.1), number: $0.2.flatMap { Int($0) })
    }
  }

  private static func codes() throws -> Set<Entry> {
    var codes = Set(GraphStoreError.Code.allCases.map { Entry(code: $0.rawValue, number: $0.number) })
    codes.formUnion(
      (ModelProblem.Code.errors + ModelProblem.Code.mappingErrors).map { code in
        Entry(
          code: code.rawValue, number: ModelError([ModelProblem(code, at: ModelPath(), message: "")]).number)
      })
    let others = [.entity, .configuration, .template].map {
      ModelLookupError($0, named: "", available: []).code
    }
    // A code that several types of errors have is one entry, with the number that it has in one of them.
    let known = Set(codes.map(\.code))
    return codes.union(
      (others + (try predicateCodes())).filter { !known.contains($0) }.map { Entry(code: $0) })
  }

  /// The codes of predicates, which are constants without a list.
  private static func predicateCodes() throws -> [String] {
    let file = "Sources/GraphStorePredicates/Errors/QueryPredicateError.swift"
    let source = try String(contentsOf: Repository.root.appendingPathComponent(file), encoding: .utf8)
    let codes = source.matches(of: /Self\(rawValue: "([a-z-]+)"\)/).map { String($0.1) }
    #expect(codes.contains(QueryPredicateError.Code.syntax.rawValue))
    return codes
  }
}
