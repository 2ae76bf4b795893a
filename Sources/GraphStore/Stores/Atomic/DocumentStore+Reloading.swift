import GraphStoreModel

extension DocumentStore {
  /// Reads the document anew where another program has changed it since it was read or written last; what is
  /// in memory is replaced by it as by a commit.
  ///
  /// - Returns: What has changed; nil where nobody has changed the document.
  /// - Throws: what is wrong with the document, and `file-changed` where it is another store, or one of
  ///   another model; what is in memory stays then, and the document counts as changed. `store-timeout` while
  ///   a save goes on.
  func reload() throws -> DocumentDifference? {
    guard file.isChanged else { return nil }
    let former = try base.database.beginWriting()
    var result: InMemoryState?
    defer { base.database.endWriting(result) }
    let content = try file.content()
    let document = try Self.document(content.bytes, at: path, format)
    guard document.metadata.identifier == scope.identifier, document.metadata.fits(entities) else {
      throw GraphStoreError(
        .fileChanged, "The file \(path) is another store now, or one of another model.",
        remedy: "Open it anew, with a coordinator of its own.")
    }
    let (present, lastKeys) = try Self.state(
      of: document, document.metadata, former.schema, entities, options, path: path)
    let difference = try DocumentDifference(from: former, to: present)
    base.database.raiseKeys(lastKeys)
    file.know(content.stamp)
    result = difference.state
    for records in [difference.updated, difference.deleted] {
      for (root, records) in Dictionary(grouping: records, by: \.layout.rootIndex) {
        rowCache.forget(root, records.map(\.key))
      }
    }
    return difference
  }
}
