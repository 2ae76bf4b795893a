import Foundation
import GraphStoreModel
import GraphStorePredicates
import Synchronization

/// A model, a coordinator, stores and contexts, put together by name.
///
/// ```swift
/// let container = try PersistentContainer(name: "Company")
/// try await container.loadPersistentStores()
/// let employees = try container.viewContext.fetch(FetchRequest(entityName: "Employee"))
/// ```
///
/// A container has one coordinator, and that one model, from the beginning. Any thread may use it; contexts
/// have rules of their own. Nothing it does waits for a run loop.
open class PersistentContainer: @unchecked Sendable {
  private struct State {
    var descriptions: [PersistentStoreDescription]
    /// The stores that were loaded, by their descriptions.
    var loaded: [(identity: PersistentStoreDescription.Identity, store: PersistentStoreReference)] = []
    /// The path where the model was found by name.
    var modelPath: String?
  }

  /// The name: of the default store's file, and of the model where that was found by name.
  public let name: String
  /// The model.
  public let managedObjectModel: ManagedObjectModel
  /// The coordinator that has the stores once they are loaded.
  public let persistentStoreCoordinator: PersistentStoreCoordinator
  /// The context of the main queue.
  ///
  /// It is there from the beginning. Until a store is loaded, requests and saves with changes throw
  /// `no-store`.
  public let viewContext: ManagedObjectContext
  private let state: Mutex<State>
  /// Held while a store is opened, so that no description is loaded twice.
  private let loading = NSLock()
  /// The queue on which stores are opened that are added asynchronously.
  let queue = DispatchQueue(label: "graphstore.container")

  /// Makes a container for a model, which is taken as it is.
  ///
  /// No file is touched. There is one description, of a SQLite store `NAME.sqlite` in
  /// ``defaultDirectoryURL``.
  ///
  /// - Parameters:
  ///   - name: The name of the default store's file, without an ending.
  ///   - model: The model.
  ///   - classes: Swift classes by the `className` of the entities they represent, as for
  ///     ``PersistentStoreCoordinator/init(model:classes:)``.
  public init(name: String, model: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:]) {
    self.name = name
    managedObjectModel = model
    persistentStoreCoordinator = PersistentStoreCoordinator(model: model, classes: classes)
    viewContext = ManagedObjectContext(
      coordinator: persistentStoreCoordinator, concurrencyType: .mainQueue)
    let url = Self.defaultDirectoryURL.appendingPathComponent(name + ".sqlite")
    state = Mutex(State(descriptions: [PersistentStoreDescription(url: url)]))
  }

  /// Makes a container for a model with its classes, as `graphstore model codegen` writes them.
  ///
  /// - Throws: what is wrong with the model.
  public convenience init<Model: ObjectModel>(name: String, model: Model.Type) throws {
    self.init(name: name, model: try Model.model, classes: Model.classes)
  }

  /// Makes a container for the model of a name.
  ///
  /// It is looked for among the resources of the main bundle, then in the folder of the executable, then in
  /// the current folder; in each `NAME.graphmodel` comes before `NAME.json`.
  ///
  /// - Throws: ``/GraphStoreModel/ModelError``: `model-not-found` with every path that was tried, in that
  ///   order, else what is wrong with the model.
  public convenience init(name: String, classes: [String: ManagedObject.Type] = [:]) throws {
    try self.init(name: name, modelFolders: Self.modelFolders, classes: classes)
  }

  convenience init(
    name: String, modelFolders: [String], classes: [String: ManagedObject.Type] = [:]
  ) throws {
    let path = try ManagedObjectModel.path(named: name, in: modelFolders)
    self.init(name: name, model: try ManagedObjectModel(contentsOf: path), classes: classes)
    state.withLock { $0.modelPath = path }
  }

  private static var modelFolders: [String] {
    let executable = Bundle.main.executableURL?.deletingLastPathComponent().path
    let folders = [Bundle.main.resourcePath, executable, FileManager.default.currentDirectoryPath]
    return folders.compactMap(\.self).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The folder of stores for which no path is specified: `$XDG_DATA_HOME/PROGRAM`, without that variable
  /// `~/.local/share/PROGRAM`, where PROGRAM is the file name of the executable.
  ///
  /// A subclass may return another one. The folder is made, for the user alone, when a store in it is.
  open class var defaultDirectoryURL: URL { DataDirectory.url() }

  // MARK: Descriptions

  /// The stores to be loaded, in this order.
  ///
  /// They may be changed until they are loaded. A change of one that was loaded counts once its store was
  /// removed and it is loaded again.
  public var persistentStoreDescriptions: [PersistentStoreDescription] {
    get { state.withLock(\.descriptions) }
    set { state.withLock { $0.descriptions = newValue } }
  }

  /// The path where the model was found by name.
  var modelPath: String? { state.withLock(\.modelPath) }

  /// Whether the store of a description is mounted.
  func isLoaded(_ description: PersistentStoreDescription) -> Bool {
    state.withLock { state in
      state.loaded.contains { $0.identity === description.identity && isMounted($0.store) }
    }
  }

  private func isMounted(_ store: PersistentStoreReference) -> Bool {
    persistentStoreCoordinator.store(store.mount.index) != nil
  }

  /// Opens a store once: a description whose store is mounted is left alone.
  func loadOnce(
    _ description: PersistentStoreDescription, _ open: () throws -> PersistentStoreReference
  ) throws {
    loading.lock()
    defer { loading.unlock() }
    guard !isLoaded(description) else { return }
    let store = try open()
    state.withLock { state in
      state.loaded.removeAll { $0.identity === description.identity }
      state.loaded.append((description.identity, store))
    }
  }

  // MARK: Contexts

  /// A new context with a private queue, over the container's coordinator.
  open func newBackgroundContext() -> ManagedObjectContext {
    ManagedObjectContext(coordinator: persistentStoreCoordinator)
  }

  /// Runs a block on a new context's queue, and returns at once; the context is released afterwards.
  open func enqueueBackgroundTask(_ block: @escaping @Sendable (ManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.enqueue { block(context) }
  }

  /// Runs a block on a new context's queue and returns its result; the context is released afterwards.
  ///
  /// - Throws: what the block throws.
  public func performBackgroundTask<Result: Sendable>(
    _ block: @escaping @Sendable (ManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let context = newBackgroundContext()
    return try await context.perform { try block(context) }
  }
}

/// Location and options of a store, from which a ``PersistentContainer`` loads it.
///
/// It is a value; changing a copy, or one that was loaded already, changes no store.
///
/// ```swift
/// var description = PersistentStoreDescription(url: URL(fileURLWithPath: "archive.db"))
/// description.timeout = .seconds(1)
/// description.shouldMigrateStoreAutomatically = false
/// container.persistentStoreDescriptions.append(description)
/// ```
public struct PersistentStoreDescription: Sendable {
  /// Identifies a description whose properties change.
  final class Identity: Sendable {}

  let identity = Identity()
  /// The type that the store has to have; nil for that of the file, and SQLite for a new one.
  public var type: StoreType? = .sqlite
  /// The store's file.
  public var url: URL
  /// The configuration of the model whose entities the store holds; nil for all entities.
  public var configuration: String?
  /// Whether the store is opened on a private queue, where its completion runs too.
  public var shouldAddStoreAsynchronously = false
  /// The stages by which a store of another version is migrated when it is loaded; nil plans a way.
  public var stagedMigrationManager: StagedMigrationManager?
  /// All options by name, those with a property of their own among them.
  ///
  /// Their types are checked when the store is loaded: see ``StoreOptionKey``.
  public var options: [String: Value] = [:]

  /// Describes a SQLite store of all entities that can be written and is added synchronously.
  public init(url: URL) { self.url = url }

  /// Whether the store may not be written; nothing in its folder changes then.
  public var isReadOnly: Bool {
    get { options[StoreOptionKey.readOnly.rawValue] == .bool(true) }
    set { options[StoreOptionKey.readOnly.rawValue] = newValue ? .bool(true) : nil }
  }

  /// Whether a store of another version of the model is migrated when it is loaded; true unless something
  /// else is said.
  public var shouldMigrateStoreAutomatically: Bool {
    get { options[StoreOptionKey.migrateAutomatically.rawValue] != .bool(false) }
    set { options[StoreOptionKey.migrateAutomatically.rawValue] = newValue ? nil : .bool(false) }
  }

  /// Whether mappings are inferred for that where none is written; true unless something else is said.
  public var shouldInferMappingModelAutomatically: Bool {
    get { options[StoreOptionKey.inferMappingAutomatically.rawValue] != .bool(false) }
    set { options[StoreOptionKey.inferMappingAutomatically.rawValue] = newValue ? nil : .bool(false) }
  }

  /// The settings of SQLite that the store is opened with, by name: see ``StoreOptions/sqlitePragmas``.
  public var sqlitePragmas: [String: Value] {
    if case .dictionary(let values)? = options[StoreOptionKey.sqlitePragmas.rawValue] { values } else { [:] }
  }

  /// Sets a pragma of SQLite, such as `synchronous`, to a number or a word; nil leaves it as it is of itself.
  ///
  /// Whether there is such a pragma, and takes the value, shows when the store is loaded.
  public mutating func setValue(_ value: Value?, forPragmaNamed name: String) {
    var values = sqlitePragmas
    values[name] = value
    options[StoreOptionKey.sqlitePragmas.rawValue] = values.isEmpty ? nil : .dictionary(values)
  }

  /// How long a request waits for a lock held by another connection; five seconds by default, zero for not
  /// waiting at all.
  public var timeout: Duration {
    get {
      switch options[StoreOptionKey.timeout.rawValue] {
      case .int(let seconds): .seconds(seconds)
      case .double(let seconds) where seconds.magnitude <= 1e12: .seconds(seconds)
      default: StoreOptions.defaultTimeout
      }
    }
    set {
      options[StoreOptionKey.timeout.rawValue] =
        newValue == StoreOptions.defaultTimeout ? nil : .double(newValue / .seconds(1))
    }
  }
}
