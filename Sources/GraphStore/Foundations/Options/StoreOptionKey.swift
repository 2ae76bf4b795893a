import GraphStoreModel
import GraphStorePredicates

/// The name of an option under which a dictionary has its value.
///
/// ```swift
/// var description = PersistentStoreDescription(url: URL(fileURLWithPath: "company.db"))
/// description.options[StoreOptionKey.timeout.rawValue] = .double(0.5)
/// ```
public struct StoreOptionKey: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// A key by its name; whether there is such an option shows when a store is opened.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Whether the store may not be written: a truth value.
  public static let readOnly = StoreOptionKey(rawValue: "readOnly")
  /// How long a request waits for a lock held by another connection: seconds.
  public static let timeout = StoreOptionKey(rawValue: "timeout")
  /// The maximum number of connections of a store: a whole number from 1.
  public static let connectionPoolMaxSize = StoreOptionKey(rawValue: "connectionPoolMaxSize")
  /// The maximum number of states of a store that contexts are pinned to: a whole number from 1.
  public static let queryGenerationMaxCount = StoreOptionKey(rawValue: "queryGenerationMaxCount")
  /// Whether a store of another version is migrated when it is added: a truth value.
  public static let migrateAutomatically = StoreOptionKey(rawValue: "migrateAutomatically")
  /// Whether mappings are inferred for a migration where none is written: a truth value.
  public static let inferMappingAutomatically = StoreOptionKey(rawValue: "inferMappingAutomatically")
  /// Whether an inferred migration leaves the making of indexes for later: a truth value.
  public static let deferredLightweightMigration = StoreOptionKey(rawValue: "deferredLightweightMigration")
  /// Whether a store that is only read opens although its model is another one: a truth value.
  public static let ignoreVersioning = StoreOptionKey(rawValue: "ignoreVersioning")
  /// Settings of SQLite: a dictionary of their names and values.
  public static let sqlitePragmas = StoreOptionKey(rawValue: "sqlitePragmas")
  /// Whether a SQLite store is vacuumed while it is being added: a truth value.
  public static let sqliteManualVacuum = StoreOptionKey(rawValue: "sqliteManualVacuum")
  /// Whether the statistics of a SQLite store are gathered while it is being added: a truth value.
  public static let sqliteAnalyze = StoreOptionKey(rawValue: "sqliteAnalyze")
  /// Whether the store keeps a history of its changes: a truth value.
  public static let historyTracking = StoreOptionKey(rawValue: "historyTracking")
  /// Whether commits to the store by anybody are announced: a truth value.
  public static let remoteChangeNotifications = StoreOptionKey(rawValue: "remoteChangeNotifications")
  /// Beyond how many bytes a value with external storage is stored in a file of its own: a whole number from
  /// 0.
  public static let externalStorageThreshold = StoreOptionKey(rawValue: "externalStorageThreshold")
  /// Whether values with external storage are written into rows: a truth value.
  public static let externalStorageInline = StoreOptionKey(rawValue: "externalStorageInline")
  /// Whether a store in one document is saved although another program has changed its file meanwhile: a
  /// truth value.
  public static let overwriteChangedFile = StoreOptionKey(rawValue: "overwriteChangedFile")
  /// Whether every element of an XML store is held against the model when it is opened: a truth value.
  public static let xmlValidate = StoreOptionKey(rawValue: "xmlValidate")
}

extension StoreOptions {
  /// Reads options from a dictionary, as descriptions of stores have them; what is left out has its default.
  ///
  /// - Parameters:
  ///   - values: Values by the names of ``StoreOptionKey``.
  ///   - type: The type of the store that is to be opened.
  ///   - configuration: The configuration whose entities it holds.
  /// - Throws: `store-option` for a name that is none, a value of another kind, an option without a meaning
  ///   for the type, and for `ignoreVersioning` without `readOnly`.
  public init(_ values: [String: Value], type: StoreType = .sqlite, configuration: String? = nil) throws {
    self.init(configuration: configuration)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let option = try KnownStoreOption.named(name, value)
      let isMeaningless = StoreType.known.contains(type) && !option.types.contains(type)
      if isMeaningless { throw option.meaningless(for: type, value) }
      guard option.set(&self, value) else { throw option.wrongKind(value) }
    }
    try checkVersioning()
  }

  /// Checks what concerns several options, or values that a dictionary of options cannot have checked.
  ///
  /// - Parameter isInFile: Whether they are those of a store in a file.
  /// - Throws: `store-option`.
  func check(isInFile: Bool) throws {
    try checkVersioning()
    _ = try SQLitePragmas(sqlitePragmas, isInFile: isInFile)
    guard isReadOnly, vacuumsWhenAdded || analyzesWhenAdded else { return }
    let key = vacuumsWhenAdded ? StoreOptionKey.sqliteManualVacuum : .sqliteAnalyze
    throw GraphStoreError(
      .storeOption, "The option \(key.rawValue) is true for a store that is to be read only.",
      remedy: "Leave it out, or \(StoreOptionKey.readOnly.rawValue).", property: key.rawValue,
      value: .bool(true))
  }

  /// - Throws: `store-option` where the versions of a store that can be written are to be ignored.
  package func checkVersioning() throws {
    guard ignoresVersioning, !isReadOnly else { return }
    let key = StoreOptionKey.ignoreVersioning.rawValue
    throw GraphStoreError(
      .storeOption,
      "The option \(key) is true for a store that can be written, and is honoured for reading only.",
      remedy: "Set \(StoreOptionKey.readOnly.rawValue) too, or leave \(key) out.", property: key,
      value: .bool(true))
  }
}

/// An option that may be specified for stores.
private struct KnownStoreOption: Sendable {
  /// Takes the value over; false for one of another kind.
  typealias Setter = @Sendable (inout StoreOptions, Value) -> Bool

  let key: String
  /// The expected value, for people.
  let expected: String
  /// The types of store that the option has a meaning for.
  let types: [StoreType]
  let set: Setter

  private static let files: [StoreType] = [.sqlite, .xml, .binary, .json]
  private static let atomic: [StoreType] = [.xml, .binary, .json]

  private static let options: [KnownStoreOption] = [
    option(.readOnly, expected: "true or false", for: files) { $0.assign(\.isReadOnly, boolean($1)) },
    option(.timeout, expected: "seconds from 0", for: files) { $0.assign(\.timeout, seconds($1)) },
    option(.connectionPoolMaxSize, expected: "a whole number from 1 to 1000", for: [.sqlite]) {
      $0.assign(\.connectionPoolMaxSize, count($1))
    },
    option(.queryGenerationMaxCount, expected: "a whole number from 1 to 1000", for: [.sqlite]) {
      $0.assign(\.queryGenerationMaxCount, count($1))
    },
    option(.ignoreVersioning, expected: "true or false", for: [.sqlite]) {
      $0.assign(\.ignoresVersioning, boolean($1))
    },
    option(.sqlitePragmas, expected: "a dictionary of pragmas", for: [.sqlite]) {
      $0.assign(\.sqlitePragmas, dictionary($1))
    },
    option(.sqliteAnalyze, expected: "true or false", for: [.sqlite]) {
      $0.assign(\.analyzesWhenAdded, boolean($1))
    },
    option(.sqliteManualVacuum, expected: "true or false", for: [.sqlite]) {
      $0.assign(\.vacuumsWhenAdded, boolean($1))
    },
    option(.migrateAutomatically, expected: "true or false", for: files) {
      $0.assign(\.migratesAutomatically, boolean($1))
    },
    option(.inferMappingAutomatically, expected: "true or false", for: files) {
      $0.assign(\.infersMapping, boolean($1))
    },
    option(.deferredLightweightMigration, expected: "true or false", for: [.sqlite]) {
      $0.assign(\.defersLightweightMigration, boolean($1))
    },
    option(.historyTracking, expected: "true or false", for: [.sqlite]) {
      $0.assign(\.historyTracking, boolean($1).map(Optional.some))
    },
    option(.remoteChangeNotifications, expected: "true or false", for: [.sqlite]) {
      $0.assign(\.remoteChangeNotifications, boolean($1))
    },
    option(.externalStorageThreshold, expected: "a number of bytes from 0", for: [.sqlite]) {
      $0.assign(\.externalStorageThreshold, size($1))
    },
    option(.externalStorageInline, expected: "true or false", for: [.sqlite]) {
      $0.assign(\.externalStorageInline, boolean($1))
    },
    option(.xmlValidate, expected: "true or false", for: [.xml]) {
      $0.assign(\.validatesXML, boolean($1))
    },
    option(.overwriteChangedFile, expected: "true or false", for: atomic) {
      $0.assign(\.overwritesChangedFile, boolean($1))
    },
  ]

  private static func option(
    _ key: StoreOptionKey, expected: String, for types: [StoreType], _ set: @escaping Setter
  ) -> KnownStoreOption {
    KnownStoreOption(key: key.rawValue, expected: expected, types: types, set: set)
  }

  // MARK: Values

  private static func boolean(_ value: Value) -> Bool? {
    if case .bool(let answer) = value { answer } else { nil }
  }

  private static func dictionary(_ value: Value) -> [String: Value]? {
    if case .dictionary(let values) = value { values } else { nil }
  }

  private static func seconds(_ value: Value) -> Duration? {
    switch value {
    case .int(let number) where number >= 0: .seconds(number)
    case .double(let number) where number >= 0 && number <= 1e12: .seconds(number)
    default: nil
    }
  }

  private static func count(_ value: Value) -> Int? {
    if case .int(let number) = value, (1...1000).contains(number) { Int(number) } else { nil }
  }

  private static func size(_ value: Value) -> Int? {
    if case .int(let number) = value, number >= 0 { Int(number) } else { nil }
  }

  // MARK: Errors

  static func named(_ name: String, _ value: Value) throws -> KnownStoreOption {
    if let option = options.first(where: { $0.key == name }) { return option }
    let names = options.map(\.key).sorted()
    var error = GraphStoreError(
      .storeOption, "There is no option \(name), which was set to \(text(value)).",
      remedy: "Known are: \(names.joined(separator: ", ")).", property: name, value: value)
    error.suggestions = NearestNames.names(near: name, among: names)
    throw error
  }

  func wrongKind(_ value: Value) -> GraphStoreError {
    GraphStoreError(
      .storeOption, "The option \(key) cannot be \(Self.text(value)): it takes \(expected).",
      remedy: "Give it \(expected), or leave it out.", property: key, value: value)
  }

  func meaningless(for type: StoreType, _ value: Value) -> GraphStoreError {
    let names = types.map(\.rawValue).joined(separator: ", ")
    return GraphStoreError(
      .storeOption,
      "The option \(key), which was set to \(Self.text(value)), has no meaning for a store of type \(type): it is one of "
        + "\(names).", remedy: "Leave it out.", property: key, value: value)
  }

  private static func text(_ value: Value) -> String { value.literal }
}

extension StoreOptions {
  /// Sets a property, unless there is no value for it.
  fileprivate mutating func assign<Property>(
    _ path: WritableKeyPath<StoreOptions, Property>, _ value: Property?
  ) -> Bool {
    guard let value else { return false }
    self[keyPath: path] = value
    return true
  }
}
