import Foundation
import GraphStore
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("Pages of help")
struct HelpTopicTests {
  @Test("Options in front of help leave the topic what it is; those of a store are refused")
  func options() throws {
    let tool = try CommandLineTool()
    #expect(
      try tool.run("--color", "never", "help", "formats").output == tool.run("help", "formats").output)
    for words in [["help", "formats", "--store", "a.db"], ["--store", "a.db", "help", "formats"]] {
      let outcome = try tool.run(CommandLineTool.executable.path, words, input: nil)
      #expect(outcome.code == 64 && outcome.errors.contains("'--store'"), "\(words): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test("Help on a command of a command that is not there says so")
  func unknownLeaf() throws {
    let tool = try CommandLineTool()
    let outcome = try tool.run("help", "model", "shwo")
    #expect(outcome.code == 64 && outcome.errors.contains("unknown command \"shwo\"") && outcome.output == "")
    #expect(try tool.run("help", "model", "check").code == 0)
  }

  @Test("Every topic is printed with exit 0, outside and in the shell", arguments: HelpTopic.allCases)
  func topics(_ topic: HelpTopic) throws {
    let tool = try CommandLineTool()
    let outcome = try tool.run("help", topic.rawValue)
    #expect(outcome.code == 0)
    #expect(outcome.output == topic.text + "\n")
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(try tool.run("--help").output.contains(topic.rawValue))
  }

  @Test("STO-204: the advice for slow saves comes in its order, fewer saves first")
  func storeSpeed() throws {
    let text = try CommandLineTool().run("help", "store-speed").output
    let parts = ["fewer saves", "synchronous NORMAL", "15 seconds", "another type"]
    let places = parts.compactMap { text.range(of: $0)?.lowerBound }
    #expect(places.count == parts.count && places == places.sorted(), "\(text)")
  }

  @Test(
    "STO-213, STO-218: it is said that a store is no safer than other files, and what of strangers' files is promised"
  )
  func security() throws {
    let text = try CommandLineTool().run("help", "security").output.replacing("\n", with: " ")
    for part in ["not safer than a file of XML or a binary one", "no code in them is run"] {
      #expect(text.contains(part), "\(text)")
    }
  }

  @Test("DGN-115, DGN-118: the command has the article about errors as it is")
  func article() throws {
    let file = Repository.root.appendingPathComponent("Sources/GraphStore/GraphStore.docc/Errors.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(ErrorArticle.text == text.trimmingCharacters(in: .newlines), ".ci/error-article writes it anew")
  }

  @Test("DGN-115, DGN-117, DGN-118: every code has a page that says what to do, and is in the list")
  func codes() throws {
    let tool = try CommandLineTool()
    let list = try tool.run("help", "codes").output
    for code in GraphStoreError.Code.allCases {
      let pages = ErrorPage.pages(for: code.rawValue)
      #expect(pages.count == 1 && pages[0].number == code.number && pages[0].body.count > 30, "\(code)")
      #expect(list.contains("\n  \(code.rawValue) "), "\(code)")
    }
    #expect(ErrorPage.all.allSatisfy { !$0.body.contains("``") && !$0.body.contains("<doc:") })
    let page = try tool.run("help", "incompatible-model")
    #expect(
      page.code == 0 && page.output.hasPrefix("incompatible-model (134100): exit code 78\n\n"), "\(page)")
    #expect(page.output.contains("migrate"))
  }

  @Test(
    "DGN-118: a number, and a phrase under which the trouble is known, lead to the page",
    arguments: [
      (["134100"], "incompatible-model"), (["could not fulfill a fault"], "object-not-found"),
      (["The", "SQLite", "store", "became", "corrupted"], "store-corrupt"),
      (["key value coding-compliant"], "unknown-key"),
      (["Could not merge changes"], "merge-conflict"),
    ])
  func phrases(_ words: [String], _ code: String) throws {
    let outcome = try CommandLineTool().run(CommandLineTool.executable.path, ["help"] + words, input: nil)
    #expect(outcome.code == 0 && outcome.output.contains("\(code) ("), "\(outcome)")
    let unknown = try CommandLineTool().run("help", "incompatible-modl")
    #expect(unknown.code == 64 && unknown.errors.contains("incompatible-model"), "\(unknown)")
  }

  @Test("PAT-189, PAT-207, PAT-208: the limits are said with what lies on their other side")
  func limits() throws {
    let text = try CommandLineTool().run("help", "limits").output
    for part in [
      "fetched properties", "configurations", "several stores as\none", "undo", "contexts over contexts",
      "SQL",
      "other databases", "lie in one store", "read whole", "transient", "no inverse", "queue of its context",
      "MATCHES in a fetch", "--portable",
    ] {
      let folded = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(folded.contains(part.replacing("\n", with: " ")), "\(part)")
    }
  }

  @Test("The commands and options that the pages for readers name are there")
  func readers() throws {
    let tool = try CommandLineTool()
    for topic in ["for-sql-users", "for-core-data-users", "limits"] {
      let text = try tool.run("help", topic).output
      for match in text.matches(of: /graphstore ([a-z]+)( [a-z-]+)?/) {
        let words = [String(match.1)] + (match.2.map { [$0.trimmingCharacters(in: .whitespaces)] } ?? [])
        let known = ["model", "migrate", "predicate", "history"].contains(words[0]) ? words : [words[0]]
        #expect(
          try tool.run(CommandLineTool.executable.path, known + ["--help"], input: nil).code == 0,
          "\(match.0)")
      }
    }
  }

  @Test("The statements that a page shows run as they stand", arguments: [HelpTopic.scripts, .shell])
  func statements(_ topic: HelpTopic) throws {
    let tool = try CommandLineTool.staffedCompany()
    let names = ["fetch ", "insert ", "update ", "delete "]
    let lines = topic.text.split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { line in names.contains { line.hasPrefix($0) } }
      // What stands behind a wide gap is said of the statement.
      .map { $0.components(separatedBy: "   ")[0] }
    #expect(!lines.isEmpty)
    let outcome = try tool.run("run", "-", input: lines.joined(separator: "\n") + "\n")
    #expect(outcome.code == 0, "\(lines): \(outcome.errors)")
  }

  @Test("Values behind a bare where are said to stand in the wrong place")
  func order() throws {
    let tool = try CommandLineTool.staffedCompany()
    let wrong = try tool.run("run", "-c", "update Employee where badge == 1 salary=3")
    #expect(wrong.code == 65 && wrong.errors.contains("values stand before the condition"), "\(wrong.errors)")
    let none = try tool.run("update", "Employee", "--where", "badge == 1")
    #expect(none.code == 64 && !none.errors.contains("values stand before"), "\(none.errors)")
  }

  @Test("What is no topic and no command is an error with proposals")
  func unknown() throws {
    let tool = try CommandLineTool()
    let outcome = try tool.run("help", "predicats")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("[unknown-topic]"))
    #expect(outcome.errors.contains("did you mean \"predicates\""))
    #expect(try tool.run("help", "nonsense").errors.contains("exit-codes"))
    #expect(try tool.run("help", "fetch").output.contains("--where"))
    #expect(try tool.run("help").code == 0)
  }

  @Test("MIG-025, DGN-187: the hint of another model is the line to type")
  func commands() throws {
    let tool = try CommandLineTool.company()
    try tool.write(
      #"{"entities":[{"name":"Employee","attributes":[{"name":"x","type":"int32"}]}]}"#, to: "other.json")
    let outcome = try tool.run("count", "Employee", "--model", "other.json")
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("hint: graphstore migrate plan --store "), "\(outcome.errors)")
    #expect(outcome.errors.contains(" --to other.json"), "\(outcome.errors)")
  }

  @Test("What the remedy of another model says can be done")
  func remedy() throws {
    let tool = try CommandLineTool.staffedCompany()
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    #expect(try tool.run("export", "--all", "-o", "all.ndjson").code == 0)
    #expect(try tool.run("init", "new.db", "--model", model).code == 0)
    #expect(try tool.run("import", "--all", "all.ndjson", "-s", "new.db").code == 0)
    #expect(try tool.run("count", "Employee", "-s", "new.db").output == "3\n")
  }
}
