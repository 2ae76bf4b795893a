import GraphStore

/// Promises about changes that are taken back, and about contexts within contexts.
enum EditingPromises {
  static let all = [
    Promise("editing.undo", "What was undone is saved as it was, also where it had been saved before.") {
      run in
      let store = try run.makeStore { try Staff.insert(in: $0) }
      try store.use { context in
        try context.setUndoManager(GraphUndoManager())
        let bob = try context.object("Employee", "Bob")
        try bob.setQueryValue(.int(7), forKey: "salary")
        try context.delete(try context.object("Employee", "Cyd"))
        try context.save()
        while context.undoManager?.canUndo == true { try context.undo() }
        try context.save()
        try context.setUndoManager(nil)
      }
      try store.reopen()
      try store.use { context in
        try run.expect("employees", try context.names("Employee"), ["Ada", "Bob", "Cyd", "Dan"])
        let salary = try context.object("Employee", "Bob").queryValue(forKey: "salary")
        try run.expect("Bob.salary", salary, .null)
        let members = try context.object("Project", "Compiler").names("members")
        try run.expect("Compiler.members", members, ["Cyd", "Ada", "Bob"])
      }
    },
    Promise("editing.nested", "What a child context saves reaches the store when its parent saves.") { run in
      let store = try run.makeStore { try Staff.insert(in: $0) }
      let parent = store.context()
      try ManagedObjectContext(parent: parent).use { child in
        let bob = try child.object("Employee", "Bob")
        try bob.setQueryValue(.int(7), forKey: "salary")
        try child.insert("Desk", ["name": .string("D2")]).setValue(bob, forKey: "owner")
        try child.save()
      }
      try run.expect("desks before the parent saves", try store.use { try $0.names("Desk") }, ["D1"])
      try parent.use { try $0.save() }
      try store.reopen()
      try store.use { context in
        let bob = try context.object("Employee", "Bob")
        try run.expect("Bob.salary", try bob.queryValue(forKey: "salary"), .int(7))
        try run.expect("Bob.desk", try bob.destination("desk"), "D2")
      }
    },
  ]
}
