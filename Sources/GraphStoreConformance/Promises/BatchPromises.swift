import GraphStore

/// Promises about requests over sets.
enum BatchPromises {
  static let all = [
    Promise("batches.inserts", "A batch insert makes the objects that it describes.", needs: [.batchRequests])
    {
      run in
      let store = try run.makeStore()
      try store.use { context in
        var request = BatchInsertRequest(
          entityName: "Item", objects: (0..<5).map { ["name": "b\($0)", "amount": Int64($0)] })
        request.resultType = .count
        try run.expect("the number of inserted objects", try context.execute(request).count, 5)
      }
      try store.reopen()
      let names = try store.use { try $0.names("Item", "amount >= 2") }
      try run.expect("items from 2 on", names, ["b2", "b3", "b4"])
    },
    Promise(
      "batches.updates", "A batch update changes the objects that its predicate finds, and no other.",
      needs: [.batchRequests]
    ) { run in
      let store = try run.makeStore { context in
        for number in 0..<4 {
          try context.insert("Item", ["name": .string("b\(number)"), "amount": .int(Int64(number))])
        }
      }
      try store.use { context in
        var request = BatchUpdateRequest(
          entityName: "Item",
          propertiesToUpdate: ["text": "new", "amount": try QueryExpression(parsing: "amount + 10")],
          predicate: try QueryPredicate(parsing: "amount > 1"))
        request.resultType = .count
        try run.expect("the number of updated objects", try context.execute(request).count, 2)
      }
      try store.reopen()
      try store.use { context in
        let amounts = try context.objects("Item").map { try $0.queryValue(forKey: "amount") }
        try run.expect("amounts", amounts, [.int(0), .int(1), .int(12), .int(13)])
        try run.expect("items with a text", try context.names("Item", "text == 'new'"), ["b2", "b3"])
      }
    },
    Promise(
      "batches.deletions", "A batch delete removes the objects that it selects, by the rules of the model.",
      needs: [.batchRequests]
    ) { run in
      let store = try run.makeStore { try Staff.insert(in: $0) }
      try store.use { context in
        let request = try context.request("Project", "name == 'Compiler'")
        try run.expect(
          "whether objects were deleted", try context.execute(BatchDeleteRequest(request)).status, true)
      }
      try store.reopen()
      try store.use { context in
        try run.expect("projects", try context.names("Project"), ["Editor"])
        try run.expect("steps", try context.names("Step"), [])
        try run.expect("Ada.projects", try context.object("Employee", "Ada").names("projects"), [])
      }
    },
  ]
}
