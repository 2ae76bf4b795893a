import Foundation
import GraphStoreTestSupport
import Testing

struct DialectBoundaryTests {
  @Test("STO-049: what all SQL engines share has no word of one of them")
  func words() throws {
    let folder = Repository.root.appending(path: "Sources/GraphStore/Stores/SQL")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 20)
    let word = try Regex(
      "SQLite|sqlite_|rowid|json_each|PRAGMA|COLLATE BINARY|CREATE (UNIQUE )?INDEX|PRIMARY KEY|VARCHAR|BLOB|\"\\?[0-9]"
    )
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        #expect(try word.firstMatch(in: line) == nil, "\(file.lastPathComponent):\(number + 1): \(line)")
      }
    }
  }
}
