import Foundation
import GraphStore
import GraphStoreReports
import Testing

@testable import GraphStoreCommands

@Suite("Small readers of the commands")
struct SessionTextTests {
  @Test("An assignment ends its key at the first equals sign")
  func assignments() throws {
    let plain = try Assignment("a=b=c")
    #expect(plain.key == "a")
    guard case .text("b=c") = plain.content else {
      Issue.record("\(plain.content)")
      return
    }
    let json = try Assignment("a:={\"x\":[1,null]}")
    guard case .json(.object(let members)) = json.content else {
      Issue.record("\(json.content)")
      return
    }
    #expect(members == ["x": .array([.number("1"), .null])])
    guard case .match("n == 1") = try Assignment("a?=n == 1").content,
      case .added("-5") = try Assignment("a+=-5").content, case .text("") = try Assignment("a=").content
    else {
      Issue.record("an operator is not read")
      return
    }
    #expect(throws: Diagnostic.self) { try Assignment("=x") }
    let missing = #expect(throws: Diagnostic.self) { try Assignment("a=@x=y") }
    #expect(missing?.message.contains("x=y") == true)
    #expect(missing?.hints.last?.hasSuffix(#"a:='"@x=y"'"#) == true)
    #expect(throws: Diagnostic.self) { try Assignment.list(["a=1", "b=2", "a=3"]) }
    #expect(throws: Diagnostic.self) { try Assignment("x") }
    #expect(throws: Diagnostic.self) { try Assignment("x:={") }
  }

  @Test(
    "A double's shortest text becomes a decimal of the same digits", arguments: TestSeed.sequence(1, from: 35)
  )
  func decimals(seed: TestSeed) throws {
    var random = seed.generator
    let special = [0, 1, -1, 0.1, 0.07, 75250.75, 1e15, 123_456_789.987654321, 1e-7, 5e-10, 1e22, .pi]
    for value in special
      + (0..<2000).map({ _ in Double(Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)) / 1000
      })
    {
      let parts = DecimalNumeral(shortestTextOf: value)
      let sign = parts.isNegative ? "-" : ""
      #expect(Double("\(sign)\(parts.significand)e\(parts.exponent)") == value, "\(seed)")
      #expect(
        parts.significand == 0 || parts.exponent == 0 || parts.significand % 10 != 0 || parts.exponent > 0)
    }
    let decimal = try #require(DecimalNumeral(Decimal(string: "-12.500")!))
    #expect(decimal == DecimalNumeral(isNegative: true, significand: 125, exponent: -1))
  }
}
