import Foundation
import Testing

/// What the documentation of contexts has to say.
@Suite("The articles about contexts")
struct ContextArticleTests {
  private let text: String

  init() throws { text = try Self.text(of: "SeveralContexts") }

  private static func text(of article: String) throws -> String {
    try Article(module: "GraphStore", name: article).lines
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
  }

  @Test(
    "CTX-257: it says which contexts to prefer",
    arguments: [
      "1. One context, where the program can do its work in it.",
      "2. One for the main queue and one private context beside it, on one coordinator.",
      "3. Anything else only with a reason",
    ])
  func preference(_ advice: String) { #expect(text.contains(advice)) }

  @Test(
    "CTX-256, PAT-107: merging is the answer, and the other three have their costs",
    arguments: [
      "Merging is the answer for nearly every program.",
      "delete it here too. The save finds the record gone and goes on.",
      "The cascade of that deletion finds no objects that were never loaded here.",
      "collect identifiers, ``ManagedObjectContext/reset()``, and fetch with `SELF IN $ids`",
      "overwrites every other conflict of the save as well", "comes back half linked",
      "undoing it brings the record back for everybody", "so is any further mixture of these",
    ])
  func choices(_ advice: String) { #expect(text.contains(advice)) }

  @Test("CTX-284: it says that merging changes from elsewhere costs more")
  func cost() { #expect(text.contains("It costs more than an ordinary merge")) }

  @Test("CTX-358, CTX-275: it says that the window stays, and when to refresh instead of merging")
  func window() {
    #expect(text.contains("No setting closes this window"))
    #expect(text.contains("``ManagedObjectContext/refreshAllObjects()`` once"))
  }

  @Test(
    "CTX-372: it shows the order of a deletion in two steps, and keeps local marks apart from remote ones",
    arguments: [
      "1. Mark the object, cut in `willSave` what should be cut at once, and save.",
      "2. Merge the save everywhere", "3. Let everybody drop references.",
      "4. Later, remove for good", "keeps a mark of its own for that",
    ])
  func twoSteps(_ step: String) { #expect(text.contains(step)) }

  @Test(
    "CTX-302: it says what nested contexts are good for, and what they are not",
    arguments: [
      "a scratch pad for an edit that may be given up",
      "a main-queue child of a private-queue root that leaves the writing to that",
      "For an import in the background a child of the main context is the wrong tool",
    ])
  func nested(_ use: String) throws { #expect(try Self.text(of: "NestedContexts").contains(use)) }

  @Test(
    "CTX-327, CTX-328, CTX-329, CTX-353: it says what the background, the guard and pinning are good for",
    arguments: [
      "A fetch in the background is no faster.", "only for stores that read on demand",
      "Import on a private-queue context without an undo manager, and save and reset it for each batch",
      "Release builds do not check, and a use from elsewhere may crash or spoil objects then",
      "Pinning is of use where all contexts are pinned and merge each other's saves",
    ])
  func concurrency(_ use: String) throws { #expect(try Self.text(of: "Concurrency").contains(use)) }

  @Test(
    "CTX-477: it says how often to save",
    arguments: ["every 15 seconds or so", "A single save of more than 100 MB is slow"])
  func saving(_ advice: String) throws {
    #expect(try Self.text(of: "SavingAndValidation").contains(advice))
  }

  @Test(
    "CTX-389, CTX-404: it says what is not recorded, and how several readers purge what all have read",
    arguments: [
      "What other tools write into the tables of a store is not recorded",
      "deleteHistory(readByAllConsumers: true)", "no reader ever misses anything",
    ])
  func history(_ advice: String) throws { #expect(try Self.text(of: "History").contains(advice)) }
}
