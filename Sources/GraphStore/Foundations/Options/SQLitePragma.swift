import GraphStorePredicates

/// Setting of SQLite that a store is opened with.
struct SQLitePragma: Hashable, Sendable {
  /// Name of a setting that may be given, in SQLite's word.
  enum Name: String, CaseIterable, Sendable {
    case autoVacuum = "auto_vacuum"
    case cacheSize = "cache_size"
    case cacheSpill = "cache_spill"
    case checkpointFullFSync = "checkpoint_fullfsync"
    case fullFSync = "fullfsync"
    case journalMode = "journal_mode"
    case journalSizeLimit = "journal_size_limit"
    case mmapSize = "mmap_size"
    case pageSize = "page_size"
    case secureDelete = "secure_delete"
    case synchronous
    case tempStore = "temp_store"
    case threads
    case walAutocheckpoint = "wal_autocheckpoint"
  }

  let name: Name
  /// The value as it is set.
  let assigned: String
  /// The value as SQLite reads it back.
  let text: String

  /// A setting by its name.
  ///
  /// - Throws: `store-option` for a name that is none of ``Name``, and for a value that it cannot have.
  init(_ name: String, _ value: Value) throws {
    guard let known = Name(rawValue: name) else { throw Self.unknown(name, value) }
    guard let (assigned, text) = known.setting(value) else { throw known.wrong(value) }
    (self.name, self.assigned, self.text) = (known, assigned, text)
  }

  /// The value as a number; 0 for a word.
  var number: Int64 { Int64(text) ?? 0 }

  /// Whether a value that was read back is the one that was set.
  func holds(_ found: String?) -> Bool {
    // Of what may be spilled SQLite tells from how many pages on.
    if name == .cacheSpill { return (found == "0") == (text == "0") }
    return found == text
  }

  private static func unknown(_ name: String, _ value: Value) -> GraphStoreError {
    let names = Name.allCases.map(\.rawValue)
    var error = GraphStoreError(
      .storeOption, "No pragma \(name), which was set to \(value.literal), can be given to a store.",
      remedy: "Those that can are: \(names.joined(separator: ", ")).", property: name, value: value)
    error.suggestions = NearestNames.names(near: name, among: names)
    return error
  }
}

extension SQLitePragma.Name {
  /// Whether it is a property of the file, which a full vacuum changes, and not of a connection.
  var isOfFile: Bool { self == .pageSize || self == .autoVacuum }

  /// The words for values, with what SQLite reads back for each.
  private var words: KeyValuePairs<String, String> {
    switch self {
    case .synchronous: ["OFF": "0", "NORMAL": "1", "FULL": "2", "EXTRA": "3"]
    case .fullFSync, .checkpointFullFSync, .cacheSpill: ["OFF": "0", "ON": "1"]
    case .secureDelete: ["OFF": "0", "ON": "1", "FAST": "2"]
    case .tempStore: ["DEFAULT": "0", "FILE": "1", "MEMORY": "2"]
    case .autoVacuum: ["NONE": "0", "FULL": "1", "INCREMENTAL": "2"]
    case .journalMode:
      [
        "DELETE": "delete", "TRUNCATE": "truncate", "PERSIST": "persist", "MEMORY": "memory", "WAL": "wal",
        "OFF": "off",
      ]
    case .cacheSize, .journalSizeLimit, .mmapSize, .pageSize, .threads, .walAutocheckpoint: [:]
    }
  }

  /// The numbers that it can be set to; nil for one that takes words alone.
  private var numbers: ClosedRange<Int64>? {
    switch self {
    case .synchronous: 0...3
    case .fullFSync, .checkpointFullFSync, .secureDelete: 0...1
    case .tempStore, .autoVacuum: 0...2
    case .cacheSpill, .threads, .walAutocheckpoint: 0...Int64(Int32.max)
    case .cacheSize: Int64(Int32.min + 1)...Int64(Int32.max)
    case .journalSizeLimit: -1...Int64.max
    case .mmapSize: 0...Int64.max
    case .pageSize: 512...65536
    case .journalMode: nil
    }
  }

  fileprivate func setting(_ value: Value) -> (assigned: String, text: String)? {
    switch value {
    case .int(let number): return setting(number)
    case .string(let text):
      if let word = words.first(where: { $0.key == text.uppercased() }) { return (word.key, word.value) }
      return Int64(text).flatMap(setting)
    default: return nil
    }
  }

  private func setting(_ number: Int64) -> (assigned: String, text: String)? {
    guard numbers?.contains(number) == true else { return nil }
    if self == .pageSize, number.nonzeroBitCount != 1 { return nil }
    return ("\(number)", "\(number)")
  }

  /// The values that it takes, for people.
  private var expected: String {
    if self == .pageSize { return "a power of two from 512 to 65536" }
    let range = numbers.map { "a number from \($0.lowerBound) to \($0.upperBound)" }
    let list = words.isEmpty ? nil : words.map(\.key).joined(separator: ", ")
    return [list, range].compactMap { $0 }.joined(separator: ", or ")
  }

  fileprivate func wrong(_ value: Value) -> GraphStoreError {
    GraphStoreError(
      .storeOption, "The pragma \(rawValue) cannot be \(value.literal): it takes \(expected).",
      remedy: "Give it such a value, or leave it out.", property: rawValue, value: value)
  }
}

/// The settings of SQLite that a store is opened with, which fit each other.
struct SQLitePragmas: Sendable {
  /// By name, so that the order is always the same.
  let all: [SQLitePragma]

  /// Checks settings by their names.
  ///
  /// - Parameter isInFile: Whether they are those of a store in a file.
  /// - Throws: `store-option` for names and values that cannot be, and for a journal that would not survive
  ///   the process where changes are to.
  init(_ values: [String: Value], isInFile: Bool = true) throws {
    all = try values.sorted { $0.key < $1.key }.map { try SQLitePragma($0.key, $0.value) }
    if isInFile { try checkJournal() }
  }

  subscript(name: SQLitePragma.Name) -> SQLitePragma? { all.first { $0.name == name } }

  private func checkJournal() throws {
    guard let mode = self[.journalMode] else { return }
    if mode.text == "off" {
      throw Self.refused(mode, "a save that fails could not be taken back", "Choose MEMORY, or leave it out.")
    }
    if mode.text == "memory", self[.synchronous]?.text != "0" {
      throw Self.refused(
        mode, "a process that is killed would leave a damaged file",
        "Set synchronous to OFF too where the store can be made again, or choose another journal.")
    }
  }

  private static func refused(
    _ pragma: SQLitePragma, _ reason: String, _ remedy: String
  ) -> GraphStoreError {
    GraphStoreError(
      .storeOption, "The pragma \(pragma.name.rawValue) cannot be \(pragma.assigned): \(reason).",
      remedy: remedy, property: pragma.name.rawValue, value: .string(pragma.assigned))
  }
}
