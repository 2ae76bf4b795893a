import Foundation
import GraphStore
import Testing

/// Runs the classes of `Generated/Orchard`.
@Suite("Generated classes")
struct GeneratedClassTests {
  private let folder: TemporaryFolder
  private let context: ManagedObjectContext

  init() throws {
    folder = try TemporaryFolder()
    context = ManagedObjectContext(coordinator: try OrchardModel.createStore(at: Self.path(folder)))
  }

  private static func path(_ folder: TemporaryFolder) -> String {
    folder.url.appendingPathComponent("orchard.db").path
  }

  private func reopened() throws -> ManagedObjectContext {
    ManagedObjectContext(coordinator: try OrchardModel.openStore(at: Self.path(folder)))
  }

  private func tree(_ text: String, money: Decimal = 1) throws -> AppleTree {
    let tree = try context.insert(AppleTree.self)
    tree.text = text
    tree.money = money
    tree.flag = true
    tree.moment = Date(timeIntervalSinceReferenceDate: 5)
    tree.tag = UUID()
    tree.link = URL(string: "https://example.org/\(text)")
    tree.bytes = Data([1, 2])
    tree.small = 1
    tree.medium = 2
    tree.large = 3
    tree.ratio = 0.5
    tree.single = 0.25
    return tree
  }

  @Test("OBJ-295, OBJ-296: a composite attribute is a structure, whose members are its elements")
  func composites() throws {
    let garden = try context.insert(Garden.self)
    garden.name = "g"
    #expect(garden.place == nil)
    let tag = UUID()
    garden.place = Garden.Place(
      city: "Rome", in: 3, elements_: tag, geo: Garden.Place.Geo(latitude: 41.9, longitude: 12.5))
    garden.set = Garden.SetValue(extra: ["a", 1] as [Any])
    try context.save()
    let other = try reopened()
    let found = try #require(try other.fetch(Garden.fetchRequest()).first)
    #expect(
      found.place == garden.place && found.place?.geo?.latitude == 41.9 && found.place?.elements_ == tag)
    #expect(try found.value(forKeyPath: "place.geo.longitude") as? Double == 12.5)
    #expect((found.set?.extra as? [Any])?.count == 2)
    found.place?.geo = nil
    #expect(found.place == Garden.Place(city: "Rome", in: 3, elements_: tag))
    found.place = Garden.Place()
    #expect(found.place == nil && other.hasChanges)
  }

  @Test("OBJ-028, REL-345, REL-346: a fetched property is an array of its class, kept until it is dropped")
  func fetchedProperties() throws {
    let garden = try context.insert(Garden.self)
    garden.name = "Eden"
    for (text, large) in [("Eden", Int64(1)), ("other", 2), ("Eden", 3)] {
      let tree = try tree(text)
      tree.large = large
    }
    try context.save()
    let found: [AppleTree] = garden.namesakes
    #expect(found.map(\.large) == [3, 1])
    garden.name = "other"
    #expect(garden.namesakes == found)
    garden.dropFetchedProperties()
    #expect(garden.namesakes.map(\.large) == [2])
    #expect(try garden.fetchedObjects(Garden.Keys.namesakes) == garden.namesakes)
    #expect(garden.visitors.isEmpty && context.hasChanges)
    try context.save()
  }

  @Test("OBJ-173, OBJ-025, REL-359: what a fetched property cannot give is kept for the save")
  func failingFetchedProperties() throws {
    let garden = try context.insert(Garden.self)
    garden.name = "Eden"
    _ = try tree("Eden")
    #expect(garden[FetchedPropertyKey<Garden, AppleTree>("nothing")].isEmpty)
    let unknown = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(unknown?.code == .unknownKey)
    _ = context.takeDeferredErrors()
    let wrong = FetchedPropertyKey<Garden, Pet>("namesakes")
    let mismatch = #expect(throws: GraphStoreError.self) { try garden.fetchedObjects(wrong) }
    #expect(mismatch?.code == .resultTypeMismatch && mismatch?.property == "namesakes")
    #expect(garden[wrong].isEmpty)
    let kept = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(kept?.code == .resultTypeMismatch)
  }

  @Test("MDL-132, OBJ-028: attributes of every type are read back in another context")
  func attributes() throws {
    let tree = try tree("apple", money: Decimal(string: "12.50") ?? 0)
    tree.maybeSmall = -3
    tree.maybeText = "pear"
    tree.maybeTag = tree.tag
    tree.maybeMoment = .distantPast
    tree.where = "south"
    tree.`default` = 7
    tree.Type_ = "old"
    tree.values = "v"
    tree.key = 9
    tree.state = "s"
    tree.plan = "p"
    tree.add = "a"
    tree.context = "c"
    tree.changedKeys_ = "k"
    try context.save()
    let other = try reopened()
    let found = try #require(try other.fetch(AppleTree.fetchRequest()).first)
    #expect(found.money == Decimal(string: "12.50"))
    #expect(found.small == 1 && found.medium == 2 && found.large == 3)
    #expect(found.ratio == 0.5 && found.single == 0.25 && found.flag == true)
    #expect(found.moment == Date(timeIntervalSinceReferenceDate: 5))
    #expect(found.tag == tree.tag && found.maybeTag == tree.tag)
    #expect(found.link == URL(string: "https://example.org/apple") && found.bytes == Data([1, 2]))
    #expect(found.maybeSmall == -3 && found.maybeMedium == nil && found.maybeText == "pear")
    #expect(found.where == "south" && found.`default` == 7 && found.Type_ == "old")
    #expect(found.values == "v" && found.key == 9 && found.state == "s" && found.plan == "p")
    #expect(found.add == "a" && found.context == "c" && found.changedKeys_ == "k")
    #expect(try found.value(forKey: "changedKeys") as? String == "k")
    withExtendedLifetime(other) {}
  }

  @Test("OBJ-029: a required attribute without a value reads as the zero of its type and stores nothing")
  func zeros() throws {
    let tree = try context.insert(AppleTree.self)
    #expect(tree.small == 0 && tree.money == 0 && tree.ratio == 0 && tree.flag == false)
    #expect(tree.bytes == Data() && tree.moment == Date(timeIntervalSinceReferenceDate: 0))
    #expect(tree.tag.uuidString == "00000000-0000-0000-0000-000000000000")
    #expect(tree.text == "none")
    #expect(tree.link == nil)
    #expect(try tree.value(forKey: "money") == nil)
    #expect(tree.maybeMoney == nil)
  }

  @Test("MDL-213, REL-024, REL-102: relationships are kept at both ends, ordered ones in their order")
  func relationships() throws {
    let (root, left, right) = (try tree("root"), try tree("left"), try tree("right"))
    let garden = try context.insert(Garden.self)
    garden.name = "Eden"
    root.addToShoots([left, right])
    root.insertIntoShoots(try tree("middle"), at: 1)
    #expect(root.shoots.map(\.text) == ["left", "middle", "right"])
    #expect(right.parent === root)
    root.replaceInShoots(at: 0, with: right)
    root.removeFromShoots(at: 1)
    #expect(root.shoots == [right])
    #expect(left.parent == nil)
    garden.trees = [root, left]
    #expect(root.in === garden)
    garden.removeFromTrees(left)
    garden.addToTrees(right)
    #expect(garden.trees == [root, right])
    left.addToFriends(right)
    #expect(right.friends == [left])
    left.spouse = right
    #expect(right.spouse === left)
    try context.save()
    let other = try reopened()
    let found = try #require(try other.fetch(Garden.fetchRequest()).first)
    #expect(Set(found.trees.map(\.text)) == ["root", "right"])
    #expect(found.trees.first { $0.text == "root" }?.shoots.map(\.text) == ["right"])
    withExtendedLifetime(other) {}
  }

  @Test(
    "MDL-069, MDL-067: entities are represented by their classes, several by one, and sub-entities by theirs")
  func classes() throws {
    let old = try context.insert(OldTree.self)
    old.age = 400
    #expect(old.entity.name == "OldTree")
    #expect(try context.insert(Pet.self, entityNamed: "Dog").entity.name == "Dog")
    let cat = try context.insert(Pet.self, entityNamed: "Cat")
    #expect(cat.lives == 9)
    #expect(throws: GraphStoreError.self) { try context.insert(Pet.self) }
    #expect(try context.fetch(Pet.fetchRequest()).count == 2)
    #expect(try context.fetch(AppleTree.fetchRequest()) == [old])
    #expect(OldTree.Keys.text.propertyName == AppleTree.Keys.text.propertyName)
    #expect(OldTree.Keys.age.propertyName == "age")
    #expect(try context.insert(entityNamed: "Visitor").entity.className == nil)
  }

  @Test("MDL-235: templates are functions with typed parameters")
  func templates() throws {
    let garden = try context.insert(Garden.self)
    garden.name = "Eden"
    for (text, money) in [("apple", 10), ("Apricot", 20), ("pear", 30)] as [(String, Decimal)] {
      garden.addToTrees(try tree(text, money: money))
    }
    try context.save()
    func texts(_ request: FetchRequest<AppleTree>) throws -> [String] {
      try context.fetch(request).map(\.text)
    }
    #expect(try texts(OrchardModel.inGarden(garden: garden, where: "AP")) == ["Apricot", "apple"])
    #expect(Set(try texts(OrchardModel.richer(min: 10, least: 0, most: 5))) == ["Apricot", "pear"])
    #expect(try context.count(for: OrchardModel.all()) == 3)
    let pear = try #require(garden.trees.first { $0.text == "pear" })
    #expect(Set(try texts(OrchardModel.oneOf(texts: ["apple"], trees: [pear]))) == ["apple", "pear"])
    #expect(try context.fetch(OrchardModel.gardensWith(tag: pear.tag, tree: pear)) == [garden])
    #expect(try texts(OrchardModel.withShoot(size: 3, count: 0)).isEmpty)
    #expect(try context.count(for: OrchardModel.planted(after: .distantPast, value: 4)) == 3)
  }

  @Test("The model is one object, and names the class of each entity that has one")
  func model() throws {
    #expect(try OrchardModel.model === OrchardModel.model)
    #expect(try OrchardModel.model.entity(named: "Garden").className == "Garden")
    #expect(OrchardModel.classes["Orchard.AppleTree"] == AppleTree.self)
    #expect(OrchardModel.classes["Visitor"] == nil)
  }
}
