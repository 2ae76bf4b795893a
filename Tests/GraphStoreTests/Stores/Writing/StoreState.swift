import GraphStoreModel

@testable import GraphStore

/// What a store holds at one time, by record: its version and what each property shows.
struct StoreState {
  struct Record {
    let layout: EntityLayout
    let version: Int64
    /// By the numbers of the properties.
    let values: [Int: String]
    /// The members of to-manys, by the same numbers.
    let members: [Int: [RecordKey]]
  }

  private(set) var records: [RecordKey: Record] = [:]

  /// Reads all of a store, through a context that knows nothing of it yet.
  init(_ context: ManagedObjectContext) throws {
    for entity in context.coordinator.managedObjectModel.entities where entity.rootEntity === entity {
      for object in try context.all(entity.name) {
        try object.realize()
        var values: [Int: String] = [:]
        var members: [Int: [RecordKey]] = [:]
        for property in object.layout.properties where property.isPersistent {
          if property.kind == .toMany {
            let found = try object.members(of: object.layout.relationships[property.relationship])
            let isOrdered = object.layout.relationships[property.relationship].isOrdered
            let keys = found.map(RecordKey.init)
            members[property.number] =
              isOrdered ? keys : keys.sorted { ($0.root, $0.key) < ($1.root, $1.key) }
          } else {
            values[property.number] = try Self.text(of: property, object)
          }
        }
        records[RecordKey(object)] = Record(
          layout: object.layout, version: object.currentRow?.version ?? 0, values: values, members: members)
      }
    }
  }

  private static func text(of property: PropertyLayout, _ object: ManagedObject) throws -> String {
    guard property.relationship >= 0 else { return "\(try object.queryValue(forKey: property.name))" }
    return "\(try object.object(forKey: property.name)?.objectID.shortForm ?? "nil")"
  }

  /// Where a commit and the difference of two states do not agree.
  ///
  /// A commit may list records and properties that it has written as they were. That to-manys lose the
  /// members that it deletes is said by their deletion alone.
  ///
  /// - Parameter listsVersions: Whether it lists records of which the version alone has risen.
  static func disagreements(
    _ commit: [RecordKey: CommitRecord.Change], from before: StoreState, to after: StoreState,
    listsVersions: Bool = true
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
        let differing =
          new.values.keys.filter { old.values[$0] != new.values[$0] }
          + new.members.keys.filter { number in
            new.members[number] != old.members[number]?.filter { commit[$0] != .deleted }
          }
        guard case .updated(let properties)? = change else {
          if change != nil || !differing.isEmpty || listsVersions && old.version != new.version {
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

  private static func text(_ change: CommitRecord.Change?) -> String { change.map { "\($0)" } ?? "unlisted" }

  private static func names(_ numbers: [Int], _ record: Record) -> String {
    numbers.map { record.layout.properties[$0].name }.sorted().joined(separator: ", ")
  }
}
