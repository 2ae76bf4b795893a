@testable import GraphStore
import Testing

/// A history of two writers on a tiny model, made by contexts and, beside them, by ``ConflictReference``.
final class ConflictHistory {
  enum Edit: Hashable, Sendable {
    case a(Int)
    case b(Int)
    case code(Int, String)
    case owner(Int, Int?)
    case tag(Int, Int)
    case delete(Int)
    case insert(String)
    case watch(Int)
  }

  enum Action: Hashable, Sendable {
    case edit(Edit)
    case fetch
    case save
    case retry
    case rollback
  }

  struct Step: Hashable, Sendable, CustomStringConvertible {
    let writer: Int
    let action: Action

    var description: String {
      let text = "\(action)".replacing("GraphStoreTests.ConflictHistory.Edit.", with: "")
      return "\(writer == 0 ? "mine" : "theirs") \(text)"
    }
  }

  struct Setting: Hashable, Sendable {
    let other: OtherWriter
    let policies: [PolicyCase]
  }

  static let model = ModelDefinition(
    name: "Histories",
    entities: [
      EntityDefinition(
        "Item",
        attributes: [
          AttributeDefinition("name", .string), AttributeDefinition("n", .int64),
          AttributeDefinition("a", .int64, defaultValue: 0),
          AttributeDefinition("b", .int64, defaultValue: 0),
          AttributeDefinition("code", .string),
        ],
        relationships: [
          RelationshipDefinition("owner", to: "Owner", inverse: "items"),
          RelationshipDefinition("tags", to: "Tag", inverse: "items", isToMany: true),
        ], uniquenessConstraints: [["code"]]),
      EntityDefinition(
        "Owner", attributes: [AttributeDefinition("n", .int64)],
        relationships: [
          RelationshipDefinition("items", to: "Item", inverse: "owner", isToMany: true, isOrdered: true)
        ]),
      EntityDefinition(
        "Tag", attributes: [AttributeDefinition("n", .int64)],
        relationships: [RelationshipDefinition("items", to: "Item", inverse: "tags", isToMany: true)]),
    ])

  private let writers: TwoWriters
  private let contexts: [ManagedObjectContext]
  private var items: [[Int: ManagedObject]] = [[:], [:]]
  private var owners: [[Int: ManagedObject]] = [[:], [:]]
  private var tags: [[Int: ManagedObject]] = [[:], [:]]
  private var reference: ConflictReference
  private var count = 0
  private(set) var unspecified: String?

  init(_ setting: Setting) throws {
    writers = try TwoWriters(Self.model, setting.other) { context in
      let owners = try (1...2).map { try context.insert("Owner", ["n": $0]) }
      let tags = try (1...2).map { try context.insert("Tag", ["n": $0]) }
      for (number, code) in [(1, "x"), (2, "y")] {
        let item = try context.insert(
          "Item", ["n": number, "a": 1, "b": 1, "code": code, "owner": owners[0]])
        if number == 1 { try item.addObjects([tags[0]], forKey: "tags") }
      }
    }
    contexts = [writers.mine, writers.theirs]
    reference = ConflictReference(
      writers: setting.policies.map { ConflictReference.Writer(policy: $0) })
    reference.stored.records = [
      1: ConflictReference.Record(code: "x", owner: 1), 2: ConflictReference.Record(code: "y", owner: 1),
    ]
    reference.stored.tags = [ConflictReference.Tagging(item: 1, tag: 1)]
    for writer in 0...1 {
      contexts[writer].mergePolicy = setting.policies[writer].policy
      owners[writer] = try Self.byNumber(contexts[writer].all("Owner"))
      tags[writer] = try Self.byNumber(contexts[writer].all("Tag"))
      try fetch(writer)
    }
  }

  private static func byNumber(_ objects: [ManagedObject]) throws -> [Int: ManagedObject] {
    var found: [Int: ManagedObject] = [:]
    for object in objects {
      found[Int(try object.queryValue(forKey: "n").number)] = object
      for key in ["items", "tags"] where object.entity.relationship(named: key) != nil {
        _ = try object.objects(forKey: key)
      }
    }
    return found
  }

  /// Runs a history up to the first difference, which is returned.
  static func run(_ setting: Setting, _ steps: [Step]) -> String? {
    do {
      let history = try ConflictHistory(setting)
      for (position, step) in steps.enumerated() {
        do {
          if let difference = try history.take(step) { return "step \(position) (\(step)): \(difference)" }
        } catch {
          return "step \(position) (\(step)) threw \(error)"
        }
        if history.unspecified != nil { return try history.inconsistencies().map { "\(step): \($0)" } }
      }
      return try history.finish()
    } catch {
      return "threw \(error)"
    }
  }

  /// A part of a history that still has a difference, and that no step can be left out of.
  static func shrink(_ setting: Setting, _ steps: [Step]) -> [Step] {
    var steps = steps
    var position = 0
    while position < steps.count {
      var fewer = steps
      fewer.remove(at: position)
      if run(setting, fewer) != nil {
        steps = fewer
        position = 0
      } else {
        position += 1
      }
    }
    return steps
  }

  // MARK: Steps

  private func take(_ step: Step) throws -> String? {
    let (writer, context) = (step.writer, contexts[step.writer])
    count += 1
    var difference: String?
    switch step.action {
    case .edit(let edit):
      try take(edit, writer)
      if count.isMultiple(of: 2) { try context.processPendingChanges() }
    case .fetch: try fetch(writer)
    case .rollback:
      context.rollback()
      reference.rollback(writer)
      if context.hasChanges { difference = "changes after a rollback" }
    case .save: difference = try save(writer)
    case .retry:
      try fetch(writer)
      let changed = reference.writers[writer].changes.keys
      for (number, object) in items[writer].sorted(by: { $0.key < $1.key })
      where changed.contains(number) && !object.isDeleted && reference.stored.records[number] != nil {
        try context.refresh(object, mergeChanges: true)
      }
      reference.refresh(writer)
      difference = try save(writer)
    }
    for context in contexts { try context.checkInvariants() }
    if unspecified != nil { return nil }
    return try difference ?? memoryDifference()
  }

  private func take(_ edit: Edit, _ writer: Int) throws {
    switch edit {
    case .a(let item): try set(writer, item, "a", Int64(100 + count)) { [count] in $0.a = 100 + count }
    case .b(let item): try set(writer, item, "b", Int64(100 + count)) { [count] in $0.b = 100 + count }
    case .code(let item, let code): try set(writer, item, "code", code) { $0.code = .some(code) }
    case .owner(let item, let owner):
      let object = owner.flatMap { owners[writer][$0] }
      try set(writer, item, "owner", object) { $0.owner = .some(owner) }
    case .tag(let item, let tag):
      guard reference.writers[writer].sees(item) else { return }
      let isAdded = reference.toggle(writer, ConflictReference.Tagging(item: item, tag: tag))
      let (object, tag) = (items[writer][item]!, tags[writer][tag]!)
      if isAdded {
        try object.addObjects([tag], forKey: "tags")
      } else {
        try object.removeObjects([tag], forKey: "tags")
      }
    case .delete(let item):
      guard reference.writers[writer].sees(item) else { return }
      try contexts[writer].delete(items[writer][item]!)
      reference.delete(writer, item)
    case .insert(let code):
      let number = 100 * (writer + 1) + count
      let item = try contexts[writer].insert("Item", ["code": code])
      // A primitive write does not pass to another object (CTX-240).
      try item.setPrimitiveValue(Int64(number), forKey: "n")
      items[writer][number] = item
      reference.insert(writer, number, code: code)
    case .watch(let item):
      guard reference.writers[writer].sees(item), reference.writers[writer].base[item] != nil else { return }
      try contexts[writer].detectConflicts(for: items[writer][item]!)
      reference.writers[writer].watched.insert(item)
    }
  }

  private func set(
    _ writer: Int, _ item: Int, _ key: String, _ value: Any?,
    _ body: (inout ConflictReference.Change) -> Void
  ) throws {
    guard let before = reference.writers[writer].value(item) else { return }
    // Values set to what they are, or were when they were read, have tests of their own.
    var change = ConflictReference.Change()
    body(&change)
    let base = reference.writers[writer].base[item] ?? before
    guard change.leaving(before) == change, change.leaving(base) == change else { return }
    try items[writer][item]!.setValue(value, forKey: key)
    reference.change(writer, item, body)
  }

  private func fetch(_ writer: Int) throws {
    for (number, object) in try Self.byNumber(contexts[writer].all("Item")) {
      items[writer][number] = object
      _ = try object.objects(forKey: "tags")
    }
    reference.fetch(writer)
  }

  private func save(_ writer: Int) throws -> String? {
    let context = contexts[writer]
    try context.processPendingChanges()
    let flags = Self.flags(context)
    var failure: (any Error)?
    do { try context.save() } catch { failure = error }
    let before = reference.stored
    let outcome = reference.save(writer)
    if failure != nil {
      let now = Self.flags(context)
      if reference.writers[writer].policy == .error, flags != now {
        return "the failed save has changed flags from \(flags) to \(now)"
      }
      // Whatever came of it, nothing is written.
      if let difference = try storeDifference(before) { return "the failed save has written: \(difference)" }
    }
    switch outcome {
    case .unspecified(let what):
      unspecified = what
      return nil
    case .saved:
      if let failure { return "the save failed: \(failure)" }
      if context.hasChanges { return "changes after a save" }
    case .failed:
      if failure == nil { return "the save did not fail" }
    }
    // Objects that uniqueness has brought in.
    for (number, object) in try Self.byNumber(context.all("Item"))
    where items[writer][number] == nil && reference.writers[writer].base[number] != nil {
      items[writer][number] = object
    }
    return try storeDifference(reference.stored)
  }

  private static func flags(_ context: ManagedObjectContext) -> [Set<ManagedObjectID>] {
    [context.insertedObjects, context.updatedObjects, context.deletedObjects].map { Set($0.map(\.objectID)) }
  }

  // MARK: Comparing

  private func record(_ object: ManagedObject) throws -> ConflictReference.Record {
    ConflictReference.Record(
      a: Int(try object.queryValue(forKey: "a").number), b: Int(try object.queryValue(forKey: "b").number),
      code: try object.string("code"),
      owner: try object.object(forKey: "owner").map { Int(try $0.queryValue(forKey: "n").number) })
  }

  /// What each writer shows in memory.
  private func memoryDifference() throws -> String? {
    for writer in 0...1 {
      let wanted = reference.writers[writer]
      for (number, object) in items[writer].sorted(by: { $0.key < $1.key }) {
        let isThere = object.managedObjectContext != nil && !object.isDeleted
        guard let value = wanted.value(number) else {
          if isThere { return "writer \(writer) still has \(number)" }
          continue
        }
        guard isThere else { return "writer \(writer) has lost \(number)" }
        let there = try record(object)
        if there != value { return "writer \(writer) has \(number) as \(there), not \(value)" }
      }
      if contexts[writer].hasChanges != wanted.isChanged, !wanted.isChanged {
        return "writer \(writer) has changes"
      }
    }
    return nil
  }

  private func storeDifference(_ wanted: ConflictReference.Stored) throws -> String? {
    let context = try writers.stored()
    let there = try Self.byNumber(context.all("Item"))
    var stored = ConflictReference.Stored()
    for (number, object) in there {
      stored.records[number] = try record(object)
      for tag in try object.objects(forKey: "tags") {
        stored.tags.insert(
          ConflictReference.Tagging(item: number, tag: Int(try tag.queryValue(forKey: "n").number)))
      }
    }
    if stored != wanted { return "stored is \(stored), not \(wanted)" }
    return try Self.inconsistency(context).map { "stored: \($0)" }
  }

  /// What is stored is consistent in itself, and so is memory after everything was read anew.
  private func inconsistencies() throws -> String? {
    if let found = try Self.inconsistency(try writers.stored()) { return "stored: \(found)" }
    return try finish(comparingReference: false)
  }

  /// A link that one of its ends does not have.
  private static func inconsistency(_ context: ManagedObjectContext) throws -> String? {
    let (items, owners, tags) = (try context.all("Item"), try context.all("Owner"), try context.all("Tag"))
    func name(_ object: ManagedObject) -> String { object.objectID.shortForm }
    for owner in owners {
      let members = try owner.objects(forKey: "items")
      if Set(members).count != members.count { return "\(name(owner)) has a member twice" }
      for item in items {
        let isMember = members.contains(item)
        if try (item.object(forKey: "owner") === owner) != isMember {
          return "\(name(item)) and \(name(owner)) do not agree, \(isMember)"
        }
      }
      if let gone = members.first(where: { !items.contains($0) }) {
        return "\(name(owner)) has \(name(gone)), which is gone"
      }
    }
    for tag in tags {
      let members = try tag.objects(forKey: "items")
      for item in items where try item.objects(forKey: "tags").contains(tag) != members.contains(item) {
        return "\(name(item)) and \(name(tag)) do not agree, \(members.contains(item))"
      }
      if let gone = members.first(where: { !items.contains($0) }) {
        return "\(name(tag)) has \(name(gone)), which is gone"
      }
    }
    return nil
  }

  /// After everything is given up and read again, memory is as the store.
  private func finish(comparingReference: Bool = true) throws -> String? {
    for writer in 0...1 {
      let context = contexts[writer]
      context.rollback()
      _ = try context.all("Item")
      _ = try context.all("Owner")
      _ = try context.all("Tag")
      for object in context.registeredObjects {
        try context.refresh(object, mergeChanges: false)
      }
      try context.checkInvariants()
      let there = try context.all("Item")
      var seen: [Int: ConflictReference.Record] = [:]
      for object in there { seen[Int(try object.queryValue(forKey: "n").number)] = try record(object) }
      if comparingReference, seen != reference.stored.records {
        return "after a refresh writer \(writer) shows \(seen)"
      }
      if let found = try Self.inconsistency(context) { return "after a refresh writer \(writer): \(found)" }
      let other = try writers.stored()
      for (own, stored) in zip(
        try context.all("Owner", sort: ["n"]), try other.all("Owner", sort: ["n"]))
      {
        let orders = try [own, stored].map { try $0.objects(forKey: "items").map(\.objectID.key) }
        if orders[0] != orders[1] {
          return "writer \(writer) has the order \(orders[0]), stored \(orders[1])"
        }
      }
    }
    return nil
  }
}
