import GraphStore
import GraphStoreTesting
import Testing

@Suite("Conflicts for tests of merge policies")
struct ConflictFixtureTests {
  typealias State = ConflictFixture.State

  /// `amount text note` of each stored item.
  private func stored(_ fixture: ConflictFixture) throws -> [String] {
    try fixture.stored().map { values in
      ["name", "amount", "text", "note"].map { key in
        switch values[key] {
        case .string(let text)?: text
        case .int(let number)?: "\(number)"
        default: "-"
        }
      }.joined(separator: " ")
    }
  }

  @Test(
    "PAT-165: by the policy that merges nothing every state fails its save, and the store keeps what others made",
    arguments: State.allCases, ConflictFixture.Side.allCases)
  func failing(_ state: State, _ side: ConflictFixture.Side) throws {
    let fixture = try ConflictFixture(state, with: side)
    let before = try stored(fixture)
    #expect(throws: GraphStoreError.self) { try fixture.save(with: .error) }
    #expect(try stored(fixture) == before)
  }

  @Test(
    "PAT-165: each policy leaves what it promises, with another context as with another process",
    arguments: ConflictFixture.Side.allCases)
  func merged(_ side: ConflictFixture.Side) throws {
    let expected: [(State, MergePolicy, [String])] = [
      (.changedAndChanged, .mergeByPropertyObjectTrump, ["one 3 mine theirs"]),
      (.changedAndChanged, .mergeByPropertyStoreTrump, ["one 2 mine theirs"]),
      (.changedAndChanged, .overwrite, ["one 3 mine -"]),
      (.changedAndChanged, .rollback, ["one 2 - theirs"]),
      (.changedAndDeleted, .mergeByPropertyStoreTrump, []),
      (.deletedAndChanged, .mergeByPropertyObjectTrump, []),
      (.deletedAndChanged, .rollback, ["one 2 - theirs"]),
      (.sameUniqueValueInStore, .mergeByPropertyObjectTrump, ["one 1 - -", "two 3 mine theirs"]),
      (.sameUniqueValueInStore, .mergeByPropertyStoreTrump, ["one 1 - -", "two 2 - theirs"]),
    ]
    for (state, policy, items) in expected {
      let fixture = try ConflictFixture(state, with: side)
      try fixture.save(with: policy)
      let stored = try stored(fixture)
      #expect(stored == items, "\(state) by \(policy.type)")
    }
  }

  @Test("PAT-165: a policy of one's own gets the conflict")
  func custom() throws {
    final class Recorder: MergePolicy, @unchecked Sendable {
      var conflicts = 0
      override func resolve(mergeConflicts conflicts: [MergeConflict]) throws {
        self.conflicts += conflicts.count
        try super.resolve(mergeConflicts: conflicts)
      }
    }
    let policy = Recorder(merge: .mergeByPropertyObjectTrump)
    try ConflictFixture(.changedAndChanged).save(with: policy)
    #expect(policy.conflicts == 1)
  }
}
