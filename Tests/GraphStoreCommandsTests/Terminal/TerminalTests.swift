import Foundation
import GraphStore
import GraphStoreReports
import Testing

@testable import GraphStoreCommands

@Suite("Terminal")
struct TerminalTests {
  @Test("Colour: the flag, then NO_COLOR, then CLICOLOR_FORCE, then the terminal and TERM")
  func color() {
    func uses(_ when: When, isTerminal: Bool, _ environment: [String: String]) -> Bool {
      TerminalInfo.usesColor(when, isTerminal: isTerminal, environment: environment)
    }
    #expect(uses(.auto, isTerminal: true, ["TERM": "xterm"]))
    #expect(!uses(.auto, isTerminal: false, ["TERM": "xterm"]))
    #expect(!uses(.auto, isTerminal: true, ["TERM": "dumb"]))
    #expect(!uses(.auto, isTerminal: true, ["NO_COLOR": "1"]))
    #expect(uses(.auto, isTerminal: true, ["NO_COLOR": ""]))
    #expect(uses(.auto, isTerminal: false, ["CLICOLOR_FORCE": "1"]))
    #expect(!uses(.auto, isTerminal: false, ["CLICOLOR_FORCE": "0"]))
    #expect(!uses(.auto, isTerminal: false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]))
    #expect(uses(.always, isTerminal: false, ["NO_COLOR": "1"]))
    #expect(!uses(.never, isTerminal: true, [:]))
  }

  @Test("The first locale variable that is set decides on UTF-8")
  func locale() {
    #expect(TerminalInfo.isUTF8(["LANG": "en_US.UTF-8"]))
    #expect(TerminalInfo.isUTF8(["LC_ALL": "", "LC_CTYPE": "C.utf8", "LANG": "C"]))
    #expect(!TerminalInfo.isUTF8(["LC_ALL": "C", "LANG": "en_US.UTF-8"]))
    #expect(!TerminalInfo.isUTF8([:]))
  }

  @Test("The progress bar shows title, share, rows and rate in one line that fits")
  func progressLine() {
    func line(_ done: Int, of total: Int?, columns: Int) -> String {
      ProgressBar.line(
        title: "importing people.csv", done: done, total: total, rows: 9600, seconds: 0.08, columns: columns,
        isUTF8: true)
    }
    #expect(
      line(96, of: 100, columns: 100)
        == "importing people.csv  ███████████████████░   96%  9 600 rows  120 000/s")
    #expect(line(0, of: nil, columns: 100) == "importing people.csv  9 600 rows  120 000/s")
    #expect(DisplayWidth.of(line(200, of: 100, columns: 30)) == 29)
    #expect((-1_234_567).grouped == "-1 234 567")
  }

  @Test("The progress bar shows nothing where there is no terminal")
  func silentProgress() {
    let output = OutputBuffer.memory()
    var bar = ProgressBar(title: "x", total: 10, terminal: .plain, output: output)
    for index in 0..<1000 { bar.update(done: index, rows: index) }
    bar.finish()
    #expect(output.count == 0)
  }
}
