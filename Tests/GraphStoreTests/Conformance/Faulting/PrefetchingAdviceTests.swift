import Foundation
import Testing

@Suite("What the documentation says of prefetching")
struct PrefetchingAdviceTests {
  @Test(
    "FLT-150: the article on fetching says when prefetching deserves a second look, and that its paths age")
  func article() throws {
    let article = try String(
      contentsOf: Repository.root.appendingPathComponent("Sources/GraphStore/GraphStore.docc/Fetching.md"),
      encoding: .utf8)
    let paragraphs = article.components(separatedBy: "\n\n").map {
      $0.replacingOccurrences(of: "\n", with: " ")
    }
    let advice = try #require(paragraphs.first { $0.contains("many-to-many") && $0.contains("prefetched") })
    for words in [
      "Think twice", "rows of a list", "narrower condition", "copy of the value",
      "look at the key paths again",
    ] {
      #expect(advice.contains(words), "\(words)")
    }
  }
}
