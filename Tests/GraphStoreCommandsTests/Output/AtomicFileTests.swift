import Foundation
import GraphStoreReports
import Testing

@testable import GraphStoreCommands

@Suite("Atomic file")
struct AtomicFileTests {
  /// A directory of its own for one test.
  func withDirectory(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  func write(_ text: String, to file: AtomicFile) throws {
    file.output.append(text)
    try file.output.flush()
  }

  @Test("The file has its old content until the new one is whole")
  func commits() throws {
    try withDirectory { directory in
      let path = directory + "/out.csv"
      try "old".write(toFile: path, atomically: false, encoding: .utf8)
      chmod(path, 0o640)
      let file = try AtomicFile(path: path)
      try write("new", to: file)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      try file.commit()
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["out.csv"])
      let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(permissions == 0o640)
    }
  }

  @Test("A file that is given up leaves nothing behind")
  func discards() throws {
    try withDirectory { directory in
      do {
        let file = try AtomicFile(path: directory + "/out.csv")
        try write("half", to: file)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    }
  }

  @Test("A symbolic link keeps pointing to the file that is replaced")
  func followsLinks() throws {
    try withDirectory { directory in
      try "old".write(toFile: directory + "/real", atomically: false, encoding: .utf8)
      try FileManager.default.createSymbolicLink(atPath: directory + "/link", withDestinationPath: "real")
      let file = try AtomicFile(path: directory + "/link")
      try write("new", to: file)
      try file.commit()
      #expect(try String(contentsOfFile: directory + "/real", encoding: .utf8) == "new")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory + "/link") == "real")
    }
  }

  @Test("What is no regular file is written directly")
  func writesDevices() throws {
    let file = try AtomicFile(path: "/dev/null")
    try write("x", to: file)
    try file.commit()
    #expect(FileManager.default.fileExists(atPath: "/dev/null"))
  }

  @Test("A place where no file can be made is an error of its own")
  func cannotCreate() {
    let error = #expect(throws: OutputError.self) { try AtomicFile(path: "/dev/null/out.csv") }
    #expect(error?.exitCode == .cannotCreate)
  }
}
