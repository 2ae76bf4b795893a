import Foundation
import GraphStoreTestSupport
import Testing

/// What the documentation of fetching has to say.
@Suite("The article about fetching")
struct FetchingArticleTests {
  private let text: String

  init() throws {
    text = try Article(module: "GraphStore", name: "Fetching").lines.joined(separator: " ")
  }

  @Test(
    "FET-254: it says what makes fetches fast",
    arguments: [
      "One fetch for many objects", "Relationships, not fetches, to objects that the context has already",
      "Conditions and orders in the request", "Batches for lists", "prefetching for loops",
      "first what an index answers", "comparisons of text last", "Normalised copies of text",
      "Measuring before and after",
    ])
  func advice(_ advice: String) { #expect(text.contains(advice)) }

  @Test(
    "FET-255, FET-278: it gives the size of a batch for a list: 1.3 times the rows that are seen at once, such as 20"
  )
  func batchSize() {
    #expect(text.contains("about 1.3 times the rows that are visible at once: 20 for a list that shows 15"))
    #expect(text.contains("fetchBatchSize = 20"))
  }

  @Test("FET-043: it says that there is no order without sort descriptors")
  func order() { #expect(text.contains("Without an order the result has none.")) }

  @Test(
    "FET-153: the calls for batches say that sorting and filtering the list defeats them",
    arguments: [
      ("Fetching/ManagedObjectContext+Fetch.swift", "public func fetch(_ request"),
      ("Fetching/ManagedObjectContext+Batches.swift", "public func fetchBatched"),
    ])
  func batches(file: String, call: String) throws {
    let path = Repository.root.appendingPathComponent("Sources/GraphStore/\(file)")
    let source = try String(contentsOf: path, encoding: .utf8)
    let before = try #require(source.range(of: call)).lowerBound
    let comment = source[..<before].split(separator: "\n").reversed().dropFirst()
      .prefix { $0.hasPrefix("  ///") }
    #expect(comment.contains { $0.contains("orting or filtering") }, "\(comment)")
  }
}
