import GraphStore
import Testing

@Suite("Orders of relationships", .everyStore)
struct RelationshipOrderTests {
  @Test("REL-115, REL-435: a fetch sorted by the to-one inverse gives each owner's members in their order")
  func sortedByInverse() throws {
    let stack = try TestStack(GraphModels.city(isOrdered: true))
    let context = stack.context
    let cities = try ["Oslo", "Rome"].map { try context.insert("City", ["name": $0]) }
    let people = try "abcdef".map { try context.insert("Person", ["name": String($0)]) }
    try cities[1].setValue([people[3], people[0], people[2]], forKey: "residents")
    try cities[0].setValue([people[5], people[1]], forKey: "residents")
    // Who joins by the other end is last in both.
    try people[4].setValue(cities[0], forKey: "homeTown")
    try context.save()
    for context in [context, try stack.otherProcess()] {
      let sorted = try context.all("Person", "homeTown != nil", sort: ["homeTown"])
      let byOwner = Dictionary(grouping: sorted) { (try? $0.nameOf("homeTown")) ?? "" }
      #expect(try byOwner["Rome"]?.map { try $0.string("name") } == ["d", "a", "c"])
      #expect(try byOwner["Oslo"]?.map { try $0.string("name") } == ["f", "b", "e"])
      let ofRome = try context.all("Person", "homeTown.name == 'Rome'", sort: ["homeTown"])
      #expect(try ofRome.map { try $0.string("name") } == ["d", "a", "c"])
    }
  }

  @Test("REL-115: unsaved changes of the order are in the sorted fetch")
  func sortedUnsaved() throws {
    let stack = try TestStack(GraphModels.city(isOrdered: true))
    let city = try stack.context.insert("City", ["name": "Rome"])
    let people = try "abc".map { try stack.context.insert("Person", ["name": String($0), "homeTown": city]) }
    try stack.context.save()
    try city.setValue([people[2], people[0], people[1]], forKey: "residents")
    let sorted = try stack.context.all("Person", sort: ["homeTown"])
    #expect(try sorted.map { try $0.string("name") } == ["c", "a", "b"])
  }

  @Test(
    "REL-116: either side of a many-to-many may be ordered, each by an order of its own",
    arguments: [true, false], [true, false])
  func bothSides(_ isOrdered: Bool, _ isBackOrdered: Bool) throws {
    let name = AttributeDefinition("name", .string)
    let stack = try TestStack(
      ModelDefinition(
        name: "Tags",
        entities: [
          EntityDefinition(
            "Note", attributes: [name],
            relationships: [
              RelationshipDefinition(
                "tags", to: "Tag", inverse: "notes", isToMany: true, isOrdered: isOrdered)
            ]),
          EntityDefinition(
            "Tag", attributes: [name],
            relationships: [
              RelationshipDefinition(
                "notes", to: "Note", inverse: "tags", isToMany: true, isOrdered: isBackOrdered)
            ]),
        ]))
    let context = stack.context
    let notes = try "123".map { try context.insert("Note", ["name": String($0)]) }
    let tags = try "xyz".map { try context.insert("Tag", ["name": String($0)]) }
    for note in [2, 0, 1] { try notes[note].addObjects([tags[1], tags[2], tags[0]], forKey: "tags") }
    try context.save()
    func check(_ notes: [ManagedObject], _ tags: [ManagedObject], _ isSwapped: Bool) throws {
      for note in notes { #expect(try note.names("tags").joined() == (isOrdered ? "yzx" : "xyz")) }
      for tag in tags {
        let swapped = try isSwapped && tag.string("name") == "x"
        #expect(try tag.names("notes").joined() == (isBackOrdered ? swapped ? "123" : "312" : "123"))
      }
    }
    try check(notes, tags, false)
    let other = try stack.otherProcess()
    try check(other.all("Note"), other.all("Tag"), false)
    guard isBackOrdered else { return }
    try tags[0].setValue(notes, forKey: "notes")
    try context.save()
    let last = try stack.otherProcess()
    try check(last.all("Note"), last.all("Tag"), true)
  }
}
