import GraphStorePredicates

extension ModelVersions {
  /// The version that a store was made with, by the hashes that its metadata records; nil when it is none of them.
  ///
  /// Of versions with equal hashes the newest counts. Versions are read from the newest on, until one fits.
  ///
  /// - Throws: ``ModelError`` for a version that cannot be read.
  public func version(
    forStoreMetadata metadata: [String: Value]
  ) throws(ModelError) -> (name: String, model: ManagedObjectModel)? {
    let hashes = StoreHashes(metadata).byEntity
    for name in names.reversed() {
      let model = try model(named: name)
      if model.entityVersionHashesByName == hashes { return (name, model) }
    }
    return nil
  }
}
