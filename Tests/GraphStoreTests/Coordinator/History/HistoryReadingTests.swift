import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

/// Reading histories by place, by predicate and in the forms of a result; tokens; purging.
@Suite("Reading history")
struct HistoryReadingTests {
  private let tracked: TrackedStore
  private var context: ManagedObjectContext { tracked.context }
  private var store: PersistentStoreReference { tracked.coordinator.persistentStores[0] }

  /// Three saves by two authors.
  init() throws {
    tracked = try TrackedStore(TestModels.company())
    for (number, author) in ["a", "b", "a"].enumerated() {
      context.transactionAuthor = author
      let employee = try context.insert("Employee", ["name": "E\(number)", "salary": number])
      if number == 2 { try context.insert("Department", ["name": "D"]) }
      try context.save()
      if number == 1 { try employee.setValue(10, forKey: "salary") }
    }
  }

  private func numbers(_ request: PersistentHistoryChangeRequest) throws -> [Int64] {
    try context.execute(request).transactions.map(\.transactionNumber)
  }

  private func filtered(_ predicate: String) throws -> PersistentHistoryResult {
    try context.execute(.fetchHistory(where: QueryPredicate(parsing: predicate)))
  }

  @Test("CTX-392, CTX-400: what came strictly after a token, a transaction or a date, oldest first")
  func places() throws {
    let all = try tracked.history()
    #expect(all.map(\.transactionNumber) == [1, 2, 3])
    #expect(try numbers(.fetchHistory(after: all[0])) == [2, 3])
    #expect(try numbers(.fetchHistory(after: all[1].token)) == [3])
    #expect(try numbers(.fetchHistory(after: all[2].token)) == [])
    #expect(try numbers(.fetchHistory(after: all[2].timestamp)) == [])
    #expect(try numbers(.fetchHistory(after: all[0].timestamp.addingTimeInterval(-60))) == [1, 2, 3])
    #expect(try numbers(.fetchHistory(after: Date.distantPast)) == [1, 2, 3])
  }

  @Test("CTX-392, CTX-498: a clock that was put back hides no transaction that came after a date")
  func clockPutBack() throws {
    try tracked.execute("UPDATE ATRANSACTION SET ZTIMESTAMP = 1000 + 100 * (Z_PK = 1) + Z_PK")
    #expect(try numbers(.fetchHistory(after: Date(timeIntervalSinceReferenceDate: 1_050))) == [1, 2, 3])
    let purge = PersistentHistoryChangeRequest.deleteHistory(
      before: Date(timeIntervalSinceReferenceDate: 1_050))
    #expect(try context.execute(purge).count == 0)
    #expect(try numbers(.fetchHistory(after: nil)) == [1, 2, 3])
  }

  @Test("CTX-393, CTX-406, CTX-499: predicates over transactions, and over changes")
  func predicates() throws {
    #expect(try filtered("author == 'a'").transactions.map(\.transactionNumber) == [1, 3])
    #expect(try filtered("author != 'a'").transactions.map(\.transactionNumber) == [2])
    #expect(try filtered("transactionNumber >= 2").transactions.map(\.transactionNumber) == [2, 3])
    #expect(try filtered("author == 'a'").token == tracked.coordinator.currentPersistentHistoryToken())
    let departments = try filtered("changedEntity == 'Department'")
    #expect(departments.transactions.map(TrackedStore.lines) == [["insert Department/p1"]])
    let salaries = try filtered("changeType == 'update' AND 'salary' IN updatedProperties AND author == 'a'")
    #expect(salaries.transactions.map(TrackedStore.lines) == [["update Employee/p2 salary"]])
    #expect(try filtered("transaction.author == 'b' AND changeType == 'insert'").count == 1)
    #expect { try filtered("autor == 'a'") } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .unknownKey && error?.suggestions == ["author"]
    }
  }

  @Test("CTX-393, PRD-072: a time is compared with dates, with texts of dates, and with seconds")
  func timesInPredicates() throws {
    try tracked.execute("UPDATE ATRANSACTION SET ZTIMESTAMP = 1000 * Z_PK")
    func numbers(_ text: String) throws -> [Int64] {
      try filtered(text).transactions.map(\.transactionNumber)
    }
    #expect(try numbers("timestamp > 1500") == [2, 3] && numbers("1500.5 > timestamp") == [1])
    #expect(try numbers("timestamp > '2001-01-01T00:30:00Z'") == [2, 3])
    #expect(try numbers("timestamp BETWEEN {'2001-01-01T00:20:00Z', 2100}") == [2])
    #expect(try numbers("timestamp IN {1000, 3000}") == [1, 3] && numbers("NOT timestamp = 1000") == [2, 3])
    #expect(try numbers("transaction.timestamp > 2500 AND changeType == 'insert'") == [3])
    #expect { try numbers("timestamp > 'yesterday'") } throws: {
      ($0 as? QueryPredicateError)?.code == .typeMismatch
    }
    #expect(try numbers("SUBQUERY(updatedProperties, $x, $x == 'name').@count > 0").isEmpty)
  }

  @Test("CTX-393: one entity, and one record")
  func records() throws {
    let id = try #require(try context.all("Employee", "name == 'E1'").first).objectID
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    request.changedObjectID = id
    #expect(
      try context.execute(request).transactions.map(TrackedStore.lines) == [
        ["insert Employee/p2"], ["update Employee/p2 salary"],
      ])
    request.changedObjectID = nil
    request.changedEntity = try tracked.coordinator.managedObjectModel.entity(named: "Department")
    #expect(try context.execute(request).transactions.map(\.transactionNumber) == [3])
  }

  @Test("CTX-394: the forms of a result")
  func forms() throws {
    func result(_ type: PersistentHistoryChangeRequest.ResultType) throws -> PersistentHistoryResult {
      var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
      request.resultType = type
      return try context.execute(request)
    }
    let transactions = try result(.transactionsOnly).transactions
    #expect(transactions.count == 3 && transactions.allSatisfy { $0.changes == nil })
    let changes = try result(.changesOnly)
    #expect(changes.transactions.isEmpty && changes.changes.count == 5)
    #expect(changes.changes.map(\.transaction.transactionNumber) == [1, 2, 3, 3, 3])
    let ids = try result(.objectIDs).objectIDs.map(\.shortForm)
    #expect(Set(ids) == ["Employee/p1", "Employee/p2", "Employee/p3", "Department/p1"] && ids.count == 4)
    let count = try result(.count)
    #expect(count.count == 5 && count.status && count.changes.isEmpty)
    #expect(try result(.statusOnly).status)
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    request.fetchLimit = 2
    let page = try context.execute(request)
    #expect(page.transactions.count == 2)
    #expect(try numbers(.fetchHistory(after: page.token)) == [3])
  }

  @Test("CTX-396: reading registers nothing, and is of no generation")
  func independence() throws {
    let reader = tracked.stack.newContext()
    try reader.setQueryGenerationFrom(.current)
    _ = try reader.all("Department")
    reader.reset()
    try context.insert("Employee", ["name": "new"])
    try context.save()
    #expect(try reader.execute(.fetchHistory(after: nil)).transactions.count == 4)
    #expect(reader.registeredObjects.isEmpty)
  }

  @Test("CTX-397, CTX-398: a token keeps its meaning as text and encoded")
  func tokens() throws {
    let token = try #require(try tracked.coordinator.currentPersistentHistoryToken())
    #expect(PersistentHistoryToken("\(token)") == token)
    let coded = try JSONDecoder().decode(
      PersistentHistoryToken.self, from: JSONEncoder().encode(token))
    #expect(coded == token && token.storeIdentifiers == [store.identifier.uuidString])
    for text in [
      "", "x", "3", "\(token):1", "\(UUID()):1-x", "\(UUID()):1-2-3", "\(UUID()):1-123456789a",
      "\(UUID()):-1", "\(token),\(token)", "\(UUID()):",
    ] {
      #expect(PersistentHistoryToken(text) == nil, "\(text)")
    }
    let empty = try TrackedStore(TestModels.company())
    #expect(try empty.coordinator.currentPersistentHistoryToken() == nil)
  }

  @Test(
    "CTX-399, CTX-402, CTX-464, DGN-215: a token after which something was removed is expired, others are not"
  )
  func expiry() throws {
    let all = try context.execute(.fetchHistory(after: nil)).transactions
    let removed = try context.execute(.deleteHistory(before: all[2]))
    #expect(removed.count == 2)
    #expect(try numbers(.fetchHistory(after: nil)) == [3])
    #expect(try numbers(.fetchHistory(after: all[1])) == [3])
    #expect(try numbers(.fetchHistory(after: Date.distantPast)) == [3])
    #expect { try numbers(.fetchHistory(after: all[0])) } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .historyExpired && error?.number == 134301
        && error?.remedy.contains("fetch anew") == true
    }
    #expect(try context.execute(.deleteHistory(before: Date().addingTimeInterval(60))).count == 1)
    #expect(try numbers(.fetchHistory(after: all[2])) == [])
    #expect(throws: GraphStoreError.self) { try numbers(.fetchHistory(after: all[1])) }
  }

  @Test("CTX-399: a token from a newer state of the store than the file has is expired")
  func olderState() throws {
    let copy = tracked.stack.folder.appending(path: "copy.db").path
    try tracked.execute("VACUUM INTO '\(copy)'")
    try context.insert("Employee", ["name": "later"])
    try context.save()
    let token = try tracked.coordinator.currentPersistentHistoryToken()
    let restored = try PersistentStoreCoordinator.open(storeAt: copy)
    let reader = ManagedObjectContext(coordinator: restored)
    #expect { try reader.execute(.fetchHistory(after: token)) } throws: {
      GraphStoreError.code(.historyExpired) ~= $0 && "\($0)".contains("older state")
    }
    // Once it has as many transactions, their times tell them apart.
    for name in ["a", "b"] {
      try reader.insert("Employee", ["name": name])
      try reader.save()
    }
    #expect { try reader.execute(.fetchHistory(after: token)) } throws: {
      GraphStoreError.code(.historyExpired) ~= $0 && "\($0)".contains("has another transaction 4")
    }
    restored.close()
  }

  @Test(
    "CTX-374, CTX-399: after the history was ended and begun again no former token is taken for a present one"
  )
  func begunAgain() throws {
    let token = try tracked.coordinator.currentPersistentHistoryToken()
    try tracked.coordinator.disableHistoryTracking(of: store)
    #expect { try context.execute(.fetchHistory(after: token)) } throws: {
      GraphStoreError.code(.historyNotTracked) ~= $0
    }
    try context.insert("Employee", ["name": "unseen"])
    try context.save()
    try tracked.coordinator.enableHistoryTracking(of: store)
    #expect { try context.execute(.fetchHistory(after: token)) } throws: {
      GraphStoreError.code(.historyExpired) ~= $0
    }
    try context.insert("Employee", ["name": "seen"])
    try context.save()
    #expect(throws: GraphStoreError.self) { try context.execute(.fetchHistory(after: token)) }
    #expect(try tracked.history().map(\.transactionNumber) == [5])
  }

  @Test("CTX-401: a token of other stores is refused")
  func otherStores() throws {
    let other = try TrackedStore(TestModels.company())
    try other.context.insert("Employee", ["name": "x"])
    try other.context.save()
    let token = try other.coordinator.currentPersistentHistoryToken()
    #expect { try context.execute(.fetchHistory(after: token)) } throws: {
      GraphStoreError.code(.unknownStore) ~= $0
    }
  }

  @Test("CTX-403, CTX-404: what all registered readers have read is removed, and never more")
  func consumers() throws {
    let coordinator = tracked.coordinator
    #expect(try coordinator.deleteHistory(readByAllConsumers: true) == 0)
    let start = try coordinator.registerHistoryConsumer(named: "mirror", of: store)
    try coordinator.registerHistoryConsumer(named: "index", of: store)
    #expect(try coordinator.deleteHistory(readByAllConsumers: true) == 0)
    let all = try context.execute(.fetchHistory(after: start)).transactions
    #expect(all.map(\.transactionNumber) == [1, 2, 3])
    try coordinator.updateHistoryConsumer(named: "mirror", to: all[2].token)
    try coordinator.updateHistoryConsumer(named: "index", to: all[0].token)
    #expect(try coordinator.historyConsumers().map(\.name) == ["index", "mirror"])
    #expect(try coordinator.registerHistoryConsumer(named: "index", of: store) == all[0].token)
    #expect(try coordinator.deleteHistory(readByAllConsumers: true) == 1)
    #expect(try numbers(.fetchHistory(after: all[0].token)) == [2, 3])
    try coordinator.removeHistoryConsumer(named: "index")
    #expect(try coordinator.deleteHistory(readByAllConsumers: true, olderThan: all[1].timestamp) == 0)
    #expect(try coordinator.deleteHistory(readByAllConsumers: true) == 2)
    #expect(try coordinator.historyConsumers().map(\.token) == [all[2].token])
    // A new reader has yet to read what is to come.
    let late = try coordinator.registerHistoryConsumer(named: "late", of: store)
    try context.insert("Employee", ["name": "new"])
    try context.save()
    #expect(try numbers(.fetchHistory(after: late)) == [4])
    #expect(try coordinator.deleteHistory(readByAllConsumers: true) == 0)
  }

  @Test(
    "CTX-405, CTX-258, CTX-425: transactions of others are merged, by notification, as changes, or together")
  func merging() throws {
    let reader = try tracked.stack.otherProcess()
    let mine = try reader.all("Employee", sort: ["name"])
    #expect(try mine.map { try $0.string("name") } == ["E0", "E1", "E2"])
    let token = try reader.coordinator.currentPersistentHistoryToken()
    let theirs = try context.all("Employee", sort: ["name"])
    try theirs[0].setValue("changed", forKey: "name")
    try context.save()
    try context.delete(theirs[1])
    try context.insert("Employee", ["name": "new"])
    try context.save()
    let found = try reader.execute(.fetchHistory(after: token)).transactions
    try #require(found.count == 2)
    try reader.mergeChanges(fromContextDidSave: found[0].objectIDNotification())
    #expect(try mine[0].string("name") == "changed" && !mine[1].isDeleted)
    try reader.mergeChanges(fromContextDidSave: found[1].savedChanges)
    #expect(mine[1].isDeleted)
    try theirs[2].setValue("again", forKey: "name")
    try context.save()
    try reader.mergeChanges(
      fromHistory: try reader.execute(.fetchHistory(after: found[1].token)).transactions)
    #expect(try mine[2].string("name") == "again")
    try reader.checkInvariants()
  }

  @Test("CTX-072: both did-save messages carry the place of the save in the history")
  func messages() throws {
    let tracked = try TrackedStore(TestModels.company())
    let center = NotificationCenter()
    tracked.context.notificationCenter = center
    final class Received: @unchecked Sendable { var tokens: [PersistentHistoryToken?] = [] }
    let received = Received()
    let observer = center.addObserver(
      forName: ManagedObjectContext.didSaveObjectsNotification, object: nil, queue: nil
    ) { received.tokens.append(ContextDidSave($0)?.historyToken) }
    defer { center.removeObserver(observer) }
    let direct = tracked.context.observe(.didSaveObjectIDs) { received.tokens.append($0.historyToken) }
    defer { direct.cancel() }
    try tracked.context.insert("Desk", ["name": "a"])
    try tracked.context.save()
    let present = try #require(try tracked.coordinator.currentPersistentHistoryToken())
    #expect(received.tokens == [present, present] && "\(received.tokens[0]!)" == "\(present)")
    // Within a transaction, of which several saves are parts, each has its own.
    received.tokens = []
    try tracked.coordinator.transaction(with: tracked.context) { _ in
      for name in ["b", "c"] {
        try tracked.context.insert("Desk", ["name": name])
        try tracked.context.save()
      }
      #expect(received.tokens.isEmpty)
    }
    let history = try tracked.history(after: present)
    #expect(received.tokens == history.flatMap { [$0.token, $0.token] })
    // Of a save that writes nothing, and a store without history, there is none.
    received.tokens = []
    try tracked.coordinator.disableHistoryTracking(of: tracked.coordinator.persistentStores[0])
    try tracked.context.insert("Desk", ["name": "d"])
    try tracked.context.save()
    #expect(received.tokens == [nil, nil])
  }
}
