import Foundation
import GraphStorePredicates
import GraphStoreTestSupport
import Testing

@Suite("The article about the language")
struct PredicateArticleTests {
  @Test("Every predicate it shows is one, and prints to text that reads back equal")
  func examples() throws {
    let article = Repository.root
      .appendingPathComponent("Sources/GraphStorePredicates/GraphStorePredicates.docc/PredicateLanguage.md")
    var isExample = false
    var count = 0
    for line in try String(contentsOf: article, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("```") {
        isExample = line == "```predicate"
      } else if isExample {
        let predicate = try QueryPredicate(parsing: String(line))
        #expect(try QueryPredicate(parsing: predicate.predicateFormat) == predicate, "\(line)")
        count += 1
      }
    }
    #expect(count > 15)
  }
}
