#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreContextTestSupport
import GraphStorePredicates
import GraphStoreTestSupport

/// Parents, children and tags with everything that a history says something of: delete rules, one-way
/// relationships, values of deleted records, derived ones.
enum FamilyModel {
  static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(ModelDefinition(name: "Family", entities: [parent, child, special, tag]))
    } catch { fatalError("\(error)") }
  }()

  private static let parent = EntityDefinition(
    "Parent",
    attributes: [
      AttributeDefinition("name", .string),
      AttributeDefinition("size", .int64, derivation: "children.@count"),
    ],
    relationships: [
      RelationshipDefinition(
        "children", to: "Child", inverse: "parent", isToMany: true, deleteRule: .cascade),
      RelationshipDefinition("favourites", to: "Child", isToMany: true),
    ])

  private static let child = EntityDefinition(
    "Child",
    attributes: [
      AttributeDefinition("name", .string, preservesValueInHistory: true),
      AttributeDefinition("note", .string),
      AttributeDefinition("money", .decimal, preservesValueInHistory: true),
      AttributeDefinition("seen", .date, preservesValueInHistory: true),
      AttributeDefinition("ratio", .double, preservesValueInHistory: true),
      AttributeDefinition("isNew", .boolean, preservesValueInHistory: true),
      AttributeDefinition("photo", .binary, preservesValueInHistory: true),
      AttributeDefinition("mark", .uuid, preservesValueInHistory: true),
      AttributeDefinition("page", .uri, preservesValueInHistory: true),
      AttributeDefinition(
        "address", .composite,
        elements: [AttributeDefinition("city", .string), AttributeDefinition("number", .int32)],
        preservesValueInHistory: true),
    ],
    relationships: [
      RelationshipDefinition("parent", to: "Parent", inverse: "children"),
      RelationshipDefinition("tags", to: "Tag", inverse: "children", isToMany: true),
    ])

  private static let special = EntityDefinition(
    "Special", parent: "Child",
    attributes: [AttributeDefinition("rank", .int32, preservesValueInHistory: true)])

  private static let tag = EntityDefinition(
    "Tag", attributes: [AttributeDefinition("name", .string)],
    relationships: [RelationshipDefinition("children", to: "Child", inverse: "tags", isToMany: true)])
}

/// Random changes of families, the same for the same seed whatever the store.
struct RandomFamilies {
  let context: ManagedObjectContext
  private var random: SeededGenerator
  private var count = 0

  init(_ context: ManagedObjectContext, _ random: SeededGenerator) {
    self.context = context
    self.random = random
  }

  private func all(_ entity: String) throws -> [ManagedObject] {
    let request = FetchRequest<ManagedObject>(entityName: entity)
    return try context.fetch(request).sorted { $0.objectID < $1.objectID }
  }

  private mutating func any(_ entity: String) throws -> ManagedObject? {
    let all = try all(entity)
    return all.isEmpty ? nil : random.pick(all)
  }

  /// Makes some changes, and saves them.
  mutating func change() throws {
    for _ in 0..<Int.random(in: 1...4, using: &random) { try step() }
    try context.save()
  }

  private mutating func step() throws {
    count += 1
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      let parent = try context.insert(entityNamed: "Parent")
      try parent.setValue("p\(count)", forKey: "name")
    case 2, 3, 4:
      let child = try context.insert(entityNamed: random.chance(30) ? "Special" : "Child")
      try fill(child)
      try child.setValue(try any("Parent"), forKey: "parent")
    case 5:
      let tag = try context.insert(entityNamed: "Tag")
      try tag.setValue("t\(count)", forKey: "name")
      if let child = try any("Child") { try tag.setValue(Set([child]), forKey: "children") }
    case 6: if let child = try any("Child") { try fill(child) }
    case 7:
      if let child = try any("Child") { try child.setValue(try any("Parent"), forKey: "parent") }
    case 8:
      if let parent = try any("Parent") {
        let members = try [any("Child"), any("Child")].compactMap(\.self)
        try parent.setValue(Set(members), forKey: "favourites")
      }
    default:
      if let object = try any(random.pick(["Parent", "Child", "Child", "Tag"])) {
        try context.delete(object)
      }
    }
  }

  private mutating func fill(_ child: ManagedObject) throws {
    try child.setValue("c\(count) \"ä\\\" \n", forKey: "name")
    if random.chance(50) { try child.setValue("n\(count)", forKey: "note") }
    if random.chance(50) {
      try child.setValue(Decimal(string: "12345678901234567890.\(count)"), forKey: "money")
    }
    if random.chance(50) {
      try child.setValue(Date(timeIntervalSinceReferenceDate: Double(count) * 0.1), forKey: "seen")
    }
    if random.chance(50) { try child.setValue(random.pick([0.1, -0.0, .infinity, 1e300]), forKey: "ratio") }
    if random.chance(50) { try child.setValue(random.chance(50), forKey: "isNew") }
    if random.chance(50) { try child.setValue(Data([0, 1, UInt8(count & 255)]), forKey: "photo") }
    if random.chance(50) {
      try child.setValue(
        UUID(uuidString: "00000000-0000-0000-0000-0000000000\(count % 90 + 10)"), forKey: "mark")
    }
    if random.chance(50) {
      try child.setValue(URL(string: "https://example.org/\(count)?a=ä"), forKey: "page")
    }
    if random.chance(50) {
      try child.setValue(["city": "c\(count)", "number": count] as [String: Any], forKey: "address")
    }
  }
}

extension PersistentHistoryTransaction {
  /// The changes as texts, in an order of their own.
  var lines: [String] {
    (changes ?? []).map { change in
      let names = change.updatedProperties?.map(\.name).sorted().joined(separator: " ")
      let kept = change.tombstone.map { values in
        Self.text(values)
      }
      return (["\(change.changeType) \(change.changedObjectID)"] + [names, kept].compactMap(\.self))
        .joined(separator: " ")
    }
    .sorted()
  }

  private static func text(_ values: [String: Value]) -> String {
    values.sorted { $0.key < $1.key }.map { name, value in
      if case .dictionary(let members) = value { return "\(name)=(\(text(members)))" }
      return "\(name)=\(value)"
    }
    .joined(separator: " ")
  }
}
#endif
