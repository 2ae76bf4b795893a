import GraphStore

/// Promises about deleted objects and delete rules.
enum DeletionPromises {
  /// Deletes an object of the staff, and saves.
  private static func storeWithout(_ entity: String, _ name: String, _ run: PromiseRun) throws -> TestedStore
  {
    let store = try run.makeStore { try Staff.insert(in: $0) }
    try store.change { context in try context.delete(try context.object(entity, name)) }
    try store.reopen()
    return store
  }

  static let all = [
    Promise("deletion.objects", "A deleted object is gone, and nothing leads to it.") { run in
      let store = try storeWithout("Employee", "Bob", run)
      try store.use { context in
        try run.expect("employees", try context.names("Employee"), ["Ada", "Cyd", "Dan"])
        try run.expect("Ada.reports", try context.object("Employee", "Ada").names("reports"), ["Cyd"])
        try run.expect("Cyd.friends", try context.object("Employee", "Cyd").names("friends"), [])
        let members = try context.object("Project", "Compiler").names("members")
        try run.expect("Compiler.members", members, ["Cyd", "Ada"])
      }
    },
    Promise("deletion.nullify", "Under the rule nullify, links to a deleted object are cut.") { run in
      let store = try storeWithout("Department", "Tools", run)
      try store.use { context in
        let departments = try context.objects("Employee").map { try $0.destination("department") }
        try run.expect("departments of the employees", departments, [nil, nil, nil, nil])
      }
    },
    Promise("deletion.cascade", "Under the rule cascade, what a deleted object leads to is deleted.") { run in
      let store = try storeWithout("Department", "Tools", run)
      try store.use { context in try run.expect("rooms", try context.names("Room"), []) }
      try store.change { context in try context.delete(try context.object("Project", "Compiler")) }
      try store.reopen()
      try store.use { context in try run.expect("steps", try context.names("Step"), []) }
    },
    Promise("deletion.deny", "Under the rule deny, an object that leads to others is not deleted.") { run in
      let store = try run.makeStore { try Staff.insert(in: $0) }
      try run.expectFailure("deleting Ada, who has reports", .deleteDenied, .multipleValidationErrors) {
        try store.change { context in try context.delete(try context.object("Employee", "Ada")) }
      }
      try store.reopen()
      try store.use { context in
        try run.expect("Ada.reports", try context.object("Employee", "Ada").names("reports"), ["Bob", "Cyd"])
      }
    },
  ]
}
