import GraphStoreModel

@testable import GraphStore

/// What a store holds at one time, by record: its version and what each property shows.
struct StoreState {
  struct Record {
    let layout: EntityLayout
    let version: Int64
    /// By the numbers of the properties.
    let values: [Int: String]
  }

  private(set) var records: [RecordKey: Record] = [:]

  /// Reads all of a store, through a context that knows nothing of it yet.
  init(_ context: ManagedObjectContext) throws {
    for entity in context.coordinator.managedObjectModel.entities where entity.rootEntity === entity {
      for object in try context.all(entity.name) {
        try object.realize()
        var values: [Int: String] = [:]
        for property in object.layout.properties where property.isPersistent {
          values[property.number] = try Self.text(of: property, object)
        }
        records[RecordKey(object)] = Record(
          layout: object.layout, version: object.currentRow?.version ?? 0, values: values)
      }
    }
  }

  private static func text(of property: PropertyLayout, _ object: ManagedObject) throws -> String {
    guard property.relationship >= 0 else { return "\(try object.queryValue(forKey: property.name))" }
    let relationship = object.layout.relationships[property.relationship]
    guard relationship.isToMany else {
      return "\(try object.object(forKey: property.name)?.objectID.shortForm ?? "nil")"
    }
    let members = try object.members(of: relationship).map(\.objectID.shortForm)
    return "\(relationship.isOrdered ? members : members.sorted())"
  }

  /// Where a commit and the difference of two states do not agree.
  ///
  /// A commit may list records and properties that it has written as they were. Links without an inverse go
  /// with the records that they lead to.
  static func disagreements(
    _ commit: [RecordKey: CommitRecord.Change], from before: StoreState, to after: StoreState
  ) -> [String] {
    var found: [String] = []
    for key in Set(before.records.keys).union(after.records.keys).union(commit.keys) {
      let (old, new, change) = (before.records[key], after.records[key], commit[key])
      let name = "\((old ?? new)?.layout.entity.name ?? "tree \(key.root)")/p\(key.key)"
      switch (old, new) {
      case (nil, nil): continue
      case (nil, _): if change != .inserted { found.append("\(name) is new, not \(text(change))") }
      case (_, nil): if change != .deleted { found.append("\(name) is gone, not \(text(change))") }
      case (let old?, let new?):
        let differing = new.values.keys.filter { old.values[$0] != new.values[$0] && !isCut($0, old, new) }
        guard case .updated(let properties)? = change else {
          if change != nil || !differing.isEmpty || old.version != new.version {
            found.append("\(name) has changed in \(names(differing, new)), and is \(text(change))")
          }
          continue
        }
        let missing = differing.filter { !properties.contains($0) }
        if !missing.isEmpty { found.append("\(name): \(names(missing, new)) is not in the commit") }
      }
    }
    return found
  }

  /// Whether a to-many has lost members together with which their links go: those of a relationship without an
  /// inverse, and links that another writer has added and Nullify cuts, of which the owner's version tells nothing.
  private static func isCut(_ number: Int, _ old: Record, _ new: Record) -> Bool {
    let property = new.layout.properties[number]
    guard property.kind == .toMany, new.values[number]!.count < old.values[number]!.count else {
      return false
    }
    let relationship = new.layout.relationships[property.relationship]
    guard let inverse = relationship.inverseDescription else { return true }
    return inverse.isToMany && old.version == new.version
  }

  private static func text(_ change: CommitRecord.Change?) -> String { change.map { "\($0)" } ?? "unlisted" }

  private static func names(_ numbers: [Int], _ record: Record) -> String {
    numbers.map { record.layout.properties[$0].name }.sorted().joined(separator: ", ")
  }
}
