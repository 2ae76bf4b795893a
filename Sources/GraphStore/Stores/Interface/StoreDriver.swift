import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Driver of the stores of one type, which detects, makes and opens them: all that the rest of the library
/// knows of a type.
package protocol StoreDriver: Sendable {
  var type: StoreType { get }
  /// Whether the first bytes of a file are those of the type.
  func recognizes(_ beginning: [UInt8]) -> Bool
  /// Whether the first bytes of a file say that it is a store, where those of the type may be of another file
  /// too.
  func identifies(_ beginning: [UInt8]) -> Bool
  /// Whether the library may look at what is at a path; else it is for the driver alone, and may be a URL.
  var keepsFiles: Bool { get }
  /// Whether a store that is opened at a path is always a new one.
  func isAlwaysNew(at path: String) -> Bool

  /// Makes a store where there is none.
  ///
  /// - Throws: `store-exists`, and what keeps the file from being made; there is none then.
  func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm
  ) throws -> any PersistentStore
  /// Makes a store of what a block writes, which appears at its path when it is whole.
  ///
  /// - Parameter present: What happens to a store that is there, which is untouched until then.
  /// - Returns: Where the store is kept that was there; nil where there was none, or it is not kept.
  /// - Throws: `store-exists` where none is to be replaced, what keeps the store from being made, and what
  /// the block throws; the path is as it was then.
  func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm,
    _ present: PresentStore, filling fill: (any WriteSession) throws -> Void
  ) throws -> String?
  /// Opens a store that is there, and leaves it as it is.
  ///
  /// - Throws: what is wrong with the options, then with the path, from `store-not-found` to `store-corrupt`;
  ///   `no-model`, `incompatible-model`, and `not-supported` for a store that cannot share passed layouts.
  func open(
    _ path: String, _ options: StoreOptions, _ wanted: WantedEntities, _ use: StoreUse
  ) throws -> any PersistentStore

  /// Makes sure that what a store holds can be copied to a new one at a path, before that is made.
  ///
  /// - Throws: `store-exists`, `migration-destination`.
  func checkCopying(from source: any PersistentStore, to path: String) throws

  /// The metadata of a store that is not open.
  ///
  /// - Throws: what is wrong with the path, from `store-not-found` to `store-corrupt`.
  func metadata(at path: String, timeout: Duration) throws -> StoreMetadata
  /// The model that a store carries which is not open.
  ///
  /// - Throws: `no-model` where it carries none, or one that cannot be read; ``ModelError`` where its JSON is
  ///   damaged; what is wrong with the path.
  func carriedModel(at path: String, timeout: Duration) throws -> LoadedModel
  /// Changes metadata of a store that is not open.
  ///
  /// - Parameter changes: Returns values, or nil for keys to be removed, from the store's.
  func changeMetadata(
    at path: String, timeout: Duration, _ changes: ([String: Value]) throws -> [String: Value?]
  ) throws

  /// Copies a store that others may use meanwhile, checks the copy, and moves it to its path at once.
  ///
  /// - Parameters:
  ///   - source: The path of the store, which is only read.
  ///   - destination: The path of the copy.
  ///   - present: What happens to a store that is there, which is untouched until the copy is whole.
  ///   - isOneFile: Whether values with external storage are written into the copy's file.
  /// - Throws: `store-exists` where none is to be replaced; what is wrong with the source, from
  ///   `store-not-found` to `store-corrupt`; `migration-destination`, `store-in-use`, `store-timeout`,
  ///   `store-permission`, `disk-full`. The destination is as it was then.
  func copy(
    _ source: String, to destination: String, _ present: PresentStore, isOneFile: Bool, timeout: Duration
  ) throws -> StoreBackupResult
  /// Removes a store that nobody has open, with all files that belong to it; where there is none, those that
  /// were left of one.
  ///
  /// - Parameter isForced: Whether a file that is no readable store is removed too.
  /// - Throws: `store-in-use`, `store-timeout`, `store-permission`; what is wrong with the file, from
  ///   `not-a-store` to `store-corrupt`.
  func destroy(_ path: String, isForced: Bool, timeout: Duration) throws
}

/// Treatment of a store that is at the path where another one is to appear.
package enum PresentStore {
  /// It stays, and nothing appears.
  case refused
  /// It is removed when the other one is in its place.
  case replaced
  /// It stays under another name.
  case keptAsBackup
}

extension StoreDriver {
  package var keepsFiles: Bool { true }

  package func identifies(_ beginning: [UInt8]) -> Bool { recognizes(beginning) }

  package func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm,
    _ present: PresentStore, filling fill: (any WriteSession) throws -> Void
  ) throws -> String? {
    guard present == .refused else {
      throw GraphStoreError.unsupportedRequest(
        "Replacing by location", of: type.rawValue, instead: "Remove the store first, and make another one.")
    }
    let store = try create(path, options, model, form)
    defer { store.close() }
    do {
      try store.write(fill)
      return nil
    } catch {
      store.close()
      try? destroy(path, isForced: true, timeout: options.timeout)
      throw error
    }
  }

  package func carriedModel(at path: String, timeout: Duration) throws -> LoadedModel {
    try metadata(at: path, timeout: timeout).carriedModel(ofStoreAt: path, isTrusted: false)
  }
}

/// Model under which a store is opened.
package enum WantedEntities {
  /// The entities of the model that it carries.
  case carried
  /// Those of a model, of the configuration that the options name.
  case model(ManagedObjectModel)
  /// Some of a union of models.
  case entities(StoredEntities)

  /// Whether a whole model is given, which the store is going to carry.
  package var isGiven: Bool { if case .model = self { true } else { false } }

  /// The model that is given; nil for that of the store.
  package var givenModel: ManagedObjectModel? {
    switch self {
    case .carried: nil
    case .model(let model): model
    case .entities(let entities): entities.model
    }
  }

  /// The entities of a store with some metadata.
  ///
  /// - Throws: `no-model`, `unknown-configuration`.
  package func entities(
    _ options: StoreOptions, _ metadata: StoreMetadata, path: String
  ) throws -> StoredEntities {
    let entities: StoredEntities
    switch self {
    case .entities(let some): entities = some
    case .model(let model):
      entities = try StoredEntities(model, configuration: options.configuration)
    case .carried:
      let model = try metadata.carriedModel(ofStoreAt: path).model
      entities = try StoredEntities(model, configuration: options.configuration ?? metadata.configuration)
    }
    return metadata.versionHashes.isEmpty ? entities : entities.narrowed(by: metadata)
  }
}

/// State that a store being opened shares with others.
package struct StoreUse {
  /// The layouts of its coordinator; nil for its own.
  package var layout: ModelLayout?
  /// Its label beside others.
  package var label: StoreLabel?
  /// Whether one is made where there is none, of a driver that keeps no files.
  package var makesMissing = false

  package init(layout: ModelLayout? = nil, label: StoreLabel? = nil, makesMissing: Bool = false) {
    self.layout = layout
    self.label = label
    self.makesMissing = makesMissing
  }
}

/// Form of a new store where it differs from others of its model.
package struct NewStoreForm {
  /// The layouts of its coordinator; nil for its own.
  package var layout: ModelLayout?
  package var identifier = UUID()
  /// The row cache of the store in whose stead it is going to be mounted.
  package var rowCache: RowCache?
  /// To-many relationships without an inverse whose members may have several owners, as in the store that it
  /// is made from.
  package var paired: Set<RelationshipDescription> = []

  package init(
    layout: ModelLayout? = nil, identifier: UUID = UUID(), rowCache: RowCache? = nil,
    paired: Set<RelationshipDescription> = []
  ) {
    self.layout = layout
    self.identifier = identifier
    self.rowCache = rowCache
    self.paired = paired
  }
}
