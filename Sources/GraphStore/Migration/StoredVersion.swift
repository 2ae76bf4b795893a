import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// What a store is to a migration, which decides how it is read and replaced.
enum StoredForm: Sendable {
  case sqlite
  case document(any AtomicStoreFormat)
  case onServer(any MigratingStoreDriver)

  /// - Throws: `not-supported` for a store on a server whose type is not migrated; `store-type-unknown`.
  init(at path: String) throws {
    if let format = StoreRegistry.documentFormat(at: path) {
      self = .document(format)
    } else if let address = ServerAddress(path) {
      self = .onServer(try StoreRegistry.asking(address.type, at: path) { try Self.migrating($0, path) })
    } else {
      self = .sqlite
    }
  }

  private static func migrating(
    _ driver: any StoreDriver, _ path: String
  ) throws -> any MigratingStoreDriver {
    guard let driver = driver as? any MigratingStoreDriver else {
      throw GraphStoreError.notMigrated(driver.type, path)
    }
    return driver
  }

  var isSQLite: Bool { if case .sqlite = self { true } else { false } }
}

/// Version of the model that a store has, by what the store records and by the model that it was made with,
/// where the caller passes that.
struct StoredVersion: Sendable {
  /// The library's hashes by entity that identify its version; empty where neither the store nor the caller
  /// names its model.
  let hashes: [String: Data]
  /// The hashes that it records, which of a store of Core Data are others.
  let recordedHashes: [String: Data]
  /// The attributes with external storage of its version, and of the model that it carries as ours do; nil
  /// where the store does not say (MIG-012).
  let externalAttributes, recordedExternalAttributes: Set<String>?
  /// What the store is.
  let form: StoredForm
  /// The configuration whose entities it holds; nil for all.
  var configuration: String?
  /// Whether another implementation made the store (MIG-278).
  let isForeign: Bool
  /// The store's identifier.
  let identifier: UUID
  /// The model that it was made with, where the caller has passed it.
  private let given: ManagedObjectModel?
  private let path: String
  private let timeout: Duration

  /// Reads what a store says about itself, and changes nothing.
  ///
  /// - Parameter source: The model that it was made with; nil for the one that it carries.
  /// - Throws: What is wrong with the path, from `store-not-found` to `store-corrupt`; `incompatible-model`
  ///   for a passed model that is not the store's.
  init(
    at path: String, configuration: String? = nil, madeWith source: ManagedObjectModel? = nil,
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    let metadata = try StoreRegistry.metadata(at: path, timeout: timeout)
    isForeign = !metadata.isOurs
    recordedHashes = metadata.versionHashes
    form = try StoredForm(at: path)
    // Others than SQLite have all values in themselves, whatever attributes allow.
    recordedExternalAttributes = form.isSQLite ? metadata.externalAttributes : nil
    identifier = metadata.identifier
    (self.path, self.timeout, given) = (path, timeout, source)
    let recorded = configuration ?? metadata.configuration
    if let source { try Self.check(source, path: path, configuration: configuration, timeout: timeout) }
    guard let model = try source ?? (isForeign ? Self.carried(path, timeout) : nil) else {
      self.configuration = recorded
      hashes = isForeign ? [:] : metadata.versionHashes
      externalAttributes = recordedExternalAttributes
      return
    }
    // Core Data's own hashes cannot be computed; those of the model that the store was made with can.
    let stored = try? StoredEntities(model, configuration: recorded).narrowed(by: metadata)
    self.configuration = stored?.configuration ?? recorded
    hashes = stored?.versionHashes ?? [:]
    externalAttributes =
      isForeign && form.isSQLite ? stored?.externalAttributes : recordedExternalAttributes
  }

  /// Makes sure that the store opens with a model.
  private static func check(
    _ source: ManagedObjectModel, path: String, configuration: String?, timeout: Duration
  ) throws {
    let options = StoreOptions(isReadOnly: true, timeout: timeout, configuration: configuration)
    try StoreRegistry.open(path, options, .model(source)).close()
  }

  /// The model that a store carries; nil for none that can be read.
  ///
  /// - Throws: The reason why the store itself cannot be read now: `store-open`, `store-permission`,
  ///   `store-timeout`.
  private static func carried(_ path: String, _ timeout: Duration) throws -> ManagedObjectModel? {
    do {
      return try StoreModel.load(fromStoreAt: path, timeout: timeout).model
    } catch let error as GraphStoreError
      where [.storeOpen, .storePermission, .storeTimeout].contains(error.code)
    {
      throw error
    } catch {
      return nil
    }
  }

  /// The model that it was made with: the one that was passed, else the one that the store carries, read when
  /// it is asked for; nil for none that can be read.
  ///
  /// - Throws: `store-open`, `store-permission`, `store-timeout`.
  func sourceModel() throws -> ManagedObjectModel? { try given ?? Self.carried(path, timeout) }

  /// Whether the store was made with a model (MIG-002).
  ///
  /// A model's hashes decide: those that the store records, where a package lists Core Data's, or those of
  /// the model that it was made with. Where neither is known, because Core Data made the store and put no
  /// model into it, entities, tables and columns do.
  func isOf(_ model: ManagedObjectModel) -> Bool {
    guard let entities = try? StoredEntities(model, configuration: configuration) else { return false }
    let held = entities.narrowed(recording: Set(recordedHashes.keys))
    guard held.attributesStoredOtherwise(than: externalAttributes).isEmpty else { return false }
    if let listed = held.listedHashes, listed == recordedHashes { return true }
    if !hashes.isEmpty, held.versionHashes == hashes { return true }
    guard isForeign, hashes.isEmpty, held.listedHashes == nil else { return false }
    return form.isSQLite ? hasTables(of: held) : hasObjects(of: held)
  }

  /// Whether the store was made with a model and records the hashes that a new store of it would (MIG-010).
  func isCurrent(for model: ManagedObjectModel) -> Bool {
    guard isOf(model) else { return false }
    return coreDataHashes(of: model).map { $0 == recordedHashes } ?? true
  }

  /// Core Data's hashes that the store records once it has got to a model; nil where they are the library's
  /// own, as those of all that are not SQLite's are.
  func coreDataHashes(of model: ManagedObjectModel) -> [String: Data]? {
    form.isSQLite ? entities(of: model).coreDataHashes : nil
  }

  /// The hashes that the store records once it has got to a model.
  func hashesToRecord(of model: ManagedObjectModel) -> [String: Data] {
    coreDataHashes(of: model) ?? entities(of: model).versionHashes
  }

  /// Whether metadata that were read later say that the store has still this version.
  func isSame(by metadata: StoreMetadata) -> Bool {
    guard metadata.versionHashes == recordedHashes else { return false }
    return !form.isSQLite || metadata.externalAttributes == recordedExternalAttributes
  }

  /// Whether metadata that were read later say that the store has got to a model.
  func hasReached(_ model: ManagedObjectModel, by metadata: StoreMetadata) -> Bool {
    guard metadata.versionHashes == hashesToRecord(of: model) else { return false }
    return !form.isSQLite
      || entities(of: model).attributesStoredOtherwise(than: metadata.externalAttributes).isEmpty
  }

  /// Whether a document can be read as objects of some entities.
  private func hasObjects(of entities: StoredEntities) -> Bool {
    let options = StoreOptions(isReadOnly: true, timeout: timeout)
    guard let store = try? StoreRegistry.open(path, options, .entities(entities)) else { return false }
    store.close()
    return true
  }

  private func hasTables(of entities: StoredEntities) -> Bool {
    var entities = entities
    entities.leavesOutForeignForms = true
    guard
      let connection = try? SQLiteConnection(
        path: path, mode: .reading(path), busyTimeout: timeout)
    else { return false }
    defer { connection.close() }
    guard let contents = try? StoreHeader.read(connection).get() else { return false }
    return (try? CoreDataSchemaMatcher.isExact(connection, contents: contents, stored: entities)) == true
  }

  /// The entities that the store holds, of its version's model. A model that lacks the configuration is taken
  /// as a whole.
  func entities(of model: ManagedObjectModel) -> StoredEntities {
    let entities = (try? StoredEntities(model, configuration: configuration)) ?? StoredEntities(model)
    return configuration == nil ? entities.narrowed(recording: Set(recordedHashes.keys)) : entities
  }

  /// Resolves the configuration by the model that the store was made with, whose entities it records; the
  /// models of other versions have more or fewer of it.
  mutating func inferConfiguration(by source: ManagedObjectModel) {
    configuration = configuration ?? entities(of: source).configuration
  }
}

/// A version of a model, as a migration names it.
///
/// Hashes decide which version a store has, never names.
///
/// ```swift
/// let current = ModelVersion(try versions.currentModel(), name: versions.currentName)
/// if let stored = ModelVersion(storeAt: "hr.db", in: versions) {
///   print(stored.label, "to", current.label)
/// }
/// ```
public struct ModelVersion: Sendable {
  /// The name in its directory; nil for a model that is in none.
  public let name: String?
  /// The model.
  public let model: ManagedObjectModel

  /// Names a model.
  public init(_ model: ManagedObjectModel, name: String? = nil) {
    self.model = model
    self.name = name
  }

  /// Its label for people: its name, else the model's own label of its version, else the name of the model.
  public var label: String { name ?? model.definition.version ?? model.name }

  /// The version that a store was made with, among those of a directory; nil where none fits, and for a store
  /// that cannot be read.
  ///
  /// Nothing is written, no lock is held, and no side file is left.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - versions: The versions; the newest that fits counts.
  ///   - configuration: The configuration that the store was added with; nil for the one that it records.
  public init?(storeAt path: String, in versions: ModelVersions, configuration: String? = nil) {
    guard let found = try? versions.version(ofStoreAt: path, configuration: configuration) else { return nil }
    self = found
  }
}

extension ModelVersions {
  /// The version that the store at a path was made with; nil where none fits.
  ///
  /// Versions are read from the newest on, until one has the hashes that the store records. Nothing is
  /// written, no lock is held, and no side file is left, also while the store is open elsewhere.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - configuration: The configuration that the store was added with; nil for the one that it records,
  ///     which for most is the whole model.
  /// - Throws: what is wrong with the path, from `store-not-found` to `store-corrupt`;
  ///   ``/GraphStoreModel/ModelError`` for a version that cannot be read.
  public func version(ofStoreAt path: String, configuration: String? = nil) throws -> ModelVersion? {
    try version(of: StoredVersion(at: path, configuration: configuration))
  }

  /// The newest version that has a store's hashes.
  func version(of stored: StoredVersion) throws -> ModelVersion? {
    for name in names.reversed() {
      let model = try model(named: name)
      if stored.isOf(model) { return ModelVersion(model, name: name) }
    }
    return nil
  }
}
