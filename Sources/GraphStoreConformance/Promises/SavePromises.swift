import GraphStore

/// Promises about saves that fail, and about changes that are not saved.
enum SavePromises {
  private static func makeItem(_ run: PromiseRun) throws -> TestedStore {
    try run.makeStore { context in
      try context.insert("Item", ["name": .string("one"), "amount": .int(1)])
      try context.insert("Item", ["name": .string("gone")])
    }
  }

  private static func change(_ context: ManagedObjectContext) throws {
    try context.object("Item", "one").setQueryValue(.int(2), forKey: "amount")
    try context.delete(try context.object("Item", "gone"))
    try context.insert("Item", ["name": .string("new")])
  }

  /// The items and their amounts, as a new context reads them.
  private static func items(_ store: TestedStore) throws -> [[Value]] {
    try store.use { context in
      try context.objects("Item").map { [.string(try $0.name), try $0.queryValue(forKey: "amount")] }
    }
  }

  private static let before: [[Value]] = [[.string("gone"), .null], [.string("one"), .int(1)]]
  private static let after: [[Value]] = [[.string("new"), .null], [.string("one"), .int(2)]]

  static let all = [
    Promise("saving.whole", "A save writes all of its changes.") { run in
      let store = try makeItem(run)
      try store.change(change)
      try store.reopen()
      try run.expect("items", try items(store), after)
    },
    Promise(
      "saving.nothing", "A save that a rule of the model refuses writes nothing, and the changes stay."
    ) { run in
      let store = try makeItem(run)
      let context = store.context()
      try run.expectFailure("a save with a salary below 0", .validation) {
        try context.use { context in
          try change(context)
          try context.insert("Employee", ["name": .string("wrong"), "salary": .int(-1)])
          try context.save()
        }
      }
      try run.expect("items", try items(store), before)
      try context.use { context in
        try run.expect("whether there are changes", context.hasChanges, true)
        try context.delete(try context.object("Employee", "wrong"))
        try context.save()
      }
      try store.reopen()
      try run.expect("items after another save", try items(store), after)
    },
    Promise(
      "saving.failure",
      "A save that the store cannot write throws, and leaves the store and the changes as they were.",
      needsObstruction: true
    ) { run in
      let store = try makeItem(run)
      let context = store.context()
      try context.use(change)
      try store.setObstructed(true)
      let failure = Result {
        try run.expectFailure("a save of an obstructed store", .storeSaveFailed, .fileChanged, .diskFull) {
          try context.use { try $0.save() }
        }
      }
      try store.setObstructed(false)
      _ = try failure.get()
      try run.expect("items", try items(store), before)
      try run.expect("whether there are changes", try context.use { $0.hasChanges }, true)
      try store.reopen()
      try run.expect("items after opening again", try items(store), before)
      try store.change(change)
      try store.reopen()
      try run.expect("items after another save", try items(store), after)
    },
    Promise("saving.rollback", "After a rollback a context has what the store has.") { run in
      let store = try makeItem(run)
      try store.use { context in
        try change(context)
        context.rollback()
        try run.expect("whether there are changes", context.hasChanges, false)
        try run.expect("items", try context.names("Item"), ["gone", "one"])
        let amount = try context.object("Item", "one").queryValue(forKey: "amount")
        try run.expect("one.amount", amount, .int(1))
        try context.save()
      }
      try store.reopen()
      try run.expect("items after a save of no changes", try items(store), before)
    },
    Promise(
      "saving.transactions", "The saves of a transaction are kept as a whole, or taken back as a whole.",
      needs: [.transactions]
    ) { run in
      struct Refusal: Error {}
      let store = try makeItem(run)
      let context = store.context()
      try context.use { context in
        do {
          try store.coordinator.transaction(with: context) { _ in
            try change(context)
            try context.save()
            try run.expect("names in the transaction", try context.names("Item"), ["new", "one"])
            throw Refusal()
          }
        } catch is Refusal {}
      }
      try run.expect("items after a refused transaction", try items(store), before)
      try store.use { context in
        try store.coordinator.transaction(with: context) { _ in
          try context.object("Item", "one").setQueryValue(.int(5), forKey: "amount")
          try context.save()
          try change(context)
          try context.save()
        }
      }
      try store.reopen()
      try run.expect("items after a transaction", try items(store), after)
    },
  ]
}
