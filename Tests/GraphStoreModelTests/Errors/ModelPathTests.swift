import GraphStoreModel
import Testing

@Suite struct ModelPathTests {
  private let path = ModelPath().item("entities", 2).item("attributes", 0).key("optional")

  @Test("MDL-023: a path prints as keys with dots and positions in brackets")
  func description() {
    #expect(path.description == "entities[2].attributes[0].optional")
    #expect(ModelPath().description.isEmpty)
    #expect(ModelPath().key("version").description == "version")
  }

  @Test("MDL-023: a path has the steps it was made of, from the top")
  func components() {
    #expect(
      path.components == [.key("entities"), .index(2), .key("attributes"), .index(0), .key("optional")])
    #expect(ModelPath().components.isEmpty)
    #expect(ModelPath(path.components) == path)
  }

  @Test("MDL-023: paths are equal by their steps, however they were made")
  func equality() {
    let same = ModelPath([.key("entities"), .index(2)]).key("attributes").index(0).key("optional")
    #expect(same == path)
    #expect(Set([path, same]).count == 1)
    #expect(path.key("x") != path)
    #expect(ModelPath().key("2") != ModelPath().index(2))
  }

  @Test("MDL-023: a change of the steps leaves paths that began alike as they are")
  func change() {
    var other = path
    other.components.removeLast()
    #expect(other == ModelPath().item("entities", 2).item("attributes", 0))
    other.components[1] = .index(7)
    #expect(other.key("optional").description == "entities[7].attributes[0].optional")
    #expect(path.description == "entities[2].attributes[0].optional")
  }
}
