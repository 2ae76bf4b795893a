import GraphStore

/// Promises about several writers of one store, and about what it remembers of their changes.
enum WriterPromises {
  static let all = [
    Promise(
      "writers.several",
      "What one coordinator saves another one finds, and a conflict between them is refused.",
      needs: [.persistence, .severalWriters, .conflictDetection]
    ) { run in
      let store = try run.makeStore { try $0.insert("Item", ["name": .string("one"), "amount": .int(0)]) }
      let other = try store.second()
      defer { other.close() }
      let context = store.context()
      try context.use { try $0.object("Item", "one").setQueryValue(.int(1), forKey: "amount") }
      try ManagedObjectContext(coordinator: other).use { context in
        try context.object("Item", "one").setQueryValue(.int(2), forKey: "amount")
        try context.insert("Item", ["name": .string("two")])
        try context.save()
      }
      try run.expect("items", try store.use { try $0.names("Item") }, ["one", "two"])
      try run.expectFailure("the later save", .mergeConflict) { try context.use { try $0.save() } }
    },
    Promise(
      "history.changes", "A history has the changes of each save, in their order.", needs: [.history]
    ) { run in
      let store = try run.makeStore()
      try store.coordinator.enableHistoryTracking(of: store.reference)
      try store.change { try $0.insert("Item", ["name": .string("one")]) }
      try store.change { try $0.object("Item", "one").setQueryValue(.int(1), forKey: "amount") }
      try store.change { try $0.delete(try $0.object("Item", "one")) }
      try store.reopen()
      let changes = try store.use { context in
        try context.execute(.fetchHistory(after: nil)).transactions.map { transaction in
          (transaction.changes ?? []).map(\.changeType)
        }
      }
      try run.expect("changes", changes, [[.insert], [.update], [.delete]])
    },
  ]
}
