import Foundation
import Testing

/// What the page on the files of stores has to say.
@Suite("The article about the files of stores")
struct StoreFilesArticleTests {
  @Test(
    "STO-162: it says what belongs to a store, and what copying the main file alone loses",
    arguments: [
      "copying the main file alone loses what is in the log, and every large value",
      "a log that is left beside another file of the same name destroys that",
      "`staff.db-wal`", "`staff.db-shm`", "`staff.db-journal`", "`.staff_SUPPORT`",
      "Copy, replace and remove stores by the calls on this page",
    ])
  func files(_ advice: String) throws {
    let lines = try Article(module: "GraphStore", name: "StoreFiles").lines
    let text = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    #expect(text.contains(advice))
  }
}
