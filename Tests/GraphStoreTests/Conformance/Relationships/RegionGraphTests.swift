import GraphStore
import Testing

/// Orphans that hooks clean up although Deny protects their owners.
@Suite("Regions that hooks clean up", .everyStore)
struct RegionGraphTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(GraphModels.regions, classes: GraphModels.regionClasses)
    let context = stack.context
    let (north, south) = (
      try context.insert("Continent", ["name": "N"]), try context.insert("Continent", ["name": "S"])
    )
    let countries = try [("a", north), ("b", south), ("c", south)].map {
      try context.insert("Country", ["name": $0.0, "continent": $0.1])
    }
    for (name, country) in [("1", 0), ("2", 0), ("3", 1), ("4", 2)] {
      try context.insert("Mood", ["name": name, "country": countries[country]])
    }
    try context.save()
    context.reset()
  }

  /// Deletes moods by name in one save and tells what is left.
  private func left(deleting names: String) throws -> String {
    for name in names { try context.delete(context.all("Mood", "name == '\(name)'")[0]) }
    try context.save()
    let other = try stack.otherProcess()
    return try ["Continent", "Country", "Mood"].map {
      try other.all($0, sort: ["name"]).compactMap { try $0.string("name") }.joined()
    }.joined(separator: " ")
  }

  @Test(
    "REL-262, REL-378: one of two moods goes alone, the last of a country with it, of a continent with all")
  func steps() throws {
    #expect(try left(deleting: "1") == "NS abc 234")
    #expect(try left(deleting: "2") == "S bc 34")
    #expect(try left(deleting: "4") == "S b 3")
    #expect(try left(deleting: "3") == "  ")
  }

  @Test(
    "REL-262, REL-378: several moods in one save clean up behind the last of each",
    arguments: ["1234", "4321"])
  func together(_ names: String) throws {
    var objects: [ManagedObject] = []
    for name in names { objects += try context.all("Mood", "name == '\(name)'") }
    for object in objects { try context.delete(object) }
    try context.save()
    for entity in ["Continent", "Country", "Mood"] {
      #expect(try stack.otherProcess().all(entity).isEmpty, "\(entity)")
    }
  }

  @Test("REL-378: without the hooks' help what is in a region protects it")
  func protected() throws {
    try context.delete(context.all("Country", "name == 'b'")[0])
    #expect(failure { try context.save() }?.number == 1600)
    context.rollback()
    try context.delete(context.all("Continent", "name == 'S'")[0])
    #expect(failure { try context.save() }?.number == 1600)
  }
}
