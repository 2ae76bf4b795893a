import Foundation
import GraphStoreModel
import GraphStoreTestSupport
import Testing

@testable import GraphStore

/// Random saves, compared with what the history says of them.
@Suite("Histories of random saves")
struct HistoryReplayTests {
  @Test(
    "CTX-376, CTX-382, CTX-383, CTX-386, REL-180: each transaction is the difference of the states before and after it",
    arguments: TestSeed.sequence(6))
  func difference(_ seed: TestSeed) throws {
    let tracked = try TrackedStore(CompanyWithDerivations.model)
    var random = seed.generator
    var company = RandomCompany(tracked.context, seed.generator)
    var token: PersistentHistoryToken?
    var before = try state(tracked)
    for step in 0..<25 {
      try company.change()
      if random.chance(20) { try company.change() }
      tracked.context.performAndWait { if !tracked.context.saveOrRollback() { tracked.context.reset() } }
      let result = try tracked.context.execute(.fetchHistory(after: token))
      token = result.token
      let after = try state(tracked)
      #expect(result.transactions.count <= 1, "\(seed) step \(step)")
      let differences = StoreState.disagreements(
        Self.changes(result.transactions), from: before, to: after, listsVersions: false)
      #expect(differences.isEmpty, "\(seed) step \(step): \(differences)")
      before = after
    }
    #expect(try tracked.history().map(\.transactionNumber).first == 1)
  }

  private func state(_ tracked: TrackedStore) throws -> StoreState {
    try StoreState(ManagedObjectContext(coordinator: tracked.stack.factory.reopen(tracked.stack)))
  }

  /// The changes of transactions in the form of a commit.
  static func changes(
    _ transactions: [PersistentHistoryTransaction]
  ) -> [RecordKey: CommitRecord.Change] {
    var changes: [RecordKey: CommitRecord.Change] = [:]
    for change in transactions.flatMap({ $0.changes ?? [] }) {
      let id = change.changedObjectID
      let key = RecordKey(root: id.entity.rootEntity.index, key: id.key)
      switch change.changeType {
      case .insert: changes[key] = .inserted
      case .delete: changes[key] = .deleted
      case .update:
        var properties = PropertySet()
        for property in change.updatedProperties ?? [] { properties.insert(property.number) }
        changes[key] = .updated(properties)
      }
    }
    return changes
  }
}
