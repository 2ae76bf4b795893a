import GraphStore
import Testing

@Suite("Friends through a join entity", .everyStore)
struct FriendGraphTests {
  private let stack: TestStack
  private let people: [ManagedObject]
  private var context: ManagedObjectContext { stack.context }

  /// Ada and Bob are friends of each other, Ada of Cas, and Cas of Ada not.
  init() throws {
    stack = try TestStack(GraphModels.friends)
    people = try ["Ada", "Bob", "Cas"].map { [context = stack.context] in
      try context.insert("Person", ["name": $0])
    }
    for (source, friend) in [(0, 1), (1, 0), (0, 2)] {
      try stack.context.insert("FriendInfo", ["source": people[source], "friend": people[friend]])
    }
    try stack.context.save()
  }

  /// Whom each stored person has befriended, by name.
  private func friends() throws -> [String: [String]] {
    let all = try stack.otherProcess().all("Person").map { person in
      (
        try person.string("name") ?? "",
        try person.objects(forKey: "friends").compactMap { try $0.nameOf("friend") }.sorted()
      )
    }
    return Dictionary(uniqueKeysWithValues: all)
  }

  private func infos() throws -> Int { try stack.otherProcess().all("FriendInfo").count }

  @Test("REL-375: a friendship is one object, a mutual one two; ending one direction leaves the other")
  func directions() throws {
    #expect(try friends() == ["Ada": ["Bob", "Cas"], "Bob": ["Ada"], "Cas": []])
    #expect(try infos() == 3 && people[2].objects(forKey: "befriendedBy").count == 1)
    let info = try #require(
      try people[0].objects(forKey: "friends").first { try $0.nameOf("friend") == "Bob" })
    try context.delete(info)
    try context.save()
    #expect(try friends() == ["Ada": ["Cas"], "Bob": ["Ada"], "Cas": []])
    #expect(try infos() == 2 && people[1].objects(forKey: "befriendedBy").isEmpty)
  }

  @Test(
    "REL-375: a person takes the friendships of both directions along, and nobody else",
    arguments: [true, false])
  func person(_ isLoaded: Bool) throws {
    let id = people[0].objectID
    if !isLoaded { context.reset() }
    try context.delete(context.object(with: id))
    try context.save()
    #expect(try friends() == ["Bob": [], "Cas": []] && infos() == 0)
  }

  @Test("REL-376: a friendship without source or friend fails at the save", arguments: ["source", "friend"])
  func halves(_ missing: String) throws {
    let other = missing == "source" ? "friend" : "source"
    let info = try context.insert("FriendInfo", [other: people[2]])
    let error = failure { try context.save() }
    #expect(error?.number == 1570 && error?.property == missing && error?.objectID == info.objectID)
    #expect(try infos() == 3)
    try info.setValue(people[1], forKey: missing)
    try context.save()
    #expect(try infos() == 4)
    try info.setValue(nil, forKey: missing)
    #expect(failure { try context.save() }?.number == 1570)
  }
}
