import Foundation
import GraphStore

/// Promises about identifiers.
enum IdentifierPromises {
  /// The URIs of all items, by name.
  private static func uris(_ store: TestedStore) throws -> [String: URL] {
    try store.use { context in
      let items = try context.objects("Item").map { (try $0.name, $0.objectID.uriRepresentation) }
      return Dictionary(items) { first, _ in first }
    }
  }

  private static func makeItems(_ names: [String], _ run: PromiseRun) throws -> TestedStore {
    try run.makeStore { context in
      for name in names { try context.insert("Item", ["name": .string(name)]) }
    }
  }

  static let all = [
    Promise(
      "identifiers.permanent",
      "A save gives new objects identifiers that last, and every context knows an object by the same one."
    ) { run in
      let store = try run.makeStore()
      let (isTemporary, id) = try store.use { context in
        let item = try context.insert("Item", ["name": .string("one")])
        let isTemporary = item.objectID.isTemporaryID
        try context.save()
        return (isTemporary, item.objectID)
      }
      try run.expect("whether the identifier of a new object is temporary", isTemporary, true)
      try run.expect("whether that of a saved one is", id.isTemporaryID, false)
      try run.expect(
        "the identifier in another context", try store.use { try $0.object("Item", "one").objectID }, id)
    },
    Promise("identifiers.early", "An identifier that was obtained before a save is the one after it.") {
      run in
      let store = try run.makeStore()
      try store.use { context in
        let items = try ["one", "two"].map { try context.insert("Item", ["name": .string($0)]) }
        try context.obtainPermanentIDs(for: items)
        let early = items.map(\.objectID)
        try run.expect("the number of identifiers", Set(early).count, 2)
        try context.save()
        try run.expect("identifiers after the save", items.map(\.objectID), early)
      }
    },
    Promise(
      "identifiers.stable", "The URI of an object names the same object whenever the store is opened.",
      needs: [.persistence]
    ) { run in
      let store = try makeItems(["one", "two", "three"], run)
      let before = try uris(store)
      try store.change { try $0.delete(try $0.object("Item", "two")) }
      try store.change { try $0.insert("Item", ["name": .string("four")]) }
      for _ in 0..<2 {
        try store.reopen()
        for name in ["one", "three"] {
          let found = try store.use { context in
            guard let uri = before[name],
              let id = store.coordinator.managedObjectID(forURIRepresentation: uri)
            else { return "nothing" }
            return try context.existingObject(with: id).name
          }
          try run.expect("the object with the URI of \(name)", found, name)
        }
        let after = try uris(store)
        try run.expect("URIs", [after["one"], after["three"]], [before["one"], before["three"]])
      }
    },
    Promise(
      "identifiers.fresh", "The identifier of a deleted object is never given to another one.",
      needs: [.persistence]
    ) { run in
      let store = try makeItems(["one", "two"], run)
      let deleted = try uris(store)["two"]
      try store.change { try $0.delete(try $0.object("Item", "two")) }
      try store.reopen()
      try store.change { try $0.insert("Item", ["name": .string("three")]) }
      try run.expect("whether the identifier is another one", try uris(store)["three"] != deleted, true)
    },
  ]
}
