import Testing

@testable import GraphStore

/// Counts the moods of a country in a stored attribute whenever one of them is saved (PAT-074).
private final class Country: ManagedObject {
  override func willSave() {
    guard changedKeys.contains("moods") else { return }
    let count = Int64((try? objects(forKey: "moods").count) ?? 0)
    if moodCount != count { moodCount = count }
    // The continent has to be part of the save, and counts itself.
    for case let continent as Continent in [continentNow, continentBefore] { continent.count() }
  }

  fileprivate var continentNow: ManagedObject? { try? object(forKey: "continent") }

  fileprivate var continentBefore: ManagedObject? {
    (try? committedValues(forKeys: ["continent"]))?["continent"] as? ManagedObject
  }
}

/// Counts its countries, and the moods of all of them, from the counts that they have (PAT-075, PAT-076).
private final class Continent: ManagedObject {
  override func willSave() { count() }

  fileprivate func count() {
    guard !isDeleted, managedObjectContext != nil else { return }
    let countries = ((try? objects(forKey: "countries")) ?? []).filter { !$0.isDeleted }
    let moods = countries.reduce(Int64(0)) { $0 + ($1.moodCount ?? 0) }
    if moodCount != moods { moodCount = moods }
    if countryCount != Int64(countries.count) { countryCount = Int64(countries.count) }
  }
}

extension ManagedObject {
  /// Of a country, and of a continent.
  fileprivate var moodCount: Int64? {
    get { self[AttributeKey<ManagedObject, Int64>("numberOfMoods")] }
    set { self[AttributeKey<ManagedObject, Int64>("numberOfMoods")] = newValue }
  }

  fileprivate var countryCount: Int64? {
    get { self[AttributeKey<ManagedObject, Int64>("numberOfCountries")] }
    set { self[AttributeKey<ManagedObject, Int64>("numberOfCountries")] = newValue }
  }
}

@Suite("Counters that willSave keeps", .everyStore)
struct HookCounterTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    let count = AttributeDefinition("numberOfMoods", .int64, isOptional: false, defaultValue: .number("0"))
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Continent", className: "Continent",
          attributes: [
            count,
            AttributeDefinition("numberOfCountries", .int64, isOptional: false, defaultValue: .number("0")),
          ],
          relationships: [
            RelationshipDefinition("countries", to: "Country", inverse: "continent", isToMany: true)
          ]),
        EntityDefinition(
          "Country", className: "Country", attributes: [count],
          relationships: [
            RelationshipDefinition("continent", to: "Continent", inverse: "countries"),
            RelationshipDefinition(
              "moods", to: "Mood", inverse: "country", isToMany: true, deleteRule: .cascade),
          ]),
        EntityDefinition(
          "Mood", relationships: [RelationshipDefinition("country", to: "Country", inverse: "moods")]),
      ]), classes: ["Continent": Continent.self, "Country": Country.self])
    try stack.context.setUndoManager(GraphUndoManager())
  }

  /// Saves, and compares the counts that the store has with the members that it has.
  private func saveAndRecount(_ step: String) throws {
    try context.save()
    #expect(!context.hasChanges, "\(step)")
    let other = try stack.otherProcess()
    for country in try other.all("Country") {
      #expect(try country.moodCount == Int64(country.objects(forKey: "moods").count), "\(step)")
    }
    for continent in try other.all("Continent") {
      let countries = try continent.objects(forKey: "countries")
      #expect(continent.countryCount == Int64(countries.count), "\(step)")
      let moods = try countries.reduce(0) { try $0 + $1.objects(forKey: "moods").count }
      #expect(continent.moodCount == Int64(moods), "\(step)")
    }
  }

  @Test(
    "OBJ-084, OBJ-075, PAT-079: inserting, moving and deleting leave the counts of owners, and of theirs, right",
    arguments: [true, false])
  func counting(_ isOneSave: Bool) throws {
    let continents = try (0..<2).map { _ in try context.insert("Continent", [:]) }
    let countries = try (0..<4).map { try context.insert("Country", ["continent": continents[$0 % 2]]) }
    try saveAndRecount("start")
    var moods: [ManagedObject] = []
    let steps: [(String, () throws -> Void)] = [
      ("insert", { moods = try (0..<8).map { try context.insert("Mood", ["country": countries[$0 % 3]]) } }),
      ("delete a mood", { try context.delete(moods[0]) }),
      ("move a mood", { try moods[1].setValue(countries[3], forKey: "country") }),
      ("move a mood across", { try moods[2].setValue(countries[1], forKey: "country") }),
      (
        "delete one and insert another",
        {
          try context.delete(moods[3])
          moods[3] = try context.insert("Mood", ["country": countries[0]])
        }
      ),
      ("move a mood out", { try moods[4].setValue(nil, forKey: "country") }),
    ]
    for (step, change) in steps {
      try change()
      if !isOneSave { try saveAndRecount(step) }
    }
    if isOneSave { try saveAndRecount("all at once") }
    try moods[5].setValue(countries[0], forKey: "country")
    try context.undo()
    try saveAndRecount("undone")
    try context.redo()
    try saveAndRecount("redone")
    try context.delete(moods[6])
    context.rollback()
    try saveAndRecount("rolled back")
  }
}
