import Foundation
import Testing

@testable import GraphStore

/// The room that values of variable length take while they are set again and again.
@Suite("Tails of rows")
struct TailTests {
  private static let text = AttributeKey<ManagedObject, String>("text")
  private static let money = AttributeKey<ManagedObject, Decimal>("money")
  private static let bytes = AttributeKey<ManagedObject, Data>("bytes")

  private let stack: TestStack
  private let things: [ManagedObject]

  init() throws {
    stack = try TestStack(TestModels.types)
    let context = stack.context
    things = try (0..<3).map { try context.insert("Thing", ["text": "first \($0)", "medium": $0]) }
  }

  private func size(_ object: ManagedObject) -> Int { object.block?.tailCount ?? 0 }

  @Test("A text set again and again takes the room of a few", arguments: [true, false])
  func text(isTyped: Bool) throws {
    for number in 0..<20_000 {
      let text = String(repeating: "x", count: 100 + number % 50) + "\(number)"
      if isTyped { things[1][Self.text] = text } else { try things[1].setValue(text, forKey: "text") }
      if number % 1000 == 0 { #expect(things[1][Self.text] == text) }
    }
    #expect(size(things[1]) < 20_000)
    #expect(things[1][Self.text]?.hasSuffix("19999") == true)
    #expect(things[0][Self.text] == "first 0" && things[2][Self.text] == "first 2")
  }

  @Test("An empty text beside one that shrinks stays where it can be read")
  func empty() throws {
    let thing = things[1]
    thing[Self.text] = String(repeating: "y", count: 9000)
    thing[Self.bytes] = Data()
    thing[Self.text] = "q"
    #expect(thing[Self.bytes] == Data() && thing[Self.text] == "q")
    try thing.block?.checkInvariants()
    thing[Self.text] = ""
    thing[Self.bytes] = Data(repeating: 1, count: 9000)
    thing[Self.bytes] = nil
    #expect(thing[Self.text] == "")
    try thing.block?.checkInvariants()
  }

  @Test("So do decimals, data, and values that go and come back")
  func others() throws {
    for number in 0..<20_000 {
      things[0][Self.money] = Decimal(string: "\(number).5")
      things[1][Self.bytes] = Data(repeating: UInt8(truncatingIfNeeded: number), count: 64)
      things[2][Self.text] = number % 2 == 0 ? nil : "odd \(number)"
    }
    #expect(size(things[0]) < 20_000)
    #expect(things[0][Self.money] == Decimal(string: "19999.5"))
    #expect(things[1][Self.bytes] == Data(repeating: UInt8(truncatingIfNeeded: 19_999), count: 64))
    #expect(things[2][Self.text] == "odd 19999")
    #expect(things[1][Self.text] == "first 1")
    try stack.context.save()
    let stored = try stack.otherProcess().all("Thing", sort: ["medium"])
    #expect(stored[0][Self.money] == Decimal(string: "19999.5"))
    #expect(stored[1][Self.text] == "first 1")
    #expect(stored[2][Self.text] == "odd 19999")
  }

  @Test(
    "Random values of all objects of a block stay what they were set to", arguments: TestSeed.sequence(4))
  func random(_ seed: TestSeed) throws {
    var random = seed.generator
    var texts = [String?](repeating: nil, count: 40)
    var money = [Decimal?](repeating: nil, count: 40)
    let objects = try (0..<40).map { try stack.context.insert("Thing", ["medium": 100 + $0]) }
    for step in 0..<6000 {
      let place = Int.random(in: 0..<40, using: &random)
      if Bool.random(using: &random) {
        texts[place] =
          Int.random(in: 0..<5, using: &random) == 0
          ? nil : String(repeating: "é", count: Int.random(in: 0..<200, using: &random)) + "\(step)"
        objects[place][Self.text] = texts[place]
      } else {
        money[place] = Decimal(
          sign: .plus, exponent: -Int.random(in: 0..<30, using: &random),
          significand: Decimal(Int64.random(in: 0..<Int64.max, using: &random)))
        objects[place][Self.money] = money[place]
      }
      if step % 100 == 0 { try stack.context.checkInvariants() }
      if step == 3000 { try stack.context.save() }
    }
    for place in 0..<40 {
      #expect(objects[place][Self.text] == texts[place])
      #expect(objects[place][Self.money] == money[place])
    }
  }
}
