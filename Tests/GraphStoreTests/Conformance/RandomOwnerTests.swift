import Foundation
import GraphStore
import GraphStoreTestSupport
import Testing

@Suite("Random changes of to-many relationships without inverse", .everyStore)
struct RandomOwnerTests {
  private static let model = ModelDefinition(
    name: "Owners",
    entities: [
      EntityDefinition(
        "Owner", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("list", to: "Part", isToMany: true, isOrdered: true),
          RelationshipDefinition("set", to: "Half", isToMany: true),
        ]),
      EntityDefinition(
        "Part", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("parts", to: "Part", isToMany: true, deleteRule: .cascade)]),
      EntityDefinition("Half", parent: "Part"),
    ])

  /// What the store has to hold: the members of each owner by relationship, in their order.
  private struct Reference {
    var members: [String: [String: [String]]] = [:]
    var parts: Set<String> = []

    /// A member leaves the owner that it had.
    mutating func give(_ name: String, to owner: String, _ key: String, at place: Int?) {
      if members[owner]?[key]?.contains(name) == true { return }
      for other in members.keys { members[other]?[key]?.removeAll { $0 == name } }
      let count = members[owner]?[key]?.count ?? 0
      members[owner, default: [:]][key, default: []].insert(name, at: min(place ?? count, count))
    }

    mutating func deletePart(_ name: String) {
      guard parts.remove(name) != nil else { return }
      let own = members[name]?["parts"] ?? []
      members[name] = nil
      for owner in members.keys {
        for key in ["list", "set", "parts"] { members[owner]?[key]?.removeAll { $0 == name } }
      }
      for part in own { deletePart(part) }
    }

    var lines: [String] {
      members.flatMap { owner, lists in
        lists.filter { !$0.value.isEmpty }.map { key, names in
          "\(owner).\(key): \((key == "list" ? names : names.sorted()).joined(separator: " "))"
        }
      }.sorted()
    }
  }

  private func lines(_ context: ManagedObjectContext) throws -> [String] {
    var lines: [String] = []
    for object in try context.all("Owner") + context.all("Part") {
      let name = try object.string("name") ?? ""
      for key in object.entity.name == "Owner" ? ["list", "set"] : ["parts"] {
        let names = try object.names(key)
        if names.isEmpty { continue }
        lines.append("\(name).\(key): \((key == "list" ? names : names.sorted()).joined(separator: " "))")
      }
    }
    return lines.sorted()
  }

  private func object(_ entity: String, _ name: String, _ context: ManagedObjectContext) throws
    -> ManagedObject
  {
    try #require(try context.all(entity, "name == '\(name)'").first)
  }

  @Test(
    "REL-134, REL-135, STO-255, STO-259: members have one owner and, where it is ordered, their places",
    arguments: TestSeed.sequence(3, from: 134))
  func random(seed: TestSeed) throws {
    var random = seed.generator
    let stack = try TestStack(Self.model)
    var reference = Reference()
    var history: [String] = []
    for number in 0..<3 { try stack.context.insert("Owner", ["name": "o\(number)"]) }
    for number in 0..<8 {
      let name = "p\(number)"
      try stack.context.insert(number < 4 ? "Half" : "Part", ["name": name])
      reference.parts.insert(name)
    }
    try stack.context.save()
    for _ in 0..<60 {
      let context = stack.newContext()
      let names = reference.parts.sorted()
      guard let name = names.randomElement(using: &random) else { break }
      let isHalf = (Int(name.dropFirst()) ?? 0) < 4
      let part = try object("Part", name, context)
      let owner = "o\(Int.random(in: 0..<3, using: &random))"
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        history.append("\(owner).list + \(name)")
        try object("Owner", owner, context).addObjects([part], forKey: "list")
        reference.give(name, to: owner, "list", at: nil)
      case 2:
        let place = Int.random(in: 0...(reference.members[owner]?["list"]?.count ?? 0), using: &random)
        history.append("\(owner).list + \(name) at \(place)")
        var list = try object("Owner", owner, context).objects(forKey: "list")
        if !list.contains(part) {
          list.insert(part, at: place)
          try object("Owner", owner, context).setValue(list, forKey: "list")
        }
        reference.give(name, to: owner, "list", at: place)
      case 3 where isHalf:
        history.append("\(owner).set + \(name)")
        try object("Owner", owner, context).addObjects([part], forKey: "set")
        reference.give(name, to: owner, "set", at: nil)
      case 4:
        let parent = names.randomElement(using: &random) ?? name
        history.append("\(parent).parts + \(name)")
        try object("Part", parent, context).addObjects([part], forKey: "parts")
        reference.give(name, to: parent, "parts", at: nil)
      case 5:
        let key = random.next() % 2 == 0 ? "list" : "set"
        history.append("\(owner).\(key) - \(name)")
        try object("Owner", owner, context).removeObjects([part], forKey: key)
        reference.members[owner]?[key]?.removeAll { $0 == name }
      case 6:
        history.append("\(owner).list turned")
        let list = try object("Owner", owner, context).objects(forKey: "list")
        try object("Owner", owner, context).setValue(Array(list.reversed()), forKey: "list")
        reference.members[owner]?["list"]?.reverse()
      case 7 where random.next() % 4 == 0:
        history.append("delete \(name)")
        try context.delete(part)
        reference.deletePart(name)
      default: continue
      }
      try context.save()
      let stored = try lines(try stack.otherProcess())
      #expect(stored == reference.lines, "\(seed): \(history.joined(separator: "; "))")
      guard stored == reference.lines else { return }
    }
    #expect(try stack.otherProcess().all("Part").count == reference.parts.count, "\(seed)")
  }
}
