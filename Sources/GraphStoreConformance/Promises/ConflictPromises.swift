import GraphStore

/// Promises about what several contexts change at the same time, and about what is unique.
enum ConflictPromises {
  /// A store with an item, which a context has changed that has not saved, and another one has changed since.
  private static func makeConflict(
    _ run: PromiseRun, other: (ManagedObject) throws -> Void
  ) throws -> (store: TestedStore, context: ManagedObjectContext) {
    let store = try run.makeStore { context in
      try context.insert("Item", ["name": .string("one"), "amount": .int(0), "text": .string("old")])
    }
    let context = store.context()
    try context.use { try $0.object("Item", "one").setQueryValue(.int(1), forKey: "amount") }
    try store.change { try other(try $0.object("Item", "one")) }
    return (store, context)
  }

  private static func values(_ store: TestedStore) throws -> [Value] {
    try store.use { context in
      let item = try context.object("Item", "one")
      return [try item.queryValue(forKey: "amount"), try item.queryValue(forKey: "text")]
    }
  }

  private static func setBoth(_ item: ManagedObject) throws {
    try item.setQueryValue(.int(2), forKey: "amount")
    try item.setQueryValue(.string("new"), forKey: "text")
  }

  static let all = [
    Promise(
      "conflicts.changes", "A save is refused whose object another context has changed since it was read.",
      needs: [.conflictDetection]
    ) { run in
      let (store, context) = try makeConflict(run, other: setBoth)
      try run.expectFailure("the later save", .mergeConflict) { try context.use { try $0.save() } }
      try store.reopen()
      try run.expect("amount and text", try values(store), [.int(2), .string("new")])
    },
    Promise(
      "conflicts.deletions", "A save is refused whose object another context has deleted.",
      needs: [.conflictDetection]
    ) { run in
      let (store, context) = try makeConflict(run) { try $0.managedObjectContext?.delete($0) }
      try run.expectFailure("the later save", .mergeConflict) { try context.use { try $0.save() } }
      try store.reopen()
      try run.expect("items", try store.use { try $0.names("Item") }, [])
    },
    Promise(
      "conflicts.policies", "A merge policy settles conflicts property by property, or as a whole.",
      needs: [.conflictDetection]
    ) { run in
      let outcomes: [(String, MergePolicy, [Value])] = [
        ("object trump", .mergeByPropertyObjectTrump, [.int(1), .string("new")]),
        ("store trump", .mergeByPropertyStoreTrump, [.int(2), .string("new")]),
        ("overwrite", .overwrite, [.int(1), .string("old")]),
        ("rollback", .rollback, [.int(2), .string("new")]),
      ]
      for (name, policy, expected) in outcomes {
        let (store, context) = try makeConflict(run, other: setBoth)
        try context.use { context in
          context.mergePolicy = policy
          try context.save()
        }
        try store.reopen()
        try run.expect("amount and text under \(name)", try values(store), expected)
      }
    },
    Promise(
      "uniqueness.stored", "A save is refused that would give two objects the same unique value.",
      needs: [.uniquenessConstraints]
    ) { run in
      let store = try run.makeStore {
        try $0.insert("Badge", ["name": .string("one"), "code": .string("x")])
      }
      try store.reopen()
      try run.expectFailure("a second badge with the code x", .constraintConflict) {
        try store.change { try $0.insert("Badge", ["name": .string("two"), "code": .string("x")]) }
      }
      try store.change { context in
        for name in ["nil 1", "nil 2"] { try context.insert("Badge", ["name": .string(name)]) }
      }
      try store.reopen()
      try run.expect("badges", try store.use { try $0.names("Badge") }, ["nil 1", "nil 2", "one"])
    },
    Promise(
      "uniqueness.exchange", "Two objects exchange their unique values in one save.",
      needs: [.uniquenessConstraints]
    ) { run in
      let store = try run.makeStore { context in
        for name in ["x", "y"] {
          try context.insert("Badge", ["name": .string(name), "code": .string(name)])
        }
      }
      try store.change { context in
        try context.object("Badge", "x").setQueryValue(.string("y"), forKey: "code")
        try context.object("Badge", "y").setQueryValue(.string("x"), forKey: "code")
      }
      try store.reopen()
      try run.expect(
        "the badge with the code y", try store.use { try $0.names("Badge", "code == 'y'") }, ["x"])
    },
  ]
}
