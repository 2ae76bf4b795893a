import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStore

/// Random graphs and random damage in stores that are one document.
@Suite("Random documents of stores")
struct RandomDocumentTests {
  @Test(
    "STO-049, STO-056, STO-060: what random saves of random graphs have written is read back equal, and written alike",
    arguments: AtomicFolder.types, TestSeed.sequence(6, from: 560))
  func roundTrip(_ type: StoreType, seed: TestSeed) throws {
    let factory = try #require(StoreFactory.atomic.first { $0.description == type.rawValue })
    try StoreFactory.$current.withValue(factory) {
      var random = seed.generator
      let graph = seed.number % 2 == 0 ? RandomGraph(shapes: &random) : RandomGraph(rules: &random)
      var run = try RandomGraphTests.Run(graph, random)
      for step in 0..<40 {
        _ = try run.step()
        guard step % 8 == 7 else { continue }
        let file = ManagedObjectContext(coordinator: try .open(storeAt: run.stack.path))
        let written = try AtomicFolder.content(file)
        #expect(try written == AtomicFolder.content(run.stack.newContext()), "\(seed), step \(step)")
      }
    }
  }

  @Test(
    "STO-055, DGN-185: random damage of a document is an error or another document, never the end of the program",
    arguments: AtomicFolder.types, TestSeed.sequence(4, from: 720))
  func damage(_ type: StoreType, seed: TestSeed) throws {
    var random = seed.generator
    let folder = try AtomicFolder(type)
    let context = try folder.make(TestModels.company(isOrdered: true))
    let department = try context.insert("Department", ["name": "A\u{0}\"é🙂"])
    for number in 1...4 {
      let person = try context.insert(
        number == 1 ? "Manager" : "Employee", ["name": "E\(number)", "salary": number])
      try person.setValue(department, forKey: "department")
      try person.setValue([person], forKey: "friends")
    }
    try context.save()
    let whole = try folder.bytes()
    var refused = 0
    for _ in 0..<150 {
      var bytes = whole
      for _ in 0...Int.random(in: 0...2, using: &random) { Self.damage(&bytes, &random) }
      try folder.write(bytes, to: "damaged")
      var options = StoreOptions(isReadOnly: true)
      options.type = type
      do {
        let damaged = try folder.open("damaged", options)
        _ = try AtomicFolder.content(damaged)
        damaged.coordinator.close()
      } catch let error as GraphStoreError {
        refused += 1
        #expect(!error.message.isEmpty && !error.remedy.isEmpty, "\(seed)")
      } catch is ModelError {
        refused += 1
      }
    }
    #expect(refused > 20, "\(seed): only \(refused) are refused")
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    // The second half has the objects.
    let start = random.chance(60) ? bytes.count / 2 : 0
    let place = Int.random(in: start..<bytes.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.remove(at: place)
    case 3: bytes.removeSubrange(place...)
    case 4: bytes.insert(contentsOf: bytes[place..<min(place + 40, bytes.count)], at: place)
    default:
      let digits = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
      if let digit = digits.randomElement(using: &random) {
        bytes[digit] = UInt8.random(in: 0x30...0x39, using: &random)
      }
    }
  }
}
