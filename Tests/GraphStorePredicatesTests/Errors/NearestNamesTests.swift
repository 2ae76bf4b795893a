import GraphStorePredicates
import Testing

@Suite struct NearestNamesTests {
  @Test("PRD-210: names within edit distance 2 are near, best first")
  func bestFirst() {
    #expect(NearestNames.names(near: "salery", among: ["name", "celery", "salary"]) == ["salary", "celery"])
  }

  @Test("PRD-210: names of up to four letters allow distance 1 only")
  func shortNames() {
    #expect(NearestNames.names(near: "nme", among: ["name", "none"]) == ["name"])
  }

  @Test("PRD-210: at most three names")
  func atMostThree() {
    let names = ["valua", "valub", "valuc", "valud"]
    #expect(NearestNames.names(near: "value", among: names) == ["valua", "valub", "valuc"])
  }
}
