import GraphStore

/// Promises about metadata.
enum MetadataPromises {
  static let all = [
    Promise("metadata.own", "A store has type and UUID, and keeps both.") { run in
      let store = try run.makeStore { try $0.insert("Item", ["name": .string("one")]) }
      let identifier = store.reference.identifier
      func check() throws {
        let metadata = try store.coordinator.metadata(for: store.reference)
        try run.expect("NSStoreUUID", metadata["NSStoreUUID"], .string(identifier.uuidString))
        try run.expect("NSStoreType", metadata["NSStoreType"], .string(store.reference.typeName))
      }
      try check()
      try store.reopen()
      try check()
    },
    Promise(
      "metadata.programs",
      "Metadata of programs are saved with the next save, and removed when they are left out.",
      needs: [.metadata]
    ) { run in
      let store = try run.makeStore { try $0.insert("Item", ["name": .string("one")]) }
      let values: [String: Value] = [
        "note": .string("é\u{301}"), "numbers": .list([.int(1), .double(0.5)]), "other": .bool(true),
      ]
      try store.coordinator.setMetadata(values, for: store.reference)
      try store.use { try $0.save() }
      try store.reopen()
      var metadata = try store.coordinator.metadata(for: store.reference)
      for key in values.keys.sorted() { try run.expect("metadata \(key)", metadata[key], values[key]) }
      metadata["other"] = nil
      try store.coordinator.setMetadata(metadata, for: store.reference)
      try store.use { try $0.save() }
      try store.reopen()
      metadata = try store.coordinator.metadata(for: store.reference)
      try run.expect("metadata note", metadata["note"], values["note"])
      try run.expect("metadata other", metadata["other"], nil)
      try run.expect("items", try store.use { try $0.names("Item") }, ["one"])
    },
  ]
}
