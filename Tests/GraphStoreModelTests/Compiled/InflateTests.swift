import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Undoing DEFLATE")
struct InflateTests {
  private static let dynamic =
    "hZXLbQMxDAXvrwqXIP6kVTkJYCALBE7gbA7pPnQFcycIcvQ4Grf74zqvv9vbdT3P99/rfnveP9+u8+vx83F+34YMKkwJFa4NFSGbUJLygpJS"
    + "UJeppFmWJi106CAqWzYGkWu4jnhNljSQeQOkxawpbwJkzRlBW/VjYKcpP3CmpXDc7uiHRU5bicR9KJM6eSf6wEy7ymk7D9UiTp6aSNxLkztN"
    + "LZ5pafF2nXDmtLWReAxtfLvojA+MQXTIByYqOuWG4Yzs00PqUV2FJxNTFnh9sV53jDseskInRNtlIvpsvUwUVTb7hcbLZn+gOvNlGHRwtmIG"
    + "ss92jPGv0JLxgXMteQzc8ZDnQF673Yfsa8gn9iqTL5yrvEWKO1bIN/KqVDD76p/U8B1rvtyNc7XhA/NVrfjErNbWPw=="

  private static let dynamicText = (0..<60).map { "\($0 * $0) entity attribute relationship \($0)\n" }
    .joined()

  private func inflate(_ base64: String, limit: Int = 1_000_000) throws -> String {
    let bytes = [UInt8](try #require(Data(base64Encoded: base64)))
    return String(decoding: try Inflate.content(of: bytes, limit: limit), as: UTF8.self)
  }

  @Test("STO-279: blocks that are stored, and those of fixed codes and of codes of their own, are undone")
  func blocks() throws {
    #expect(try inflate("AwA=").isEmpty)
    #expect(try inflate("AQsA9P9zdG9yZWQgdGV4dA==") == "stored text")
    #expect(try inflate("y0jNyclXyEAnAQ==") == "hello hello hello hello")
    #expect(try inflate(Self.dynamic) == Self.dynamicText)
  }

  @Test("Bytes after the end are passed over")
  func trailing() throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: "y0jNyclXyEAnAQ=="))) + [1, 2, 3]
    #expect(try Inflate.content(of: bytes, limit: 100).count == 23)
  }

  @Test("MDL-384: content beyond the limit is refused before it takes memory")
  func limit() {
    #expect(throws: Inflate.Failure.tooLong) { try inflate(Self.dynamic, limit: 2223) }
    #expect(throws: Inflate.Failure.tooLong) { try inflate("AQsA9P9zdG9yZWQgdGV4dA==", limit: 10) }
    #expect(throws: Inflate.Failure.tooLong) { try inflate("y0jNyclXyEAnAQ==", limit: 22) }
  }

  @Test("MDL-384: a stream cut at any byte is truncated")
  func truncated() throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.dynamic)))
    for end in bytes.indices {
      #expect(throws: Inflate.Failure.truncated) {
        try Inflate.content(of: Array(bytes[..<end]), limit: 1_000_000)
      }
    }
  }

  @Test(
    "MDL-384: what is no stream is damaged: a third kind of block, lengths that deny each other, a copy from nowhere"
  )
  func damaged() {
    for bytes: [UInt8] in [[0x07], [0x01, 1, 0, 0, 0, 9], [0x4B, 0x04, 0x7F, 0xFF, 0xFF, 0xFF]] {
      #expect(throws: Inflate.Failure.self) { try Inflate.content(of: bytes, limit: 1000) }
    }
  }

  @Test("MDL-384: damaged streams end in content or an error", arguments: TestSeed.sequence(3, from: 1))
  func fuzz(seed: TestSeed) throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.dynamic)))
    var random = seed.generator
    for _ in 0..<2000 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        mutated[Int.random(in: mutated.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let content = try? Inflate.content(of: mutated, limit: 10_000)
      #expect(content.map { $0.count <= 10_000 } ?? true, "\(seed)")
    }
  }
}
