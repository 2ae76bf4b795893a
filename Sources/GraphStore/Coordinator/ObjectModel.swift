import GraphStoreModel
import GraphStorePredicates

/// A model in code with the classes of its objects: what `graphstore model codegen` writes for a model.
///
/// ```swift
/// let coordinator = try CompanyModel.openStore(at: "hr.db")
/// let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
/// let ada = try context.insert(Employee.self)
/// ```
public protocol ObjectModel {
  /// The model; the same object at every call, so that stores and contexts made of it fit each other.
  static var model: ManagedObjectModel { get throws }
  /// The classes by the `className` of the entities they represent.
  static var classes: [String: ManagedObject.Type] { get }
}

extension ObjectModel {
  /// Makes a store and opens it with the classes of the model.
  ///
  /// - Throws: as ``PersistentStoreCoordinator/create(storeAt:model:options:classes:)``.
  public static func createStore(
    at path: String, options: StoreOptions = StoreOptions()
  ) throws -> PersistentStoreCoordinator {
    try .create(storeAt: path, model: model, options: options, classes: classes)
  }

  /// Opens a store of the model with its classes; with ``StoreOptions/migratesAutomatically`` one of another
  /// version is migrated first.
  ///
  /// - Throws: as ``PersistentStoreCoordinator/open(storeAt:options:model:classes:)``.
  public static func openStore(
    at path: String, options: StoreOptions = StoreOptions()
  ) throws -> PersistentStoreCoordinator {
    try .open(storeAt: path, options: options, model: model, classes: classes)
  }

  /// Opens a store of the model with its classes, or makes it where there is no file, or an empty one.
  ///
  /// - Throws: as ``openStore(at:options:)`` and ``createStore(at:options:)``.
  public static func openOrCreateStore(
    at path: String, options: StoreOptions = StoreOptions()
  ) throws -> PersistentStoreCoordinator {
    guard !options.isReadOnly, ResolvedPath.isFree(path) else {
      return try openStore(at: path, options: options)
    }
    do {
      return try createStore(at: path, options: options)
    } catch let error as GraphStoreError where error.code == .storeExists {
      // Another process has made it meanwhile.
      return try openStore(at: path, options: options)
    }
  }

  /// The request of a template of the model, with values for its variables.
  ///
  /// - Throws: as ``GraphStoreModel/ManagedObjectModel/fetchRequest(fromTemplate:substituting:)``.
  public static func fetchRequest<Object: ManagedObject>(
    _ type: Object.Type, fromTemplate name: String, variables: [String: Value] = [:]
  ) throws -> FetchRequest<Object> {
    FetchRequest(try model.fetchRequest(fromTemplate: name, substituting: variables))
  }
}
