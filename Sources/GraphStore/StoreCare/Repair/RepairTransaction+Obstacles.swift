import GraphStoreModel
import GraphStoreSQLite

extension RepairTransaction {
  /// The reason why nothing of the store can be mended; nil where there is none.
  ///
  /// Damaged pages, since a change might write over what can still be read; and anything that keeps a store
  /// from being opened for writing, for the same reason: damaged metadata, triggers, a history that Core Data
  /// keeps.
  func obstacle() throws -> RepairAdvice? {
    if let advice = try fileObstacle() { return advice }
    let contents = try StoreHeader.read(connection).get()
    if let warning = StoreWarning.obstacles(contents, schema, path: path).first {
      return RepairAdvice(Self.sentence(warning.message), remedy: Self.sentence(warning.remedy))
    }
    return isOurs ? nil : misfit(contents)
  }

  private func fileObstacle() throws -> RepairAdvice? {
    do {
      let findings =
        try inspector.integrity("", limit: 10_000) + inspector.systemTables("") + inspector.foreignParts("")
      return findings.map(\.damage).first(where: Self.isObstacle)?.advice
        ?? findings.first { $0.damage == .virtualTable && $0.severity == .failure }?.damage.advice
    } catch let failure as SQLiteError where failure.category == .corrupt {
      return StoreDamage.page.advice
    }
  }

  private static func isObstacle(_ damage: StoreDamage) -> Bool {
    [.newerWriter, .page, .systemColumns, .metadata].contains(damage)
  }

  /// The reason why a store of Core Data is not one of the model's.
  private func misfit(_ contents: StoreHeader) -> RepairAdvice? {
    do {
      let carried = try? EmbeddedModelReader.read(connection, contents, path: path).model
      _ = try CoreDataSchemaMatcher.schema(
        connection, contents: contents, stored: schema.stored, carried: carried, path: path)
      return nil
    } catch {
      let failure = error as? GraphStoreError
      return RepairAdvice(
        Self.sentence(failure?.message ?? "\(error)"),
        remedy: Self.sentence(failure?.remedy ?? "Give the model that it was made with."))
    }
  }

  /// Makes sure that a passed model is the store's: by another one, sound rows would be mended.
  func checkModel(_ given: ManagedObjectModel?) throws {
    let metadata = inspector.metadata
    guard let given, metadata.isOurs else { return }
    let carried = metadata.modelText.flatMap { try? ManagedObjectModel(storedJSON: $0) }
    let entities = try StoredEntities(given, configuration: metadata.configuration)
    let hashes =
      try carried.map { try StoredEntities($0, configuration: metadata.configuration).versionHashes }
      ?? metadata.versionHashes
    guard hashes == entities.versionHashes,
      metadata.attributesStoredOtherwise(than: entities).isEmpty
    else {
      throw GraphStoreError.incompatibility(metadata, given: entities, path: path)
    }
  }

  private static func sentence(_ text: String) -> String {
    let words = text.hasSuffix(".") ? String(text.dropLast()) : text
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
