import Foundation
import GraphStoreTestSupport
import Testing

/// Everything that is public can be found from a landing page.
@Suite("Topics of the pages")
struct TopicTests {
  @Test("Every public type is in a topic, once, and topics have no other types", arguments: Article.modules)
  func types(_ module: String) throws {
    let declared = Set(try SourceFile.all(of: module).flatMap(\.publicTypes))
    #expect(declared.count > (["GraphStoreConformance", "GraphStoreTesting"].contains(module) ? 1 : 25))
    let listed = try Article.articles(of: module).flatMap(\.topics).filter { !$0.hasPrefix("doc:") }
      .map { $0.split(separator: "/").first.map(String.init) ?? "" }
    #expect(declared.subtracting(listed).sorted() == [], "in no topic")
    #expect(Set(listed).subtracting(declared).sorted() == [], "no public types")
    #expect(listed.count == Set(listed).count, "listed twice")
  }

  @Test("Every article is in a topic of its landing page", arguments: Article.modules)
  func articles(_ module: String) throws {
    let landing = try Article(module: module, name: module)
    #expect(landing.lines.first == "# ``\(module)``")
    let articles = try Article.articles(of: module).map(\.name).filter { $0 != module }
    #expect(Set(landing.topics.filter { $0.hasPrefix("doc:") }) == Set(articles.map { "doc:\($0)" }))
  }
}
