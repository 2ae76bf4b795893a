import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands
@testable import GraphStoreModel

/// The parser of model files and that of records read the same numbers and strings.
@Suite("Agreement of the JSON parsers")
struct JSONAgreementTests {
  private func parsed(_ text: String) -> JSONNode.Content? { try? JSONParser.parse(Array(text.utf8)).content }

  private func pulled(_ text: String) -> JSONNode.Content? {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes)
      do throws(JSONError) {
        let content: JSONNode.Content
        if try reader.peek() == .string {
          content = .string(reader.string(try reader.string()))
        } else {
          content = .number(String(decoding: reader.digits(try reader.number()), as: UTF8.self))
        }
        try reader.end()
        return content
      } catch {
        return nil
      }
    }
  }

  private func expectAgreement(_ text: String, _ seed: TestSeed) {
    switch (parsed(text), pulled(text)) {
    case (nil, nil): break
    case (.number(let left), .number(let right)), (.string(let left), .string(let right)):
      #expect(left.utf8.elementsEqual(right.utf8), "\(seed), \(text)")
    case (let left, let right):
      Issue.record("\(seed), \(text): \(String(describing: left)), \(String(describing: right))")
    }
  }

  @Test("Numbers", arguments: TestSeed.sequence(1, from: 31))
  func numbers(seed: TestSeed) {
    var random = seed.generator
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        String(random.pick(Array("0019-+.eE")))
      }
      expectAgreement(text.joined(), seed)
    }
  }

  @Test("Strings with escapes", arguments: TestSeed.sequence(1, from: 32))
  func strings(seed: TestSeed) {
    var random = seed.generator
    let parts = [
      "a", "é", "\\n", "\\\"", "\\/", "\\u0041", "\\u00e9", "\\uD83D", "\\uDE00", "\\u12", "\\u-000", "\\x",
      "\\",
      "0", "\\uD83D\\uDE00",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0...5, using: &random)).map { _ in random.pick(parts) }
      expectAgreement("\"" + text.joined() + (random.chance(90) ? "\"" : ""), seed)
    }
  }
}
