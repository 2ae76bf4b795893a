import GraphStoreTestSupport
import Testing

@testable import GraphStore

/// The look-up of properties by name.
struct NameTableTests {
  @Test("a table finds every name that it has, and no other", arguments: TestSeed.sequence(20))
  func agreement(_ seed: TestSeed) {
    var generator = seed.generator
    let letters = Array("abcdeXYZ_0123456789")
    func name() -> String {
      String(
        (0..<Int.random(in: 0...20, using: &generator)).map { _ in letters.randomElement(using: &generator)! }
      )
    }
    let names = Array(Set((0..<Int.random(in: 0...200, using: &generator)).map { _ in name() }))
    let table = NameTable(names)
    for (number, name) in names.enumerated() { #expect(table.number(of: name) == number, "\(seed)") }
    let known = Set(names)
    for _ in 0..<200 {
      let other = name()
      #expect((table.number(of: other) != nil) == known.contains(other), "\(seed)")
    }
  }
}
