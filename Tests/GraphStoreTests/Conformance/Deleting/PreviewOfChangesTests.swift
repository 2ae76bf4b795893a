import GraphStore
import Testing

@Suite("Previews of deletions among unsaved changes", .everyStore)
struct PreviewOfChangesTests {
  @Test("REL-333: moved, inserted and deleted objects are where they are in memory")
  func unsaved() throws {
    let stack = try TestStack(GraphModels.city(residents: .cascade))
    let context = stack.context
    let cities = try ["Rome", "Oslo"].map { try context.insert("City", ["name": $0]) }
    let people = try ["stays", "leaves", "comes", "dies"].map { try context.insert("Person", ["name": $0]) }
    for person in [people[0], people[1], people[3]] { try person.setValue(cities[0], forKey: "homeTown") }
    try people[2].setValue(cities[1], forKey: "homeTown")
    try context.save()
    try people[1].setValue(cities[1], forKey: "homeTown")
    try people[2].setValue(cities[0], forKey: "homeTown")
    try context.delete(people[3])
    let new = try context.insert("Person", ["name": "new", "homeTown": cities[0]])
    let visitor = try context.insert("Person", ["name": "visitor", "citiesVisited": Set([cities[0]])])
    let preview = try context.deletionPreview(of: [cities[0]])
    #expect(
      Set(preview.deletions.map(\.objectID)) == Set([cities[0], people[0], people[2], new].map(\.objectID)))
    #expect(preview.clearings.flatMap(\.objectIDs) == [visitor.objectID] && preview.wouldSucceed)
    #expect(try context.deletionPreview(of: [people[3]]).deletions.isEmpty)
    #expect(!cities[0].isDeleted && context.deletedObjects == [people[3]])
    try context.delete(cities[0])
    try context.save()
    let stored = try stack.otherProcess().all("Person", sort: ["name"]).compactMap { try $0.string("name") }
    #expect(stored == ["leaves", "visitor"])
  }
}
