import Foundation
import GraphStore

/// Promises about several stores.
enum SeveralStoresPromises {
  static let all = [
    Promise("stores.apart", "What is saved to one store is in no other of the type.") { run in
      let first = try run.makeStore { try $0.insert("Item", ["name": .string("first")]) }
      let second = try run.makeStore { try $0.insert("Item", ["name": .string("second")]) }
      try first.reopen()
      try second.reopen()
      try run.expect("items of the first", try first.use { try $0.names("Item") }, ["first"])
      try run.expect("items of the second", try second.use { try $0.names("Item") }, ["second"])
      try run.expect(
        "whether their UUIDs differ", first.reference.identifier != second.reference.identifier, true)
    },
    Promise(
      "stores.beside", "Beside another store, each has its own objects, and fetches find those of both."
    ) { run in
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      let store = try run.makeStore { try $0.insert("Item", ["name": .string("b"), "amount": .int(2)]) }
      var options = StoreOptions()
      options.type = .json
      let other = try store.coordinator.addStore(at: file.path, options: options)
      try store.change { context in
        for (name, amount) in [("a", 1), ("c", 3)] as [(String, Int64)] {
          let item = try context.insert("Item", ["name": .string(name), "amount": .int(amount)])
          try context.assign(item, to: other)
        }
        let item = try context.insert("Item", ["name": .string("d")])
        try context.assign(item, to: store.reference)
      }
      try store.use { context in
        try run.expect("items of both", try context.names("Item", sort: ["-name"]), ["d", "c", "b", "a"])
        var request = try context.request("Item", sort: ["amount", "name"])
        request.fetchOffset = 1
        request.fetchLimit = 2
        try run.expect("a window of both", try context.fetch(request).map { try $0.name }, ["a", "b"])
        request.affectedStores = [store.reference]
        (request.fetchOffset, request.fetchLimit) = (0, 0)
        try run.expect("items of the store", try context.fetch(request).map { try $0.name }, ["d", "b"])
      }
      try run.expectFailure("a relationship between objects of two stores", .crossStoreRelationship) {
        try store.change { try $0.object("Item", "a").setValue(try $0.object("Item", "b"), forKey: "box") }
      }
    },
  ]
}
