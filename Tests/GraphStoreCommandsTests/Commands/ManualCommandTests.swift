import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("graphstore manual")
struct ManualCommandTests {
  @Test("It has every command with its own help, and every topic")
  func content() throws {
    let tool = try CommandLineTool()
    let page = try tool.run("manual").output
    #expect(page.hasPrefix(".TH GRAPHSTORE 1 "))
    for name in RootCommand.commandNames {
      #expect(page.contains("\n.SS \"graphstore \(name)\"\n"), "\(name)")
    }
    for name in ["graphstore model lint", "graphstore migrate apply", "graphstore history purge"] {
      #expect(page.contains("\n.SS \"\(name)\"\n"), "\(name)")
    }
    for topic in HelpTopic.allCases {
      #expect(page.contains(".SH \"\(topic.rawValue.uppercased().replacing("-", with: "\\-"))\"\n"))
    }
    let fetch = try tool.run("fetch", "--help").output.split(separator: "\n")[0]
    #expect(page.contains(fetch.replacing("-", with: "\\-")), "\(fetch)")
  }

  @Test("No line of a text is an instruction, and no backslash begins an escape but those written here")
  func escapes() throws {
    let macros: Set = [".TH", ".SH", ".SS", ".PP", ".nf", ".fi", ".B", ".I"]
    for line in ManualPage.text.split(separator: "\n") {
      if line.hasPrefix(".") { #expect(macros.contains(String(line.prefix { $0 != " " })), "\(line)") }
      #expect(!line.hasPrefix("'"), "\(line)")
      #expect(line.matches(of: #/\\[^e\-&\[]/#).isEmpty, "\(line)")
    }
  }

  @Test("As articles it has one for each command and each topic, all of which are linked, in a new folder")
  func articles() throws {
    let tool = try CommandLineTool()
    #expect(try tool.run("manual", "--articles", "pages").code == 0)
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: tool.path("pages")))
    var linked: Set = ["Commands.md", "HelpPages.md"]
    for name in names {
      let text = try String(contentsOfFile: tool.path("pages/\(name)"), encoding: .utf8)
      #expect(text.hasPrefix("# ") && text.components(separatedBy: "```").count <= 3, "\(name)")
      linked.formUnion(text.matches(of: #/<doc:([a-zA-Z-]+)>/#).map { "\($0.1).md" })
    }
    #expect(names == linked)
    for name in RootCommand.commandNames { #expect(names.contains("command-\(name).md"), "\(name)") }
    let again = try tool.run("manual", "--articles", "pages")
    #expect(again.code == 73 && again.errors.contains("pages is there already"), "\(again)")
  }
}
