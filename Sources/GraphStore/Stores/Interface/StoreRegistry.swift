import Synchronization

/// The types of stores that there are, each by its driver.
package enum StoreRegistry {
  private static let drivers = Mutex<[any StoreDriver]>([
    SQLiteStoreDriver(), DocumentStoreDriver(format: JSONStoreFormat()),
    DocumentStoreDriver(format: BinaryStoreFormat()), DocumentStoreDriver(format: XMLStoreFormat()),
  ])

  /// Adds a type; one of the same name is replaced.
  package static func register(_ driver: any StoreDriver) {
    drivers.withLock { drivers in
      drivers.removeAll { $0.type == driver.type }
      drivers.append(driver)
    }
  }

  /// Adds a type that a program has written; one of the same name is replaced, but none of the library's own.
  ///
  /// - Throws: `invalid-request`.
  package static func register(custom driver: any StoreDriver) throws {
    let name = driver.type.rawValue
    guard !name.isEmpty, !StoreType.known.contains(driver.type) else {
      throw GraphStoreError(
        .invalidRequest,
        name.isEmpty
          ? "A type of stores cannot be registered without a name."
          : "The type \(name) is the library's own, and cannot be replaced.",
        remedy: "Register the type under another name.")
    }
    register(driver)
  }

  /// Whether the library may look at the location of a store of a type; for nil of the type that is found
  /// there.
  package static func keepsFiles(_ type: StoreType?, at path: String) -> Bool {
    guard let type else { return ServerAddress(path) == nil }
    return drivers.withLock(\.self).first { $0.type == type }?.keepsFiles ?? true
  }

  /// Whether stores of a type are migrated; for nil those of the type that is found at the location.
  static func isMigrated(_ type: StoreType?, at path: String) -> Bool {
    let type = type ?? ServerAddress(path)?.type ?? .sqlite
    let driver = drivers.withLock(\.self).first { $0.type == type }
    return driver?.keepsFiles ?? false || driver is any MigratingStoreDriver
  }

  /// The types that stores can be opened with.
  package static var types: [StoreType] { drivers.withLock { $0.map(\.type) } }

  /// The type whose files begin with some bytes; nil for none.
  package static func type(recognizing beginning: [UInt8]) -> StoreType? {
    drivers.withLock(\.self).first { $0.recognizes(beginning) }?.type
  }

  /// Whether a file begins as a store of some type does.
  package static func isStore(_ beginning: [UInt8]) -> Bool {
    drivers.withLock(\.self).contains { $0.identifies(beginning) }
  }

  /// The form of the document that the store at a path is; nil for a store that is none.
  static func documentFormat(at path: String) -> (any AtomicStoreFormat)? {
    let type = StoreType.detected(at: path)
    let driver = drivers.withLock(\.self).first { $0.type == type }
    return (driver as? DocumentStoreDriver)?.format
  }

  /// The driver of a type.
  ///
  /// - Throws: `store-type-unknown` for a type that is not registered; `store-type-mismatch` for one in files
  ///   at the address of a server.
  private static func driver(of type: StoreType, at path: String) throws -> any StoreDriver {
    guard let driver = drivers.withLock({ $0.first { $0.type == type } }) else {
      throw StoreType.unknown(type, path)
    }
    if driver.keepsFiles, let address = ServerAddress(path) {
      throw StoreType.mismatch(type, address.type, path)
    }
    return driver
  }

  /// Asks the driver of a store: of the type that is named, else that of the server whose address the path
  /// is, else SQLite's, and where the file is none of SQLite's, that of the type which its first bytes
  /// identify; so nothing is read twice of nearly all stores.
  ///
  /// - Throws: `store-type-unknown` for a type that is not registered; what the driver throws.
  package static func asking<Result>(
    _ type: StoreType?, at path: String, _ body: (any StoreDriver) throws -> Result
  ) throws -> Result {
    if let type = type ?? ServerAddress(path)?.type { return try body(driver(of: type, at: path)) }
    do {
      return try body(driver(of: .sqlite, at: path))
    } catch let error as GraphStoreError where error.code == .notAStore {
      let beginning = RegularFile.firstBytes(path, count: StoreType.beginningLength) ?? []
      guard let other = StoreRegistry.type(recognizing: beginning), other != .sqlite else { throw error }
      return try body(driver(of: other, at: path))
    }
  }

  /// The driver of a new store.
  ///
  /// - Throws: `store-type-unknown` for a type that is not registered.
  package static func driver(ofNew type: StoreType?, at path: String) throws -> any StoreDriver {
    try driver(of: type ?? ServerAddress(path)?.type ?? .sqlite, at: path)
  }

  /// Makes a store that is in no file, and is released with its coordinator.
  package static func makeInMemory(
    _ entities: StoredEntities, layout: ModelLayout, _ options: StoreOptions, rowCache: RowCache? = nil
  ) -> any PersistentStore {
    InMemoryStore(entities, layout: layout, options, rowCache: rowCache)
  }

  /// Opens a store of any type.
  package static func open(
    _ path: String, _ options: StoreOptions, _ wanted: WantedEntities, _ use: StoreUse = StoreUse()
  ) throws -> any PersistentStore {
    try asking(options.type, at: path) { try $0.open(path, options, wanted, use) }
  }

  /// The metadata of a store of any type that is not open.
  package static func metadata(
    of type: StoreType? = nil, at path: String, timeout: Duration
  ) throws -> StoreMetadata {
    try asking(type, at: path) { try $0.metadata(at: path, timeout: timeout) }
  }
}

extension StoreType {
  /// The number of bytes of a file that identify its type.
  package static let beginningLength = 256

  /// The type that a file's first bytes (STO-021), or the scheme of a server's address, identify; nil for no
  /// file, for an empty one and for any other.
  package static func detected(at path: String) -> StoreType? {
    if let address = ServerAddress(path) { return address.type }
    let bytes = RegularFile.firstBytes(path, count: beginningLength) ?? []
    return StoreRegistry.type(recognizing: bytes)
  }

  /// The type with which the store at a path is opened: the one asked for, else the file's own, else SQLite.
  ///
  /// - Throws: `store-type-unknown` for one that is not registered, `store-type-mismatch` where the file is
  ///   of another one.
  package static func resolved(_ wanted: StoreType?, at path: String) throws -> StoreType {
    if let wanted, !StoreRegistry.keepsFiles(wanted, at: path) { return wanted }
    let found = detected(at: path)
    let type = wanted ?? found ?? .sqlite
    guard StoreRegistry.types.contains(type) else { throw unknown(type, path) }
    guard let found, found != type else { return type }
    throw mismatch(type, found, path)
  }

  fileprivate static func mismatch(
    _ wanted: StoreType, _ found: StoreType, _ path: String
  ) -> GraphStoreError {
    GraphStoreError(
      .storeTypeMismatch, "\(path) was to be opened as a store of type \(wanted), and is of type \(found).",
      remedy: "Leave the type out, or give \(found).")
  }

  fileprivate static func unknown(_ type: StoreType, _ path: String) -> GraphStoreError {
    if ServerAddress(path)?.type == type {
      return GraphStoreError(
        .storeTypeUnknown, "\(path) is of type \(type), which this program does not have.",
        remedy:
          "Use graphstore-postgresql (make install-postgresql), or register StoreType.postgreSQL in a program of your own."
      )
    }
    let names = StoreRegistry.types.map(\.rawValue).joined(separator: ", ")
    return GraphStoreError(
      .storeTypeUnknown, "No store type \(type) is registered, with which \(path) was to be opened.",
      remedy: "Registered are: \(names).")
  }
}
