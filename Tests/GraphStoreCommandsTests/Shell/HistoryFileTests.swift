import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("The history of the shell")
struct HistoryFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "history-\(UUID().uuidString)")
  private var path: String { folder.appendingPathComponent("deep/history").path }

  private func withFolder(_ body: () throws -> Void) rethrows {
    defer { try? FileManager.default.removeItem(at: folder) }
    try body()
  }

  @Test(
    "Entries come back as typed, newlines and backslashes included; the file is readable by people and private"
  )
  func roundTrip() throws {
    try withFolder {
      let history = ShellHistory(file: HistoryFile(path: path))
      let entries = ["fetch E where (\n  a > 1\n)", #"insert E name='a\nb\\'"#, "count Ünïts 😀"]
      for entry in entries { #expect(history.add(entry)) }
      #expect(HistoryFile(path: path).load() == entries)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.split(separator: "\n").first == #"fetch E where (\n  a > 1\n)"#)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test("Adjacent repeats, blank lines and lines that start with a space are left out")
  func leftOut() {
    withFolder {
      let history = ShellHistory(file: HistoryFile(path: path))
      let kept = ["a", "a", " secret", "", "\n", "b", "a"].filter(history.add)
      #expect(kept == ["a", "b", "a"])
      #expect(ShellHistory(file: HistoryFile(path: path)).entries == ["a", "b", "a"])
    }
  }

  @Test("Two sessions add to each other's entries")
  func twoSessions() async {
    let path = path
    await withTaskGroup(of: Void.self) { group in
      for session in 0..<4 {
        group.addTask {
          let history = ShellHistory(file: HistoryFile(path: path))
          for number in 0..<50 {
            _ = history.add("\(session) \(number) \(String(repeating: "x", count: 500))")
          }
        }
      }
    }
    let entries = HistoryFile(path: path).load()
    #expect(Set(entries).count == 200)
    #expect(entries.count == 200)
    try? FileManager.default.removeItem(at: folder)
  }

  @Test("The newest 10,000 entries are kept")
  func limit() throws {
    try withFolder {
      let file = HistoryFile(path: path)
      file.append("first")
      let handle = try #require(FileHandle(forWritingAtPath: path))
      handle.seekToEndOfFile()
      handle.write(Data((0..<12_000).map { "entry \($0)\n" }.joined().utf8))
      try handle.close()
      let entries = file.load()
      #expect(entries.count == 10_000)
      #expect(entries.last == "entry 11999")
      #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 10_000)
    }
  }

  @Test("An entry does not run into a line that was cut short")
  func cutShort() throws {
    try withFolder {
      let file = HistoryFile(path: path)
      file.append("a")
      let handle = try #require(FileHandle(forWritingAtPath: path))
      handle.seekToEndOfFile()
      handle.write(Data("torn".utf8))
      try handle.close()
      file.append("b")
      #expect(file.load() == ["a", "torn", "b"])
    }
  }

  @Test("The environment says where: the state folder, another file, or none")
  func environment() {
    #expect(
      HistoryFile(environment: ["XDG_STATE_HOME": "/s", "HOME": "/h"])?.path == "/s/graphstore/history")
    #expect(HistoryFile(environment: ["HOME": "/h"])?.path == "/h/.local/state/graphstore/history")
    #expect(
      HistoryFile(environment: ["XDG_STATE_HOME": "relative", "HOME": "/h"])?.path
        == "/h/.local/state/graphstore/history")
    #expect(HistoryFile(environment: ["GRAPHSTORE_HISTORY": "/x/y", "HOME": "/h"])?.path == "/x/y")
    #expect(HistoryFile(environment: ["GRAPHSTORE_HISTORY": "", "HOME": "/h"]) == nil)
    #expect(HistoryFile(environment: [:]) == nil)
  }

  @Test("A device, or a file that cannot be made, keeps no history and changes nothing")
  func notAFile() {
    #expect(!HistoryFile(path: "/dev/null").append("a"))
    let history = ShellHistory(file: HistoryFile(path: "/dev/null/history"))
    #expect(history.add("a"))
    #expect(!history.isKept)
    #expect(history.entries == ["a"])
  }
}
