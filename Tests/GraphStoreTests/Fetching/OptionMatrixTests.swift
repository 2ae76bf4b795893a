import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

/// Each option with each type of result, with and without unsaved changes.
@Suite("Options and types of results", .everyStore)
struct OptionMatrixTests {
  /// A record by the name that it was stored with, in the order of the names that the answer sorts by.
  private struct Record: Sendable {
    let name: String
    var isManager = false
    var earnsMuch = true
  }

  /// An option, and what it leaves of the records.
  private struct Option: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout FetchRequest<ManagedObject>, PersistentStoreReference) throws -> Void
    let effect: @Sendable ([Record]) -> [Record]
    /// Whether unsaved changes are left out.
    var isOfStore = false

    init(
      _ name: String, effect: @escaping @Sendable ([Record]) -> [Record] = { $0 },
      _ change:
        @escaping @Sendable (inout FetchRequest<ManagedObject>, PersistentStoreReference) throws -> Void
    ) {
      testDescription = name
      self.change = change
      self.effect = effect
    }
  }

  private static var options: [Option] {
    var stored = Option("stored state") { request, _ in request.includesPendingChanges = false }
    stored.isOfStore = true
    return [
      stored, Option("none") { _, _ in },
      Option("predicate", effect: { $0.filter(\.earnsMuch) }) { request, _ in
        request.predicate = try QueryPredicate(parsing: "salary > 1")
      },
      Option("window", effect: { Array($0.dropFirst().prefix(2)) }) { request, _ in
        request.fetchLimit = 2
        request.fetchOffset = 1
      },
      Option("descending", effect: { $0.reversed() }) { request, _ in
        request.sortDescriptors = [try QuerySortDescriptor(parsing: "-name")]
      },
      Option("own instances", effect: { $0.filter { !$0.isManager } }) { request, _ in
        request.includesSubentities = false
      },
      Option("no store", effect: { _ in [] }) { request, _ in request.affectedStores = [] },
      Option("one store") { request, store in request.affectedStores = [store] },
      Option("realised") { request, _ in request.returnsObjectsAsFaults = false },
      Option("keys alone") { request, _ in request.includesPropertyValues = false },
      Option("refreshed") { request, _ in request.shouldRefreshRefetchedObjects = true },
      Option("prefetched") { request, _ in
        request.relationshipKeyPathsForPrefetching = ["department.employees", "reports"]
      },
      Option("batches") { request, _ in request.fetchBatchSize = 2 },
      Option("locale") { request, _ in request.locale = Locale(identifier: "sv_SE") },
      Option("properties") { request, _ in request.propertiesToFetch = ["name", "salary"] },
      Option("distinct") { request, _ in
        request.propertiesToFetch = ["name"]
        request.returnsDistinctResults = true
      },
      Option("refused in memory") { request, _ in request.inMemoryEvaluation = .refused },
    ]
  }

  private static let stored = [
    Record(name: "A", earnsMuch: false), Record(name: "B"), Record(name: "C"),
    Record(name: "M", isManager: true),
  ]
  /// B is deleted, A is called Y, and Z is new.
  private static let changed = [
    Record(name: "C"), Record(name: "M", isManager: true), Record(name: "A", earnsMuch: false),
    Record(name: "Z", earnsMuch: false),
  ]

  private func stack(isChanged: Bool) throws -> (stack: TestStack, names: [ManagedObjectID: String]) {
    let stack = try TestStack(TestModels.company())
    let context = stack.context
    let labs = try context.insert("Department", ["name": "Labs"])
    var names: [ManagedObjectID: String] = [:]
    var objects: [ManagedObject] = []
    for record in Self.stored.reversed() {
      objects.append(
        try context.insert(
          record.isManager ? "Manager" : "Employee",
          ["name": record.name, "salary": Int64(record.earnsMuch ? 2 : 1), "department": labs]))
    }
    try context.save()
    for (object, record) in zip(objects, Self.stored.reversed()) { names[object.objectID] = record.name }
    if isChanged {
      try objects[3].setValue("Y", forKey: "name")
      try context.delete(objects[2])
      names[try context.insert("Employee", ["name": "Z", "salary": Int64(0)]).objectID] = "Z"
    } else {
      context.reset()
    }
    return (stack, names)
  }

  @Test(
    "FET-009 to FET-019, FET-059 to FET-067, FET-071 to FET-075: each option does the same to results of every type",
    .needs(.evaluation), arguments: [false, true])
  func matrix(isChanged: Bool) throws {
    for option in Self.options {
      let (stack, names) = try stack(isChanged: isChanged)
      let context = stack.context
      var request = FetchRequest(
        entityName: "Employee", sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
      let store = stack.coordinator.reference(stack.coordinator.mounts[0])
      try option.change(&request, store)
      let label = Comment(rawValue: option.testDescription)
      let records = isChanged && !option.isOfStore ? Self.changed : Self.stored
      let expected = option.effect(records).map(\.name)
      let ofStore = option.effect(Self.stored).map(\.name)

      #expect(try context.count(for: request) == expected.count, label)
      for type in FetchRequestResultType.allCases {
        request.resultType = type
        switch try context.fetchResults(request) {
        case .objects(let objects):
          #expect(type == .managedObject && objects.map { names[$0.objectID] } == expected, label)
        case .identifiers(let ids):
          #expect(type == .managedObjectID && ids.map { names[$0] } == expected, label)
        case .count(let counts): #expect(type == .count && counts == [expected.count], label)
        case .dictionaries(let rows):
          #expect(type == .dictionary && rows.map { $0["name"] as? String } == ofStore, label)
        }
      }
      request.resultType = .managedObject
      #expect(try context.fetchBatched(request).map { names[$0.objectID] } == expected, label)
      try context.checkInvariants()
    }
  }
}
