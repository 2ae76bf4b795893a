import Foundation
import GraphStorePredicates

/// Options with which a store is opened.
///
/// ```swift
/// var options = StoreOptions(timeout: .seconds(1))
/// options.migratesAutomatically = true
/// let coordinator = try CompanyModel.openStore(at: "company.db", options: options)
/// ```
public struct StoreOptions: Sendable {
  /// Whether the store may not be written; nothing in its folder changes then.
  public var isReadOnly: Bool
  /// How long a request waits for a lock that another process holds, and for a connection that another
  /// context has; with zero it does not wait.
  public var timeout: Duration
  /// The type of the store; nil for the one that its file determines, and SQLite for a new store.
  public var type: StoreType?
  /// The configuration of the model whose entities the store holds; nil for all entities.
  ///
  /// A store that is opened under the model that it carries has, for nil, the configuration that it was made
  /// with.
  public var configuration: String?
  /// The maximum number of connections of a store: one writes, the others read beside it. With 1 everything
  /// takes turns.
  public var connectionPoolMaxSize = StoreOptions.defaultConnectionPoolMaxSize
  /// The maximum number of states of a store that contexts are pinned to, each of which has a connection of
  /// its own beside the others; see ``ManagedObjectContext/setQueryGenerationFrom(_:)``.
  public var queryGenerationMaxCount = StoreOptions.defaultQueryGenerationMaxCount
  /// Whether a store opens for reading although its model is another one than the passed one.
  ///
  /// It has to have the tables and columns that the passed model asks for. For a store that can be written
  /// the versions count: opening one throws `store-option`.
  public var ignoresVersioning = false
  /// Beyond how many bytes a value with external storage is stored in a file of its own; reading does not
  /// depend on it.
  public var externalStorageThreshold = StoreOptions.defaultExternalStorageThreshold
  /// Whether values with external storage are written into rows, for a store that has to be one file.
  ///
  /// Values that are in files already stay there until they are set anew.
  public var externalStorageInline = false

  /// Settings of SQLite by their names, with numbers or SQLite's words, which each connection of the store
  /// has.
  ///
  /// They are `synchronous`, `fullfsync`, `checkpoint_fullfsync`, `journal_mode`, `wal_autocheckpoint`,
  /// `journal_size_limit`, `cache_size`, `mmap_size`, `temp_store`, `cache_spill`, `secure_delete` and
  /// `threads`; `page_size` and `auto_vacuum` concern a new store, and one that is there at its next
  /// ``PersistentStoreReference/vacuum()``. Another name, and a value that SQLite does not take, are
  /// `store-option` when the store is opened.
  public var sqlitePragmas: [String: Value] = [:]
  /// Whether the store is vacuumed while it is being added: see ``PersistentStoreReference/vacuum()``.
  public var vacuumsWhenAdded = false
  /// Whether the statistics of the store are gathered while it is being added: see
  /// ``PersistentStoreReference/analyze()``.
  public var analyzesWhenAdded = false
  /// Whether a store in one document, such as a JSON store, is saved although another program has changed its
  /// file since it was opened or saved: what the other has written is lost then. Otherwise the save throws
  /// `file-changed`.
  public var overwritesChangedFile = false

  /// Whether every element of an XML store is held against the model when the store is opened: what it says
  /// of types, limits and destinations too, which otherwise the model says alone.
  public var validatesXML = false

  /// Whether the store keeps a history of its changes; nil for what it remembers, and a new one keeps none.
  ///
  /// With true a store without history begins one. With false one that has a history does not open, so that
  /// no change is ever missing from it: see ``PersistentStoreCoordinator/disableHistoryTracking(of:)``.
  public var historyTracking: Bool?

  /// Whether commits to the store by anybody are announced: see
  /// ``PersistentStoreCoordinator/remoteChangeNotification``.
  public var remoteChangeNotifications = false

  /// Whether a store that is of another version than the coordinator's model is migrated when it is opened or
  /// added.
  public var migratesAutomatically = false
  /// Whether mappings are inferred for that where none is written; without migration it means nothing.
  public var infersMapping = false
  /// The directory of versions with its written mappings in which the way is looked for; nil where there is
  /// none, and one inferred step leads from the model that the store carries.
  public var modelVersionsPath: String?
  /// The stages by which the store is migrated instead of a way that is planned.
  public var stagedMigrationManager: StagedMigrationManager?
  /// Whether an inferred migration leaves the making of indexes that are no constraints for later.
  ///
  /// The store is fully usable in between; some requests are slower. See
  /// ``PersistentStoreCoordinator/finishDeferredLightweightMigration()``.
  public var defersLightweightMigration = false
  /// Whether the old store is kept beside a migrated one although nothing was left behind.
  public var keepsMigrationBackup = false

  /// How long a statement waits for another process that writes, by default.
  public static let defaultTimeout: Duration = .seconds(5)
  /// Beyond how many bytes a value with external storage is stored in a file of its own, by default.
  public static let defaultExternalStorageThreshold = 102_400
  /// The default maximum number of connections of a store.
  public static let defaultConnectionPoolMaxSize = 5
  /// The default maximum number of states of a store that contexts are pinned to.
  public static let defaultQueryGenerationMaxCount = 8

  /// Options; by default a store can be written, five seconds are waited, and the store holds all entities.
  public init(
    isReadOnly: Bool = false, timeout: Duration = StoreOptions.defaultTimeout, configuration: String? = nil
  ) {
    self.isReadOnly = isReadOnly
    self.timeout = timeout
    self.configuration = configuration
  }
}

/// A kind of store, by the name that its metadata have under `NSStoreType`.
///
/// A file of another type than the one that is named is refused:
///
/// ```swift
/// let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(
///   at: URL(fileURLWithPath: "company.db"), type: .sqlite)
/// print(metadata["NSStoreType"] ?? .null)
/// ```
public struct StoreType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public let rawValue: String

  /// A type by its name, which has to be a registered one when a store is opened with it.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// One SQLite file, of which objects are read when they are needed.
  public static let sqlite = StoreType(rawValue: "SQLite")

  /// One JSON text with an object a line, which is in memory as a whole.
  public static let json = StoreType(rawValue: "JSON")
  /// One binary property list, which is in memory as a whole.
  public static let binary = StoreType(rawValue: "Binary")
  /// One XML document in Core Data's form, which is in memory as a whole.
  public static let xml = StoreType(rawValue: "XML")

  static let inMemory = StoreType(rawValue: "InMemory")

  /// The library's own types, of which not all are built.
  static let known: [StoreType] = [.sqlite, .xml, .binary, .json, .inMemory]

  /// The name.
  public var description: String { rawValue }
}
