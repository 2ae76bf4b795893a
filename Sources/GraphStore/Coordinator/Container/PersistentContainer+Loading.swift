import Foundation
import GraphStoreModel
import GraphStorePredicates

extension PersistentContainer {
  /// Adds the stores of all descriptions that are not mounted, in their order.
  ///
  /// A file that exists is opened, one that does not is made with the tables of the model. Each is tried,
  /// even if others fail; one that cannot be opened is left byte for byte as it was. The completion is called
  /// once for each description that is not mounted: when the call returns all have been, but for those of
  /// descriptions with ``PersistentStoreDescription/shouldAddStoreAsynchronously``, which are called on a
  /// private queue.
  ///
  /// - Parameter completion: Called with the description and what kept its store from being added; nil for
  ///   nothing.
  public func loadPersistentStores(
    _ completion: @escaping @Sendable (PersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions where !isLoaded(description) {
      if description.shouldAddStoreAsynchronously {
        queue.async { completion(description, self.failure(of: description)) }
      } else {
        completion(description, failure(of: description))
      }
    }
  }

  /// Adds the stores of all descriptions that are not mounted, on a private queue, and waits without holding
  /// up a thread.
  ///
  /// - Throws: ``GraphStoreError``: the first failure, once all descriptions were tried;
  ///   ``GraphStoreError/underlyingErrors`` has the others. The stores of the descriptions without one are
  ///   mounted.
  public func loadPersistentStores() async throws {
    let failures = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: self.persistentStoreDescriptions.filter { !self.isLoaded($0) }
            .compactMap { self.failure(of: $0) })
      }
    }
    guard var first = failures.first else { return }
    first.underlyingErrors = Array(failures.dropFirst())
    throw first
  }

  /// Opens the store of a description; returns the error where it cannot be opened.
  private func failure(of description: PersistentStoreDescription) -> GraphStoreError? {
    do {
      try loadOnce(description) { try open(description) }
      return nil
    } catch let error as GraphStoreError {
      return error.code == .incompatibleModel ? naming(versionsThatFit: description, error) : error
    } catch {
      return GraphStoreError(
        .storeOpen, "\(LocationText.of(description.url)) cannot be opened: \(error)",
        remedy: "See to the store and its model.", underlying: error)
    }
  }

  /// Opens or makes a store; errors of the description are thrown before those of the file.
  private func open(_ description: PersistentStoreDescription) throws -> PersistentStoreReference {
    guard StoreRegistry.keepsFiles(description.type, at: LocationText.of(description.url)) else {
      let options = try storeOptions(of: description)
      return try persistentStoreCoordinator.addStore(at: LocationText.of(description.url), options: options)
    }
    try checkIsFile(description)
    let path = description.url.path
    let options = try storeOptions(of: description)
    _ = try StoredEntities(managedObjectModel, configuration: description.configuration)
    let isNew = !RegularFile.isTaken(path)
    let isInDefaultFolder = isInDefaultFolder(description.url)
    if isNew {
      if options.isReadOnly { _ = try StoreRegistry.metadata(at: path, timeout: options.timeout) }
      if !isInDefaultFolder { try checkFolder(of: description.url) }
    }
    _ = try StoreType.resolved(description.type, at: path)
    // An empty file is not filled (STO-055).
    if RegularFile.isEmpty(path) { _ = try StoreRegistry.metadata(at: path, timeout: options.timeout) }
    if isNew, isInDefaultFolder { try DataDirectory.make(Self.defaultDirectoryURL) }
    do {
      return try persistentStoreCoordinator.addStore(at: path, options: options)
    } catch let error as GraphStoreError where isNew && error.code == .storeExists {
      // Another process has made it meanwhile.
      return try persistentStoreCoordinator.addStore(at: path, options: options)
    }
  }

  private func storeOptions(of description: PersistentStoreDescription) throws -> StoreOptions {
    var options = try StoreOptions(
      description.options,
      type: description.type ?? ServerAddress(LocationText.of(description.url))?.type ?? .sqlite,
      configuration: description.configuration)
    options.type = description.type
    options.migratesAutomatically = description.shouldMigrateStoreAutomatically && !options.isReadOnly
    options.infersMapping = description.shouldInferMappingModelAutomatically
    options.modelVersionsPath = modelPath
    options.stagedMigrationManager = description.stagedMigrationManager
    return options
  }

  /// - Throws: `store-option`.
  func checkIsFile(_ description: PersistentStoreDescription) throws {
    guard !description.url.isFileURL else { return }
    throw GraphStoreError(
      .storeOption, "\(LocationText.of(description.url)) is no file, and a store is one.",
      remedy: "Give the description the URL of a file.", property: "url", value: .uri(description.url))
  }

  func isInDefaultFolder(_ url: URL) -> Bool {
    let folders = [url.deletingLastPathComponent(), Self.defaultDirectoryURL].map(\.standardizedFileURL.path)
    return folders[0] == folders[1]
  }

  /// Makes sure that a file can be made: no folder but the default one is (STO-023).
  private func checkFolder(of url: URL) throws {
    let folder = url.deletingLastPathComponent().path
    guard RegularFile.isTaken(folder) else {
      throw GraphStoreError(
        .storeOpen, "\(url.path) cannot be made: there is no folder \(folder).",
        remedy: "Make the folder first, or choose another place.")
    }
    guard RegularFile.isWritable(folder) else {
      throw GraphStoreError(
        .storePermission, "The right to make a file in the folder of \(url.path) is missing.",
        remedy: "See to the permissions of the folder, or choose another one.")
    }
  }

  /// Adds to an error which versions of the container's model a store fits (STO-292, STO-296).
  private func naming(
    versionsThatFit description: PersistentStoreDescription, _ error: GraphStoreError
  ) -> GraphStoreError {
    guard let path = modelPath, let versions = try? ModelVersions(at: path), versions.format.hasVersions,
      let metadata = try? PersistentStoreCoordinator.metadataForPersistentStore(
        at: description.url,
        type: StoreRegistry.keepsFiles(description.type, at: LocationText.of(description.url))
          ? nil : description.type)
    else { return error }
    let fitting = versions.names.filter { name in
      let model = try? versions.model(named: name)
      return
        (try? model?.isConfiguration(
          withName: description.configuration, compatibleWithStoreMetadata: metadata)) ?? false
    }
    var error = error
    if fitting.isEmpty {
      error.details.append(
        "no version of \(path) fits: the store is newer than all of them, or was made with another model")
      error.remedy =
        "Give the model that the store was made with, or a program that knows it; it is not migrated backwards."
    } else {
      error.details += fitting.map { "the store fits version \($0) of \(path)" }
    }
    return error
  }
}
