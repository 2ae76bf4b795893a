import GraphStoreCodegen
import Testing

@Suite("Classes of a source")
struct ClassScannerTests {
  @Test(
    "A class is found wherever it is declared, and nothing in comments and texts",
    arguments: [
      ("class A {}", ["A"]), ("public final class A: B {}", ["A"]), ("class\n  `default`: B {}", ["default"]),
      ("// class A\nstruct B {}", []), ("/* class A /* class B */ class C */ class D {}", ["D"]),
      ("let a = \"class A\" ; class B {}", ["B"]), ("let a = \"\"\"\nclass A \" \n\"\"\"\nclass B {}", ["B"]),
      ("let a = #\"\" class A \"# ; class B {}", ["B"]), ("let a = \"\\\" class A\"; class B {}", ["B"]),
      ("let a = \"open\nclass B {}", ["B"]), ("#if DEBUG\nclass A {}\n#endif", ["A"]),
      ("class Äpfel {}", ["Äpfel"]),
      ("@objc class Å {} class", ["Å"]), ("", []), ("extension A { class B {} }", ["B"]),
    ] as [(String, Set<String>)])
  func classes(_ source: String, _ names: Set<String>) {
    #expect(ClassScanner.classes(in: source) == names)
  }

  @Test("Members of classes are no classes that an entity could be named as")
  func members() {
    let found = ClassScanner.classes(in: "class A { class func make() {} ; class var x: Int { 1 } }")
    #expect(found == ["A", "func", "var"])
  }

  @Test("Any text is read to its end", arguments: TestSeed.sequence(50, from: 1))
  func noise(_ seed: TestSeed) {
    let letters = Array("\"#\\/*class A\n`")
    var generator = seed.generator
    let source = String((0..<200).map { _ in generator.pick(letters) })
    #expect(ClassScanner.classes(in: source).allSatisfy { !$0.isEmpty }, "\(seed)")
  }
}
