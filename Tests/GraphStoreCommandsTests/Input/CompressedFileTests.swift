import Foundation
import GraphStoreReports
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("Files that are compressed with gzip")
struct CompressedFileTests {
  /// The bytes of a file that is written with gzip.
  private func compressed(_ text: String) throws -> [UInt8] {
    let file = try TestFile(name: "x.gz")
    let output = try AtomicFile(path: file.path)
    output.output.append(text)
    try output.commit()
    return Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
  }

  /// All that is read of bytes, in pieces of a size.
  private func text(of bytes: [UInt8], pieces: Int = 1000) throws(InputError) -> String {
    guard let file = try? TestFile(bytes) else { return "" }
    let input = try InputFile(path: file.path)
    var text: [UInt8] = []
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: pieces)
    defer { piece.deallocate() }
    while true {
      let count = try input.read(into: piece, count: pieces)
      if count == 0 { return String(decoding: text, as: UTF8.self) }
      text += UnsafeBufferPointer(start: piece, count: count)
    }
  }

  @Test("STO-338: what is written to a name that ends in .gz is gzip, and is read again, whatever the pieces")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 4)
    for length in [0, 1, 10, 5000, 300_000] {
      let text = (0..<length / 10).map { _ in "\(generator.next() % 1_000_000_000)x" }.joined()
      let bytes = try compressed(text)
      #expect(bytes.starts(with: [0x1F, 0x8B]))
      #expect(length < 5000 || bytes.count < text.utf8.count * 2 / 3)
      for pieces in [1, 7, 4096, 1 << 20] where length < 10_000 || pieces > 7 {
        #expect(try self.text(of: bytes, pieces: pieces) == text)
      }
    }
  }

  @Test(
    "STO-338: several compressed files one behind the other are one, with zeros between and behind them too")
  func members() throws {
    let bytes = try compressed("one\n") + [0, 0, 0] + compressed("") + compressed("two\n") + [0, 0]
    #expect(try text(of: bytes) == "one\ntwo\n")
    #expect(try text(of: bytes, pieces: 1) == "one\ntwo\n")
  }

  @Test("STO-338: a file that is cut short or damaged is refused, with the byte, behind what could be read")
  func damage() throws {
    let whole = try compressed((0..<2000).map { "\($0)\n" }.joined())
    for cut in [11, 20, whole.count / 2, whole.count - 8, whole.count - 1] {
      let error = try #require(throws: InputError.self) { try text(of: Array(whole.prefix(cut))) }
      #expect(error.code == .gzipDamaged && error.message.contains("cut short"), "\(cut): \(error)")
      #expect(error.message.contains("after \(cut.grouped) bytes") && error.exitCode == .dataError)
    }
    var generator = SeededGenerator(seed: 8)
    for place in [2, 12, whole.count / 2, whole.count - 6, whole.count - 2] {
      var bytes = whole
      bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
      let error = #expect(throws: InputError.self, "\(place)") { try text(of: bytes) }
      #expect(error?.code == .gzipDamaged, "\(place): \(String(describing: error))")
    }
    let behind = try #require(throws: InputError.self) { try text(of: whole + Array("rest".utf8)) }
    #expect(behind.message.contains("damaged at byte"), "\(behind)")
    #expect(throws: InputError.self) { try text(of: [0x1F, 0x8B]) }
    #expect(try text(of: [0x1F]) == "\u{1F}")
  }

  @Test("Bytes that are a value, and not records, are taken as they stand")
  func values() throws {
    let bytes = try compressed("x")
    let file = try TestFile(bytes)
    #expect(try InputFile.contents(path: file.path) == bytes)
  }

  @Test("STO-338: records of every form are read by the name before .gz", arguments: InputFormat.allCases)
  func forms(_ format: InputFormat) throws {
    let text =
      switch format {
      case .ndjson: "{\"a\":\"1\"}\n{\"a\":\"2\"}\n"
      case .json: "[{\"a\":\"1\"},{\"a\":\"2\"}]"
      case .csv, .tsv: "a\n1\n2\n"
      }
    #expect(try InputFormat.choose(nil, path: "d/x.\(format.rawValue).GZ") == format)
    let values = try readAll(compressed(text), format).map { $0.suffix(1) }
    #expect(values == ["1", "2"])
  }
}
