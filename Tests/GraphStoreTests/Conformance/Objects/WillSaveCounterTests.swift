import GraphStore
import Testing

/// Keeps its number in step with its members, and tells its owner.
private class Counted: ManagedObject {
  static let number = AttributeKey<Counted, Int64>("number")
  class var members: String { "" }
  class var owner: String? { nil }

  /// What the number is to be: the members count with theirs, where they have one.
  func count() throws -> Int64 {
    try objects(forKey: Self.members).filter { !$0.isDeleted }.reduce(0) {
      $0 + (($1 as? Counted)?[Self.number] ?? 1)
    }
  }

  func recount() {
    guard !isDeleted, let count = try? count(), self[Self.number] != count else { return }
    self[Self.number] = count
    guard let owner = Self.owner else { return }
    ((try? object(forKey: owner)) as? Counted)?.recount()
  }

  override func willSave() { recount() }
}

private final class Continent: Counted {
  override class var members: String { "countries" }
}

private final class Country: Counted {
  override class var members: String { "moods" }
  override class var owner: String? { "continent" }
}

@Suite("Counters that willSave keeps", .everyStore)
struct WillSaveCounterTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    func counted(_ name: String, _ members: String, _ inverse: String, of member: String) -> EntityDefinition
    {
      EntityDefinition(
        name, className: name,
        attributes: [AttributeDefinition("name", .string), AttributeDefinition("number", .int64)],
        relationships: [
          RelationshipDefinition(
            members, to: member, inverse: inverse, isToMany: true, deleteRule: .cascade)
        ])
    }
    var country = counted("Country", "moods", "country", of: "Mood")
    country.relationships.append(RelationshipDefinition("continent", to: "Continent", inverse: "countries"))
    stack = try TestStack(
      ModelDefinition(entities: [
        counted("Continent", "countries", "continent", of: "Country"), country,
        EntityDefinition(
          "Mood", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("country", to: "Country", inverse: "moods")]),
      ]), classes: ["Continent": Continent.self, "Country": Country.self])
  }

  /// The stored numbers, which are those of a recount by somebody without the classes.
  private func numbers() throws -> [String: Int64] {
    let other = try stack.otherProcess()
    var numbers: [String: Int64] = [:]
    for country in try other.all("Country") {
      let name = try country.string("name") ?? ""
      numbers[name] = try country.value(forKey: "number") as? Int64
      #expect(try Int(numbers[name] ?? -1) == country.objects(forKey: "moods").count, "\(name)")
    }
    for continent in try other.all("Continent") {
      let name = try continent.string("name") ?? ""
      numbers[name] = try continent.value(forKey: "number") as? Int64
      let moods = try continent.objects(forKey: "countries").map { try $0.objects(forKey: "moods").count }
      #expect(Int(numbers[name] ?? -1) == moods.reduce(0, +), "\(name)")
    }
    return numbers
  }

  @Test("OBJ-084: inserting, moving and deleting in one save leaves the counters right, at every level")
  func oneSave() throws {
    let continents = try ["Asia", "Europe"].map { try context.insert("Continent", ["name": $0]) }
    let countries = try ["India", "Italy", "Spain"].map { try context.insert("Country", ["name": $0]) }
    for (country, continent) in zip(countries, [0, 1, 1]) {
      try country.setValue(continents[continent], forKey: "continent")
    }
    func moods(_ count: Int, _ country: Int) throws -> [ManagedObject] {
      try (0..<count).map { try context.insert("Mood", ["name": "\($0)", "country": countries[country]]) }
    }
    let made = try [moods(3, 0), moods(2, 1), moods(4, 2)]
    try context.save()
    #expect(try numbers() == ["India": 3, "Italy": 2, "Spain": 4, "Asia": 3, "Europe": 6])
    // One more in India, one moved from Italy to India, one of Spain's deleted, Spain moved to Asia.
    _ = try moods(1, 0)
    try made[1][0].setValue(countries[0], forKey: "country")
    try context.delete(made[2][0])
    try countries[2].setValue(continents[0], forKey: "continent")
    try context.save()
    #expect(try numbers() == ["India": 5, "Italy": 1, "Spain": 3, "Asia": 8, "Europe": 1])
    // A country goes with its moods, and a mood comes to another one.
    try context.delete(countries[0])
    _ = try moods(2, 1)
    try context.save()
    #expect(try numbers() == ["Italy": 3, "Spain": 3, "Asia": 3, "Europe": 3])
    // Nothing is left to settle: what is counted already is not set again.
    #expect(!context.hasChanges)
    try countries[1].setValue("Italia", forKey: "name")
    try context.save()
    #expect(try numbers() == ["Italia": 3, "Spain": 3, "Asia": 3, "Europe": 3])
  }
}
