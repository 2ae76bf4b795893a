import Foundation
import GraphStore

/// Promises about fetches.
enum FetchPromises {
  private static func makeItems(_ run: PromiseRun) throws -> TestedStore {
    try run.makeStore { context in
      try context.insert("Item", ["name": .string("one"), "amount": .int(1), "text": .string("a")])
      try context.insert("Item", ["name": .string("two"), "amount": .int(2)])
      try context.insert("Item", ["name": .string("none"), "text": .string("b")])
    }
  }

  static let all = [
    Promise(
      "fetching.logic",
      "Missing values follow three-valued logic: what compares with nil is neither true nor false."
    ) { run in
      let store = try makeItems(run)
      let found: KeyValuePairs<String, [String]> = [
        "amount != 1": ["two"], "NOT (amount == 1)": ["two"], "amount == nil": ["none"],
        "amount != nil": ["one", "two"], "amount > 1 OR amount == nil": ["none", "two"],
        "NOT (amount IN {1})": ["two"], "amount == 1 OR text == 'b'": ["none", "one"],
        "NOT (amount == 1 AND text == 'a')": ["none", "two"], "amount < 5 OR amount >= 5": ["one", "two"],
        "text CONTAINS 'a' OR text == nil": ["one", "two"],
      ]
      try store.use { context in
        for (predicate, names) in found {
          try run.expect("items where \(predicate)", try context.names("Item", predicate), names)
        }
      }
    },
    Promise("fetching.nil-order", "Nil comes before every value, in descending order after it.") { run in
      let store = try makeItems(run)
      try store.use { context in
        let ascending = try context.names("Item", sort: ["amount"])
        try run.expect("items by amount", ascending, ["none", "one", "two"])
        let descending = try context.names("Item", sort: ["-amount"])
        try run.expect("items by descending amount", descending, ["two", "one", "none"])
      }
    },
    Promise("fetching.counts", "A count is the number of objects that the fetch finds.") { run in
      let store = try makeItems(run)
      try store.use { context in
        for (predicate, limit, count) in [
          (nil, 0, 3), ("amount > 1", 0, 1), (nil, 2, 2), ("amount > 9", 0, 0),
        ] {
          var request = try context.request("Item", predicate)
          request.fetchLimit = limit
          try run.expect("the count for \(request)", try context.count(for: request), count)
        }
      }
    },
    Promise("fetching.pending", "Unsaved changes take part in a fetch, and the store does not have them.") {
      run in
      let store = try makeItems(run)
      try store.use { context in
        try context.object("Item", "one").setQueryValue(.int(9), forKey: "amount")
        try context.delete(try context.object("Item", "two"))
        try context.insert("Item", ["name": .string("new"), "amount": .int(10)])
        try run.expect(
          "items above 1", try context.names("Item", "amount > 1", sort: ["amount"]), ["one", "new"])
      }
      try store.use { context in
        try run.expect("items above 1 of another context", try context.names("Item", "amount > 1"), ["two"])
      }
    },
    Promise("fetching.batches", "A fetch in batches has the objects of a fetch of all, in their order.") {
      run in
      let store = try run.makeStore { context in
        for number in 0..<25 { try context.insert("Item", ["name": .string("\(100 + number)")]) }
      }
      try store.use { context in
        var request = try context.request("Item", sort: ["-name"])
        request.fetchBatchSize = 4
        let batched = try context.fetchBatched(request)
        let names = try (0..<batched.count).map { try batched.object(at: $0).name }
        try run.expect("names in batches", names, (0..<25).map { "\(124 - $0)" })
      }
    },
  ]
}
