extension PersistentStoreCoordinator {
  /// The types that stores can be made and opened with in this process: the library's own, and those that
  /// programs have registered. Stores in memory are made by ``inMemory(model:options:classes:)``.
  public static var registeredStoreTypes: [StoreType] { StoreRegistry.types }
}
