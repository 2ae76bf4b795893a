import GraphStorePredicates
import Testing

@Suite struct NearestNamesTests {
  @Test("PRD-210, DGN-121: names within edit distance 2 are near, best first")
  func bestFirst() {
    #expect(NearestNames.names(near: "salery", among: ["name", "celery", "salary"]) == ["salary", "celery"])
  }

  @Test("PRD-210, DGN-121: names of up to four letters allow distance 1 only, one of a letter none")
  func shortNames() {
    #expect(NearestNames.names(near: "nme", among: ["name", "none"]) == ["name"])
    #expect(NearestNames.names(near: "x", among: ["y", "xy"]) == [])
    #expect(NearestNames.names(near: "NAME", among: ["name", "nime"]) == ["name", "nime"])
  }

  @Test("PRD-210, DGN-121: at most three names")
  func atMostThree() {
    let names = ["valua", "valub", "valuc", "valud"]
    #expect(NearestNames.names(near: "value", among: names) == ["valua", "valub", "valuc"])
  }
}
