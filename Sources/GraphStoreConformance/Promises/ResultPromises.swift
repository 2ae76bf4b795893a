import Foundation
import GraphStore

/// Promises about results that are no objects.
enum ResultPromises {
  private static func makeItems(_ run: PromiseRun) throws -> TestedStore {
    try run.makeStore { context in
      let box = try context.insert("Item", ["name": .string("box")])
      let values: [(String, Int64?, String?)] = [
        ("a1", 1, "a"), ("a2", 5, "a"), ("b1", 3, "b"), ("b2", nil, "b"), ("n1", 7, nil),
      ]
      for (name, amount, text) in values {
        let item = try context.insert("Item", ["name": .string(name)])
        if let amount { try item.setQueryValue(.int(amount), forKey: "amount") }
        if let text { try item.setQueryValue(.string(text), forKey: "text") }
        try item.setValue(box, forKey: "box")
      }
    }
  }

  private static func rows(
    _ context: ManagedObjectContext, _ request: FetchRequest<ManagedObject>
  ) throws -> [[Value]] {
    try context.fetchDictionaries(request).map(\.values)
  }

  static let all = [
    Promise("results.dictionaries", "Dictionaries have the values that were asked for, in their order.") {
      run in
      let store = try makeItems(run)
      try store.use { context in
        var request = try context.request("Item", "amount > 1", sort: ["-amount"])
        request.resultType = .dictionary
        request.propertiesToFetch = [
          "name", "text", "box.name",
          .expression(try ExpressionDescription(name: "double", parsing: "amount * 2")),
        ]
        let expected: [[Value]] = [
          [.string("n1"), .null, .string("box"), .int(14)],
          [.string("a2"), .string("a"), .string("box"), .int(10)],
          [.string("b1"), .string("b"), .string("box"), .int(6)],
        ]
        try run.expect("\(request)", try rows(context, request), expected)
      }
    },
    Promise("results.distinct", "Equal dictionaries are left out where only distinct ones are wanted.") {
      run in
      let store = try makeItems(run)
      try store.use { context in
        var request = try context.request("Item", sort: ["text"])
        request.resultType = .dictionary
        request.propertiesToFetch = ["text"]
        request.returnsDistinctResults = true
        try run.expect(
          "distinct texts", try rows(context, request), [[.null], [.string("a")], [.string("b")]])
      }
    },
    Promise(
      "results.groups",
      "Groups have the aggregates of their members, and those a condition refuses are left out."
    ) { run in
      let store = try makeItems(run)
      try store.use { context in
        var request = try context.request("Item", sort: ["text"])
        request.resultType = .dictionary
        request.propertiesToGroupBy = ["text"]
        request.propertiesToFetch = [
          "text", .expression(try ExpressionDescription(name: "number", parsing: "count:(SELF)")),
          .expression(try ExpressionDescription(name: "total", parsing: "sum:(amount)")),
          .expression(try ExpressionDescription(name: "largest", parsing: "max:(amount)")),
        ]
        let groups: [[Value]] = [
          [.null, .int(2), .int(7), .int(7)], [.string("a"), .int(2), .int(6), .int(5)],
          [.string("b"), .int(2), .int(3), .int(3)],
        ]
        try run.expect("groups by text", try rows(context, request), groups)
        request.havingPredicate = try QueryPredicate(parsing: "total > 5")
        try run.expect("groups with more than 5", try rows(context, request), Array(groups.prefix(2)))
      }
    },
    Promise("results.identifiers", "Identifiers are those of the objects that a fetch finds, in its order.") {
      run in
      let store = try makeItems(run)
      try store.use { context in
        let request = try context.request("Item", "amount != nil", sort: ["-amount"])
        let objects = try context.fetch(request).map(\.objectID)
        try run.expect("identifiers", try context.fetchIdentifiers(request), objects)
        try run.expect("the number of identifiers", objects.count, 4)
      }
    },
  ]
}
